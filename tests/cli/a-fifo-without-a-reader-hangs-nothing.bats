#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The guard of a minute only ends what hangs: memwatch itself waits two seconds for a reader.
load helper

@test "-o: said before the command starts" {
	mkfifo rows
	run --separate-stderr timeout -s KILL 60 "$MEMWATCH" -q -o rows -- touch ran
	[ "$status" -eq 125 ]
	says "memwatch: --output: cannot write 'rows': a FIFO that nobody reads"
	[ ! -e ran ]
}

@test "-o, attached: said" {
	mkfifo rows
	start sleep 100
	run --separate-stderr timeout -s KILL 60 "$MEMWATCH" -q -o rows --pid "$pid"
	[ "$status" -eq 125 ]
	says "memwatch: --output: cannot write 'rows': a FIFO that nobody reads"
}

@test "-r: said at the end, and the command's status is kept" {
	mkfifo end.txt
	run --separate-stderr timeout -s KILL 60 "$MEMWATCH" -q -r end.txt -- sh -c 'echo ran; exit 4'
	[ "$status" -eq 4 ]
	[ "$output" = ran ]
	[ "$stderr" = "memwatch: --report: cannot write 'end.txt': a FIFO that nobody reads" ]
}

@test "-r, attached or of memwatch report: status 125" {
	mkfifo end.txt
	start sleep 100
	run --separate-stderr timeout -s KILL 60 "$MEMWATCH" -q -i 10ms --duration 100ms -o run.csv -r end.txt --pid "$pid"
	[ "$status" -eq 125 ]
	says "memwatch: --report: cannot write 'end.txt': a FIFO that nobody reads"
	run --separate-stderr timeout -s KILL 60 "$MEMWATCH" report -r end.txt run.csv
	[ "$status" -eq 125 ]
	says "memwatch: --report: cannot write 'end.txt': a FIFO that nobody reads"
}

@test "a reader that comes a little later gets everything" {
	mkfifo rows end.txt
	start "$MEMWATCH" -q -i 5ms -o rows -r end.txt -- sh -c '. "$AWAIT"; await has_rows got.csv 3; touch over'
	watcher=$pid
	await slept "$watcher" 5 # it looks for a reader time and again
	start cat rows >got.csv
	reader=$pid
	await test -e over
	cat end.txt >got.txt
	wait "$watcher" "$reader"
	csv_is_whole got.csv
	grep -q '^host: ' got.txt
}
