#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
load helper

@test "command, end, duration, processes, rss, samples and own cost" {
	PACE=run.csv run --separate-stderr "$MEMWATCH" -i 10ms -o run.csv -- "$WORKLOAD/children" 2 4 100
	[ "$status" -eq 0 ]
	[[ "$stderr" =~ "memwatch: $WORKLOAD/children 2 4 100 (pid "[0-9]+"): exit status 0 after "[0-9.]+" "m?s", 5 processes" ]]
	[[ "$stderr" =~ "RSS: first "[0-9.]+" "[KM]iB", peak "[0-9.]+" MiB at "([0-9.:]+)( s)?", last "[0-9.]+" MiB" ]]
	[[ "$(awk -F, 'NR > 1 && $5 > m { m = $5; at = $1 } END { if (at < 10) print at; else printf "%d:%02d", at / 60, at % 60 }' run.csv)" == "${BASH_REMATCH[1]}"* ]]
	[[ "$stderr" =~ [0-9]+" samples, one every 10 ms, "[0-9]+" missed" ]]
	[[ "$stderr" =~ "memwatch itself: "[0-9.]+" s CPU ("[0-9.]+" % of a core), "[0-9.]+" MiB" ]]
}

@test "several processes are all named, the first four of many" {
	local pids=()
	for n in 1 2 3 4 5 6; do
		start sleep "10$n"
		await grep -qz "^10$n" "/proc/$pid/cmdline"
		pids+=("$pid")
	done
	set -- "${pids[@]}"
	run --separate-stderr "$MEMWATCH" -o run.csv --duration 50ms -p "$1" -p "$2" -p "$1"
	[[ "$stderr" == *"memwatch: sleep 101 (pid $1), sleep 102 (pid $2): still running after "*", 2 processes"* ]]
	[[ "$stderr" == "memwatch: --pid: $1 is given twice, and watched once"* ]]
	run --separate-stderr "$MEMWATCH" -o run.csv --duration 50ms "${pids[@]/#/-p}"
	[[ "$stderr" == *"memwatch: sleep 101 (pid $1), sleep 102 (pid $2), sleep 103 (pid $3), sleep 104 (pid $4) and 2 more: still"* ]]
}

@test "what the shell started beside it is no process of the run" {
	bash -c '"$0" -- sleep 0.1 2>words > >(cat)' "$MEMWATCH"
	grep -q ', 1 process$' words
	# Nor is what comes to memwatch when such a helper ends before it.
	bash -c '"$0" -i 10ms -o run.csv -- sleep 0.5 2>words > >(sleep 1 3>&- 4>&- & sleep 0.2)' "$MEMWATCH"
	grep -q ', 1 process$' words
	run ! grep -q 'not ended with it' words
}

@test "the first sample finds the program there, not the moment before" {
	for n in {1..20}; do
		"$MEMWATCH" -q -i 1h -o run.csv -- sleep 0.05
		awk -F, 'NR > 1 && $7 == 0 { print; exit 1 }' run.csv
	done
}

@test "death by signal is named" {
	run "$MEMWATCH" -- sh -c 'sleep 0.05; kill -KILL $$'
	[[ "$output" == *"killed by SIGKILL after"* ]]
}

@test "one process, one sample: the words agree in number" {
	run --separate-stderr "$MEMWATCH" -i 1h -- sleep 0.05
	[[ "$stderr" == *", 1 process"* ]]
	[[ "$stderr" != *"1 processes"* ]]
	[[ "$stderr" != *" 1 samples"* ]]
	[[ "$stderr" != *"e+"* ]]
}

@test "-q is silent" {
	run --separate-stderr "$MEMWATCH" -q -- sleep 0.05
	[ -z "$stderr" ]
	[ -z "$output" ]
}

@test "words go to standard error only" {
	run --separate-stderr "$MEMWATCH" -- true
	[ -z "$output" ]
	[ -n "$stderr" ]
}

@test "control bytes of a command line do not reach the terminal" {
	run --separate-stderr "$MEMWATCH" -- sh -c 'true' $'\e[31mred\a'
	[[ "$stderr" != *$'\e'* ]]
	[[ "$stderr" != *$'\a'* ]]
}

