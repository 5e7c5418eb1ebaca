#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What holds for -o (a-file-that-is-no-csv-is-kept.bats) holds for -r.
load helper

refusal()
{
	echo "memwatch: --report: '$1' holds something that is not a memwatch report (--force overwrites it)"
}

# watched OPTION...: a command that lives until there are samples, rows in run.csv
watched()
{
	"$MEMWATCH" -q -i 10ms -o run.csv "$@" -- sh -c "$AWAIT_ROWS" run.csv 3
}

@test "a file that holds something else is not overwritten, and the command does not run" {
	local file
	for file in notes.txt model.json; do
		echo '{"my": "thesis"}' >"$file"
		run --separate-stderr "$MEMWATCH" -r new.txt -r "$file" -- touch ran
		[ "$status" -eq 125 ]
		says "$(refusal "$file")"
		[ "$(cat "$file")" = '{"my": "thesis"}' ]
		[ ! -e ran ]
		[ ! -e new.txt ]
	done
}

@test "nor when attaching, nor by memwatch report" {
	echo "epochs: 30" >conf.txt
	start sleep 60
	run --separate-stderr "$MEMWATCH" -o run.csv -r conf.txt --duration 50ms --pid "$pid"
	[ "$status" -eq 125 ]
	says "$(refusal conf.txt)"
	watched
	run --separate-stderr "$MEMWATCH" report -r conf.txt run.csv
	[ "$status" -eq 125 ]
	says "$(refusal conf.txt)"
	[ "$(cat conf.txt)" = "epochs: 30" ]
}

@test "nor when the command writes it meanwhile" {
	run --separate-stderr "$MEMWATCH" -q -r notes.txt -- sh -c 'echo mine >notes.txt'
	says "$(refusal notes.txt)"
	[ "$(cat notes.txt)" = mine ]
}

@test "the report of another form is something else" {
	watched -r run.json
	mv run.json run.txt
	run "$MEMWATCH" -q -r run.txt -- true
	[ "$status" -eq 125 ]
	head -c 1 run.txt | grep -q '{'
}

@test "--force overwrites it" {
	echo "my thesis" >notes.txt
	watched --force -r notes.txt
	grep -q '^host: ' notes.txt
	watched
	echo "my thesis" >notes.txt
	"$MEMWATCH" report --force -r notes.txt run.csv
	grep -q '^host: ' notes.txt
}

@test "an earlier report is replaced, whoever wrote it, and an empty file is used" {
	watched
	: >report.txt
	watched -r report.txt -r report.json
	"$MEMWATCH" report -r report.txt -r report.json run.csv
	grep -q '^run.csv: ' report.txt
	watched -r report.txt -r report.json
	run ! grep -q '^run.csv: ' report.txt
	grep -q '"command":"sh -c ' report.json
}

@test "a text begins with what was watched and how it ended, and is known again when there was no sample" {
	"$MEMWATCH" -q -i 10ms -o run.csv -r run.txt -r - -- sh -c '. "$AWAIT"; await has_rows run.csv 3; exit 7' >out || [ "$?" -eq 7 ]
	grep -qE '^sh -c .* exit 7 \(pid [0-9]+\): [0-9.]+ m?s, [0-9]+ samples; exit status 7$' <(head -n 1 run.txt)
	cmp out run.txt
	start sleep 60
	target=$pid
	start env --default-signal=INT "$MEMWATCH" -q -i 10ms -r run.txt -o attached.csv --pid "$target"
	await has_rows attached.csv 3
	kill -INT "$pid"
	wait "$pid"
	grep -qE "^sleep 60 \(pid $target\): [0-9.]+ m?s, [0-9]+ samples; still running\$" <(head -n 1 run.txt)
	echo 'true (pid 7): 0 ms, 0 samples; exit status 0
no samples: it ended too soon' >none.txt
	"$MEMWATCH" -q -i 10ms -o run.csv -r none.txt -- sh -c "$AWAIT_ROWS" run.csv 3
	grep -q '^sh -c ' none.txt
	"$MEMWATCH" -q -r none.txt -- true
	[ "$(wc -l <none.txt)" -ge 2 ]
	"$MEMWATCH" -q -r none.txt -- true
}

@test "what is no regular file is written to" {
	ln -s /dev/null null.txt
	watched -r null.txt
	mkfifo pipe.json
	start cat pipe.json >copy
	watched -r pipe.json
	wait "$pid"
	grep -q '^{"memwatch":' copy
}

@test "a report of a GPU alone is known again" {
	{ echo elapsed_s,epoch,gpu0_bytes; for i in $(seq 0 30); do echo "$i,$((i / 3)),500000000"; done; } >gpu.csv
	"$MEMWATCH" report -r gpu.txt gpu.csv
	"$MEMWATCH" report -r gpu.txt gpu.csv
}

@test "a directory of that name is told before the command runs" {
	mkdir run.txt
	run --separate-stderr "$MEMWATCH" -r run.txt -- touch ran
	[ "$status" -eq 125 ]
	says "memwatch: --report: cannot write 'run.txt': Is a directory"
	[ ! -e ran ]
}
