#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Names of files and programs may hold anything. On a terminal they are shown, not obeyed.
load helper

# Escape, bell, newline; C1 as UTF-8 and bare; a right-to-left override.
EVIL=$'e\e[31m\a\n\xc2\x85\xc2\x9b5m\x9b7m\xe2\x80\xaegpj'
SHOWN='e?[31m??????5m?7m???gpj'

# harmless FILE: as text it holds only lines, and none of these.
harmless()
{
	[ -s "$1" ] &&
		[ "$(LC_ALL=C grep -cP '[\x00-\x09\x0b-\x1f\x7f]' "$1")" -eq 0 ] &&
		[ "$(LC_ALL=C grep -cP '\xc2[\x80-\x9f]|(?<![\xc2-\xf4\x80-\xbf])[\x80-\xbf]|\xe2\x80[\xa8-\xae]' "$1")" -eq 0 ]
}

run_into()
{
	"$MEMWATCH" -q -i 10ms -o "$1" -- sleep 0.1
}

@test "report: the name of its file, alone and among several, and above the table of epochs" {
	run_into "$EVIL.csv"
	run_into other.csv
	"$MEMWATCH" report "$EVIL.csv" >text
	harmless text
	grep -qF "$SHOWN.csv: " text
	"$MEMWATCH" report "$EVIL.csv" other.csv >text
	harmless text
	[ "$(grep -cF "$SHOWN.csv" text)" -ge 1 ]
	"$MEMWATCH" report --epochs-table "$EVIL.csv" >text
	harmless text
	"$MEMWATCH" report --markdown "$EVIL.csv" >text
	harmless text
	"$MEMWATCH" report -r report.txt "$EVIL.csv"
	harmless report.txt
}

@test "compare: the names of its files" {
	run_into "$EVIL.csv"
	run_into other.csv
	for form in --markdown --json -q; do
		"$MEMWATCH" compare "$form" other.csv "$EVIL.csv" >text
		harmless text
	done
	grep -qF "; new: $SHOWN.csv" text
}

@test "report --json holds the name itself, escaped" {
	name=$'e\e\xc2\x9b\xe2\x80\xae.csv'
	run_into "$name"
	run_into other.csv
	"$MEMWATCH" report --json "$name" other.csv >json
	harmless json
	grep -qF 'e\u001b\u009b\u202e.csv' json
}

@test "errors name a file without its effects" {
	run "$MEMWATCH" report "$EVIL"
	[ "$status" -eq 125 ]
	printf '%s\n' "$output" >words
	harmless words
	[ "${#lines[@]}" -eq 1 ]
}

@test "a command line and the name of a program" {
	cp /bin/sleep "$EVIL"
	"$MEMWATCH" -i 10ms -r run.txt -r - -- "./$EVIL" 0.2 >text 2>words
	harmless words
	harmless run.txt
	harmless text
	start "./$EVIL" 100
	"$MEMWATCH" --duration 50ms -o run.csv --pid "$pid" 2>words
	harmless words
}

@test "a log that is not there" {
	"$MEMWATCH" -r - -e "log:$EVIL" -- sleep 0.1 >text 2>words || true
	harmless words
}