@test "control bytes of names do not reach the terminal, and a message is one line" {
	run --separate-stderr "$MEMWATCH" report $'leak\e[31m.csv'
	says "memwatch: leak?[31m.csv: No such file or directory"
	run --separate-stderr "$MEMWATCH" -p $'1\n2'
	says "memwatch: --pid: '1?2' is not a process number"
	run --separate-stderr "$MEMWATCH" -o $'no/\t.csv' --color always -- true
	says "memwatch: --output: cannot write 'no/?.csv': No such file or directory"
	run -127 --separate-stderr "$MEMWATCH" -- $'no\r\177such'
	says "memwatch: cannot run 'no??such': No such file or directory"
}

@test "colours only where they are wanted" {
	run "$MEMWATCH" --color always -- true
	[[ "$output" == *$'\e['* ]]
	run "$MEMWATCH" --color never -- true
	[[ "$output" != *$'\e['* ]]
	run "$MEMWATCH" -- true
	[[ "$output" != *$'\e['* ]]
}

@test "the peak is the peak of the rows" {
	PACE=run.csv "$MEMWATCH" -i 5ms -o run.csv -- "$WORKLOAD/sawtooth" 3 64 100 2>words >/dev/null
	peak=$(awk -F, 'NR > 1 && $5 > m { m = $5 } END { printf "%.1f MiB", m / 1048576 }' run.csv)
	grep -qF "peak $peak" words
}

@test "watching that ended before the command did is told, with the option that ended it" {
	run --separate-stderr "$MEMWATCH" -i 10ms --duration 100ms -o run.csv -- sh -c "$AWAIT_ROWS; sleep 0.4" run.csv 1
	[ "$status" -eq 0 ]
	grep -qE '^  watched for [0-9.]+ m?s of [0-9.]+ m?s only: --duration$' <<<"$stderr"
	PACE=run.csv run --separate-stderr "$MEMWATCH" -i 20ms --until-verdict --limit 100M --on-growth 'touch grows' -o run.csv -e log:out -- \
		sh -c '. "$AWAIT"; "$0" 200 1 100 >out & await test -e grows; sleep 0.1; kill $!' "$WORKLOAD/leak"
	grep -qE '^  watched for [0-9.]+ m?s of [0-9.]+ m?s only: --until-verdict$' <<<"$stderr"
}

@test "processes that outlive the command are told, and left alone" {
	run --separate-stderr "$MEMWATCH" -i 10ms -r run.txt -- sh -c 'sleep 60 >/dev/null 2>&1 & echo $! >pid; sleep 0.1'
	[ "$status" -eq 0 ]
	started+=("$(cat pid)")
	kill -0 "$(cat pid)"
	grep -qx '  1 process it started has not ended with it' <<<"$stderr"
	grep -qx '  1 process it started has not ended with it' run.txt
	run --separate-stderr "$MEMWATCH" -i 10ms -- sh -c 'sleep 0.1 & wait'
	[[ "$stderr" != *"it started"* ]]
}

@test "nothing is told where all of it was watched, or where the watching ends the run of memwatch" {
	run --separate-stderr "$MEMWATCH" -i 10ms --duration 1m -- sleep 0.1
	[[ "$stderr" != *"watched for"* ]]
	start sleep 60
	run --separate-stderr "$MEMWATCH" -i 10ms --duration 50ms -o run.csv --pid "$pid"
	[[ "$stderr" == *"still running after"* ]]
	[[ "$stderr" != *"watched for"* ]]
}

@test "where what is judged is clearly less than RSS, half a sentence says why" {
	head -c 60M /dev/zero >data
	run --separate-stderr "$MEMWATCH" -i 20ms -- python3 -c 'import mmap, time
f = open("data", "rb"); m = mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ)
sum(m[i] for i in range(0, len(m), 4096)); time.sleep(0.3)'
	[ "$status" -eq 0 ]
	grep -qE '^  RSS: first .*, last [0-9.]+ MiB; judged: [0-9.]+ MiB of the peak, without mapped files$' <<<"$stderr"
	run --separate-stderr "$MEMWATCH" -i 20ms -- "$WORKLOAD/leak" 3 40 50
	[[ "$stderr" == *"RSS: first"* && "$stderr" != *"judged:"* ]]
}
