#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The curve stands above its sentence on a terminal, in what that can show; elsewhere only where it was asked for.
load helper

setup_file()
{
	cd "$BATS_FILE_TMPDIR" || return 1
	leak_csv >leak.csv
}

setup()
{
	cd "$BATS_FILE_TMPDIR" || return 1
	unset LC_ALL LC_CTYPE
	export LANG=C.UTF-8 TERM=xterm-256color
}

on_terminal()
{
	"$BATS_TEST_DIRNAME/on-terminal" "$@" | tr -d '\r' >screen
}

# The chart is drawn in these characters, of which the pattern names one.
drawn_in()
{
	grep -q ' host  .*memory .*growth' screen
	grep -q "$1" screen
}

no_chart()
{
	grep -q '^host: growth' "${1:-screen}"
	[ "$(grep -c 'iB [+┤]' "${1:-screen}")" -eq 0 ]
}

# Ten rows directly above the sentence, and nothing wider than this.
stands_above_its_sentence()
{
	[ "$(LC_ALL=C.UTF-8 wc -L <screen)" -le "$1" ]
	awk '/ host  .*memory/ { began = NR } /^host: growth/ && began { told = NR } END { exit told - began != 10 }' screen
}

@test "report: in braille, as wide as the terminal up to 100 columns" {
	local columns
	for columns in 30 40 80 200; do
		on_terminal "$columns" "$MEMWATCH" report --color never leak.csv
		drawn_in '[⣀⠤⠒⠉]'
		[ "$columns" -lt 40 ] || stands_above_its_sentence "$columns"
	done
	[ "$(grep -m 1 -A 9 ' host ' screen | LC_ALL=C.UTF-8 wc -L)" -le 99 ]
	on_terminal 29 "$MEMWATCH" report leak.csv
	no_chart
}

@test "no braille where locale or terminal has none" {
	local case
	for case in TERM=linux TERM=dumb TERM= LANG=C LANG=de_DE.ISO-8859-1 LC_ALL=C; do
		on_terminal 80 env "$case" "$MEMWATCH" report --color never leak.csv
		drawn_in 'iB +.*[-_.]'
		[ "$(grep -v '±' screen | LC_ALL=C grep -c '[^ -~]')" -eq 0 ]
	done
	on_terminal 80 env TERM=linux "$MEMWATCH" report --symbols block leak.csv
	drawn_in █
}

@test "colours follow --color and NO_COLOR" {
	on_terminal 80 "$MEMWATCH" report leak.csv
	grep -q $'\033\[36m' screen
	on_terminal 80 env NO_COLOR=1 "$MEMWATCH" report leak.csv
	[ "$(grep -c $'\033' screen)" -eq 0 ]
	on_terminal 80 env TERM=dumb "$MEMWATCH" report leak.csv
	[ "$(grep -c $'\033' screen)" -eq 0 ]
	"$MEMWATCH" report --symbols ascii --color always leak.csv >file
	grep -q $'\033\[36m' file
}

@test "no chart in a file or a pipe unless asked for, none in JSON, none with none" {
	"$MEMWATCH" report leak.csv >file
	no_chart file
	"$MEMWATCH" report leak.csv -r run.txt
	no_chart run.txt
	"$MEMWATCH" report --symbols ascii leak.csv >file
	grep -q ' host  .*memory' file
	[ "$(LC_ALL=C grep -c $'\033' file)" -eq 0 ]
	on_terminal 80 "$MEMWATCH" report --symbols none leak.csv
	no_chart
	on_terminal 80 "$MEMWATCH" report --json leak.csv
	[ "$(grep -c memory screen)" -eq 0 ]
	on_terminal 80 "$MEMWATCH" report leak.csv leak.csv
	[ "$(grep -c ' host  ' screen)" -eq 0 ]
}

@test "at the end of a run: on standard error if that is a terminal" {
	PACE=run.csv on_terminal 80 "$MEMWATCH" --color never -i 20ms -o run.csv -- "$WORKLOAD/leak" 12 4 100
	drawn_in '[⣀⠤⠒⠉]'
	stands_above_its_sentence 80
	PACE=quiet.csv on_terminal 80 "$MEMWATCH" -q -i 20ms -o quiet.csv -- "$WORKLOAD/leak" 12 4 100
	[ "$(grep -c 'memory' screen)" -eq 0 ]
	PACE=words.csv on_terminal 80 sh -c "'$MEMWATCH' -i 20ms -o words.csv -- '$WORKLOAD/leak' 12 4 100 2>words"
	no_chart words
}

@test "a run too short for a curve has none" {
	on_terminal 80 "$MEMWATCH" --color never -- true
	[ "$(grep -c 'memory ' screen)" -eq 0 ]
	grep -q '^memwatch: true' screen
}
