#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
load helper

@test "two runs into one CSV: the second is refused, and the first stays whole" {
	start "$MEMWATCH" -q -i 5ms -o run.csv -- sh -c 'while [ ! -e go ]; do sleep 0.01; done'
	first=$pid
	await has_rows run.csv 3
	ln -s run.csv other.csv
	for name in run.csv ./run.csv other.csv; do
		run --separate-stderr "$MEMWATCH" -q -i 5ms -o "$name" -- touch ran
		[ "$status" -eq 125 ]
		says "memwatch: --output: another memwatch writes to '$name' (%r or %p in the name gives each its own)"
	done
	start sleep 100
	run --separate-stderr "$MEMWATCH" -q --duration 100ms -o run.csv --force --pid "$pid"
	[ "$status" -eq 125 ]
	[ ! -e ran ]
	touch go
	wait "$first"
	csv_is_whole run.csv
}

@test "what a killed run has left can be written to at once, while its command still runs" {
	start "$MEMWATCH" -q -i 5ms -o run.csv -- sh -c 'echo $$ >child; exec sleep 100'
	await has_rows run.csv 3
	kill -KILL "$pid"
	await gone "$pid"
	kill -0 "$(cat child)"
	"$MEMWATCH" -q -i 5ms -o run.csv -- sleep 0.1
	kill "$(cat child)"
	csv_is_whole run.csv
}

@test "rows and report in one file, by whatever name: refused before the command runs" {
	mkdir sub
	: >there.txt
	ln there.txt hard.csv
	ln -s there.txt soft.csv
	ln -s new.txt dangling.csv
	local rows report
	while read -r rows report; do
		run --separate-stderr "$MEMWATCH" -q -o "$rows" -r first.json -r "$report" -- touch ran
		[ "$status" -eq 125 ]
		says "memwatch: --report: '$report' is the file that the samples go to"
		[ ! -e ran ]
	done <<-END
		same.txt same.txt
		sub/../spelled.txt ./spelled.txt
		hard.csv there.txt
		soft.csv there.txt
		dangling.csv new.txt
	END
	start sleep 100
	run --separate-stderr sh -c '"$@" >out.txt' sh "$MEMWATCH" -q --duration 100ms -r out.txt --pid "$pid"
	[ "$status" -eq 125 ]
	[ "$stderr" = "memwatch: --report: 'out.txt' is the file that the samples go to" ]
}

@test "ranks with names of their own do not meet" {
	for rank in 0 1; do
		start env RANK=$rank "$MEMWATCH" -q -i 5ms -o run-%r.csv -- sleep 0.2
	done
	wait "${started[@]}"
	csv_is_whole run-0.csv
	csv_is_whole run-1.csv
}
