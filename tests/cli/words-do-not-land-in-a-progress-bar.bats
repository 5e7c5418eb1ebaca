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

# A bar that is drawn anew in one line, as tqdm does, while 4 MiB more are kept in each epoch.
leak_below_a_bar()
{
	PACE=run.csv on_terminal env TERM=xterm "$MEMWATCH" -i 20ms -o run.csv --symbols none "$@" -- sh -c "'$WORKLOAD/leak' 30 4 100 | python3 -uc '
import sys
for line in sys.stdin:
    print(end=chr(13) + line.rstrip() + \" |####     |\")'"
}

@test "growth that does not fit stands out: an empty line above it, its head in red, all of it bold" {
	leak_below_a_bar --limit 140M --color always
	grep -q $'^memwatch: \033\\[1;31mhost: growth\\.\033\\[0m\033\\[1m +4\\.00 MiB per epoch ' screen
	grep -q $'it does not fit\\.\033\\[0m$' screen
	[ "$(grep -c '^$' screen)" -ge 1 ]
	[ "$(grep -c '^$' screen)" -eq "$(grep -c $'^memwatch: \033\\[1;31mhost' screen)" ]
	[ "$(grep -A 1 '^$' screen | grep -c $'^memwatch: \033\\[1;31mhost')" -eq "$(grep -c '^$' screen)" ]
	[ "$(grep -c '.memwatch: ' screen)" -eq 1 ] # the bold head of the summary
}

@test "growth that fits is one calm line, with no colour and no room of its own" {
	leak_below_a_bar --limit 8G --color always
	grep -qE '^memwatch: host: growth\. \+4\.[0-9]+ MiB per epoch, .* at the planned end \(epoch 30\): a leak unless it is meant, but it fits until then\.$' screen
	[ "$(grep -c '^$' screen)" -eq 0 ]
}

@test "nothing is put in where standard error is no terminal" {
	"$BATS_TEST_DIRNAME/on-terminal" 200 sh -c "'$MEMWATCH' --color never -- printf half 2>words"
	[[ "$(sed -n 1p words)" == "memwatch: printf"* ]]
}
