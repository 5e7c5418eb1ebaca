#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The rows of options are the one source: help prints them, the completions hold what "make completions" writes from
# them, and the manual must describe each of them and no other.
load helper

rows_of_help() {
	"$MEMWATCH" --help | sed -nE 's/^  (-(.), |    )--([a-z-]+)( ([A-Z]\S*))?  .*/\2 \3 \5/p' | sort
}

rows_of_manual() {
	sed -nE 's/^\.It (Fl ([A-Za-z]) (Ar (\S+) )?, )?Fl -([a-z-]+)( Ar (\S+))?$/\2 \5 \7/p' "$ROOT/man/memwatch.1" | sort
}

@test "the manual describes the options of the help, with the same values" {
	[ "$(rows_of_help | wc -l)" -ge 10 ]
	diff <(rows_of_help) <(rows_of_manual)
}

@test "the completions hold what the rows of options say: make completions" {
	local pair
	for pair in bash:memwatch.bash zsh:_memwatch fish:memwatch.fish; do
		diff <("$ROOT/${BUILD:-build}/rows" "${pair%%:*}") \
			<(sed -n '/^# <rows>/,/^# <\/rows>/{//!p}' "$ROOT/completions/${pair#*:}")
	done
}

@test "every command of the help has its place in the manual" {
	local command
	for command in $("$MEMWATCH" --help | sed -nE 's/^  memwatch ([a-z]+) .*/\1/p'); do
		grep -qx "\.Cm $command" "$ROOT/man/memwatch.1"
	done
}

# Those of the GPUs have no names of their own: theirs stands where they begin.
@test "the manual tells of every column, in the order of the file" {
	"$MEMWATCH" -q --gpu none -o rows.csv -- true
	diff <(head -n 1 rows.csv | tr , '\n') <(sed -nE 's/^\.It ([a-z_]+)$/\1/p' "$ROOT/man/memwatch.5")
	[ "$(head -n 1 rows.csv)" = "$HEADER" ]
}

@test "the manuals pass mandoc's lint" {
	command -v mandoc >/dev/null || skip "mandoc is not installed"
	for page in "$ROOT"/man/*.[15]; do
		mandoc -T lint -W warning "$page"
	done
}

@test "--version is one line with the version" {
	run --separate-stderr "$MEMWATCH" --version
	[ "$status" -eq 0 ]
	[[ "$output" =~ ^memwatch\ [0-9]+\.[0-9]+\.[0-9]+[^\ ]*$ ]]
}

@test "help goes to standard output, fits 100 columns, status 0" {
	run --separate-stderr "$MEMWATCH" --help
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	[ "$(wc -L <<<"$output")" -le 100 ]
}
