#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# On a terminal that the command draws on too, memwatch's lines begin at the start of a line.
load helper

on_terminal()
{
	"$BATS_TEST_DIRNAME/on-terminal" 200 "$@" | tr -d '\r' >screen
}

@test "after half a line a new one is begun, after a whole one nothing is put in" {
	on_terminal "$MEMWATCH" --color never -- printf 'half a line'
	[ "$(sed -n 1p screen)" = "half a line" ]
	[[ "$(sed -n 2p screen)" == "memwatch: printf"* ]]
	on_terminal "$MEMWATCH" --color never -- printf 'a whole line\n'
	[ "$(sed -n 1p screen)" = "a whole line" ]
	[[ "$(sed -n 2p screen)" == "memwatch: printf"* ]]
	on_terminal "$MEMWATCH" --color never -- true
	[[ "$(sed -n 1p screen)" == "memwatch: true"* ]]
}

@test "growth is said below the bar, which goes on below it" {
	PACE=run.csv on_terminal "$MEMWATCH" -i 20ms --color never -o run.csv -- sh -c "'$WORKLOAD/leak' 30 4 100 | python3 -uc '
import sys
for line in sys.stdin:
    print(end=chr(13) + line.rstrip() + \" |####     |\")'"
	grep -q '^memwatch: host: growth\.' screen
	[ "$(grep -c '.memwatch: host' screen)" -eq 0 ]
	[ "$(grep -c '^$' screen)" -eq 0 ]
}

@test "nothing is put in where standard error is no terminal" {
	"$BATS_TEST_DIRNAME/on-terminal" 200 sh -c "'$MEMWATCH' --color never -- printf half 2>words"
	[[ "$(sed -n 1p words)" == "memwatch: printf"* ]]
}
