#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
load helper

@test "a full device: one message, the command's status is kept" {
	"$MEMWATCH" -q -i 10ms -o /dev/full -- \
		sh -c '. "$AWAIT"; await grep -q "No space left" words; await_ticks 10; echo done; exit 5' >got 2>words || status=$?
	[ "$status" -eq 5 ]
	[ "$(cat got)" = "done" ]
	[ "$(grep -c "cannot write '/dev/full': No space left on device" words)" -eq 1 ]
	[ "$(grep -cE "rows? could not be written" words)" -eq 1 ]
	[ "$(wc -l <words)" -eq 2 ]
}

@test "a full disk keeps whole rows, and rows go on when there is room again" {
	mkdir disk
	mount -t tmpfs -o size=16k none disk 2>/dev/null || skip "needs the right to mount a small disk"
	dd if=/dev/zero of=disk/ballast bs=1k count=12 2>/dev/null
	start "$MEMWATCH" -i 1ms -o disk/run.csv -- sh -c "while [ ! -e go ]; do sleep 0.01; done; exit 6" 2>words
	await grep -q "No space left" words
	rm disk/ballast
	full=$(stat -c %s disk/run.csv)
	grown() { [ "$(stat -c %s disk/run.csv)" -gt "$full" ]; }
	await grown
	touch go
	status=0
	wait "$pid" || status=$?
	csv_is_whole disk/run.csv || bad=1
	umount disk
	[ -z "${bad:-}" ]
	[ "$status" -eq 6 ]
	[ "$(grep -c "No space left" words)" -eq 1 ]
}

@test "a full disk leaves no half of a report behind" {
	mkdir disk
	mount -t tmpfs -o size=8k none disk 2>/dev/null || skip "needs the right to mount a small disk"
	"$ROOT/tests/pictures/made.py" growth >run.csv
	ln -s disk/linked.html linked.html
	status=0
	"$MEMWATCH" report -r disk/run.html -r linked.html run.csv 2>words || status=$?
	ls disk >left
	size=$(stat -c %s disk/linked.html)
	umount disk
	[ "$status" -eq 125 ]
	[ "$(cat left)" = linked.html ]
	[ "$size" -eq 0 ]
	[ "$(grep -c "cannot write 'disk/run.html': No space left on device" words)" -eq 1 ]
}

@test "a closed pipe ends the CSV quietly, the command runs to its end" {
	"$MEMWATCH" -i 5ms -q -o - -- \
		sh -c '. "$AWAIT"; await has_rows got 1; await_ticks 10; touch finished; exit 8' 2>words | head -n 2 >got
	[ "${PIPESTATUS[0]}" -eq 8 ]
	[ -e finished ]
	[ ! -s words ]
	[ "$(wc -l <got)" -eq 2 ]
}

@test "a closed pipe ends attaching, quietly with -q, and not what is watched" {
	start sleep 100
	timeout -s KILL 60 "$MEMWATCH" -q -i 5ms --pid "$pid" 2>words | head -n 1 >got
	[ "${PIPESTATUS[0]}" -eq 0 ]
	[ "$(cut -d, -f1 got)" = elapsed_s ]
	[ ! -s words ]
	kill -0 "$pid"
	timeout -s KILL 60 "$MEMWATCH" -i 5ms --pid "$pid" 2>words | head -n 1 >got
	[ "$(grep -c "^memwatch: nobody reads the samples any more: watching ends$" words)" -eq 1 ]
}

@test "a closed pipe does not end attaching when more than rows was asked for" {
	start sh -c '. "$AWAIT"; await grep -q "watching goes on" words'
	timeout -s KILL 60 "$MEMWATCH" -i 5ms -r end.txt --pid "$pid" 2>words | head -n 1 >got
	[ "${PIPESTATUS[0]}" -eq 0 ]
	[ "$(grep -c "^memwatch: nobody reads the samples any more; watching goes on$" words)" -eq 1 ]
	grep -q ": ended after" words
	grep -q '^host: ' end.txt
}

# With a full pipe it waits for room already with the first row, before any tick.
asleep()
{
	grep -q '^State:.S' "/proc/$1/status"
}

# A pipe that nobody reads from: this shell holds its other end.
full_pipe()
{
	mkfifo pipe
	exec 9<>pipe
	head -c 65536 /dev/zero >&9
}

@test "a full pipe: signals end attaching all the same" {
	full_pipe
	start sleep 100
	start env --default-signal=INT "$MEMWATCH" -q -i 5ms -o pipe --pid "$pid" 9>&-
	await grep -q '^SigBlk:.*[2367abef]$' "/proc/$pid/status" # SIGINT is 0x2: it waits for signals by now
	await asleep "$pid"
	kill -INT "$pid"
	status=0
	await gone "$pid"
	wait "$pid" || status=$?
	[ "$status" -eq 0 ]
}

@test "a full pipe: the command still gets signals, and a second one ends the waiting" {
	full_pipe
	start env --default-signal=TERM "$MEMWATCH" -q -i 5ms -o pipe -- \
		sh -c 'trap "echo got; exit 9" TERM; echo $$ >up; while :; do sleep 0.01; done' 9>&- >got
	await test -s up
	await asleep "$pid"
	kill -TERM "$pid"
	await grep -q got got
	await test ! -e "/proc/$(cat up)" # its end was taken note of
	kill -TERM "$pid"
	status=0
	await gone "$pid"
	wait "$pid" || status=$?
	[ "$status" -eq 9 ]
}

