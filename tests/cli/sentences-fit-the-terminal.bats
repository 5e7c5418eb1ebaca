#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# On a terminal lines are broken at words, elsewhere they are whole.
load helper

setup_file()
{
	cd "$BATS_FILE_TMPDIR" || return 1
	leak_csv >leak.csv
}

on_terminal()
{
	"$BATS_TEST_DIRNAME/on-terminal" "$@" | tr -d '\r' >screen
}

# No line wider than this, and with its breaks undone the text is the other.
same_within()
{
	[ "$(LC_ALL=C.UTF-8 wc -L <screen)" -le "$1" ]
	[ "$(wc -l <screen)" -gt "$(wc -l <whole)" ]
	diff <(tr -s ' \n' '\n' <screen) <(tr -s ' \n' '\n' <whole)
}

@test "memwatch report, in 80 and in 40 columns" {
	cd "$BATS_FILE_TMPDIR"
	"$MEMWATCH" report leak.csv >whole
	grep -q '^host: growth\..*since epoch' whole
	on_terminal 80 "$MEMWATCH" report --symbols none leak.csv
	same_within 80
	on_terminal 40 "$MEMWATCH" report --symbols none -r - leak.csv
	same_within 40
}

@test "less than 40 columns are left to the terminal" {
	cd "$BATS_FILE_TMPDIR"
	"$MEMWATCH" report leak.csv >whole
	on_terminal 39 "$MEMWATCH" report --symbols none leak.csv
	diff screen whole
}

@test "the words at the end of a run, with and without a relay" {
	local how
	for how in auto none; do
		on_terminal 60 "$MEMWATCH" --color never -i 20ms -e "$how" -o "$how.csv" -- sh -c "$AWAIT_ROWS" "$how.csv" 5
		[ "$(LC_ALL=C.UTF-8 wc -L <screen)" -le 60 ]
		grep -q '^  [0-9]* samples, one every 20 ms' screen
		grep -q '^    [a-z0-9]' screen
	done
}

@test "a file gets whole lines, whatever the terminal is" {
	on_terminal 40 sh -c "'$MEMWATCH' -i 20ms -o run.csv -r run.txt -- sh -c '$AWAIT_ROWS' run.csv 5 2>words"
	grep -q '^  [0-9]* samples, one every 20 ms, .* missed; memwatch itself: .*iB$' words
	grep -q '^epochs: none found; equal windows of time serve instead$' run.txt
}