@test "attached: rows that could not be written are status 125" {
	start sleep 100
	run --separate-stderr "$MEMWATCH" -q -i 10ms --duration 100ms -o /dev/full --pid "$pid"
	[ "$status" -eq 125 ]
	[ "$(wc -l <<<"$stderr")" -eq 2 ]
	run --separate-stderr sh -c '"$@" >/dev/full' sh "$MEMWATCH" -q -i 10ms --duration 100ms --pid "$pid"
	[ "$status" -eq 125 ]
	[ "$(wc -l <<<"$stderr")" -eq 2 ]
}

@test "a row that is lost does not hide what --fail-on finds" {
	run --separate-stderr "$MEMWATCH" -q -i 10ms -o /dev/full -r no.json --fail-on growth -- \
		sh -c "mkdir no.json; PACE=parent exec '$WORKLOAD/leak' 20 4 80"
	[ "$status" -eq 3 ]
}

@test "a reader of a named pipe that leaves does not stop the command" {
	mkfifo pipe
	start head -n 2 pipe >got
	run --separate-stderr "$MEMWATCH" -q -i 5ms -o pipe -- sh -c '. "$AWAIT"; await has_rows got 1; await_ticks 10; exit 3'
	[ "$status" -eq 3 ]
	[ -z "$stderr" ]
	[ "$(wc -l <got)" -eq 2 ]
}

@test "a file size limit on the command's account costs rows, not the command" {
	prlimit --fsize=2048 "$MEMWATCH" -q -i 1ms -o run.csv -- \
		sh -c '. "$AWAIT"; await grep -q "File too large" words; await_ticks 10; exit 2' 2>words || status=$?
	[ "$status" -eq 2 ]
	[ "$(grep -c "File too large" words)" -eq 1 ]
	csv_is_whole run.csv
}

@test "closed standard error: the words are lost, nothing else" {
	"$MEMWATCH" -o run.csv -- sh -c 'echo ok' 2>&- >got
	[ "$(cat got)" = ok ]
	csv_is_whole run.csv
}

@test "closed standard output with -o -: said, and the command does not run" {
	status=0
	"$MEMWATCH" -o - -- touch ran 2>words >&- || status=$?
	[ "$status" -eq 125 ]
	grep -q "^memwatch: --output: " words
}

@test "removing the file under way does no harm" {
	start "$MEMWATCH" -q -i 5ms -o run.csv -- sh -c "while [ ! -e go ]; do sleep 0.01; done; exit 4"
	await has_rows run.csv 3
	rm run.csv
	touch go
	status=0
	wait "$pid" || status=$?
	[ "$status" -eq 4 ]
}

@test "closed standard output: what should go there is missed, and nothing else is" {
	"$MEMWATCH" -q -i 10ms -o run.csv -- sh -c "$AWAIT_ROWS" run.csv 3
	local args
	for args in --help --version "report run.csv" "report -r - run.csv" "report --json run.csv" "gpus --json"; do
		# shellcheck disable=SC2086  # several words
		run --separate-stderr sh -c '"$@" >&-' sh "$MEMWATCH" $args
		[ "$status" -eq 125 ]
		says "memwatch: cannot write to standard output: Bad file descriptor"
	done
	run --separate-stderr sh -c '"$@" >&-' sh "$MEMWATCH" report -r end.txt run.csv
	[ "$status" -eq 0 ]
	says ""
	run --separate-stderr sh -c '"$@" >&-' sh "$MEMWATCH" -q -r - -- sh -c 'exit 6'
	[ "$status" -eq 6 ]
	says "memwatch: cannot write to standard output: Bad file descriptor"
	start sleep 100
	run --separate-stderr sh -c '"$@" >&-' sh "$MEMWATCH" -q -i 10ms --duration 50ms -o run.csv --pid "$pid"
	[ "$status" -eq 0 ]
	says ""
}

@test "what does not fit on standard output is said, and a reader that went away is no trouble" {
	"$MEMWATCH" -q -i 10ms -o run.csv -- sh -c "$AWAIT_ROWS" run.csv 3
	local words="memwatch: cannot write to standard output: No space left on device" args
	for args in --help --version "report run.csv" "report -r - run.csv" "report --json run.csv" "gpus --json"; do
		# shellcheck disable=SC2086  # several words
		run --separate-stderr sh -c '"$@" >/dev/full' sh "$MEMWATCH" $args
		[ "$status" -eq 125 ]
		says "$words"
		# shellcheck disable=SC2086
		run --separate-stderr sh -c 'trap "" PIPE; rm -f left; . "$AWAIT"
			{ await test -e left; "$@"; echo $? >status; } | { exec <&-; touch left; }' sh "$MEMWATCH" $args
		says ""
		[ "$(cat status)" -eq 0 ]
	done
	run --separate-stderr sh -c '"$@" >/dev/full' sh "$MEMWATCH" -q -i 10ms -r - -- sleep 0.2
	says "$words"
}
