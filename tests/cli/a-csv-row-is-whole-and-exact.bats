#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
load helper

record()
{
	PACE=run.csv "$MEMWATCH" -q -i 10ms -o run.csv -- "$WORKLOAD/leak" 5 4 40 >/dev/null
	has_rows run.csv 5
}

@test "the header is the contract's" {
	record
	[ "$(head -n 1 run.csv | sed 's|,gpu[^,]*||g')" = "$HEADER" ]
}

@test "every row has every cell, numbers only, time rising" {
	"$MEMWATCH" -q -i 10ms -o run.csv -- sh -c "$AWAIT_ROWS" run.csv 10
	csv_is_whole run.csv
	[ "$(rows run.csv)" -ge 10 ]
}

@test "rss is the sum of anon, file and shmem in every row" {
	record
	awk -F, 'NR > 1 && $5 != $6 + $7 + $8 { print; exit 1 }' run.csv
}

@test "available memory and the limit are there, and the limit is not above the machine's memory" {
	record
	total=$(awk '/^MemTotal:/ { printf "%.0f", $2 * 1024 }' /proc/meminfo) # mawk prints large numbers in six digits
	awk -F, -v total="$total" 'NR > 1 && ($12 == "" || $13 == "" || $12 > total || $13 > total) { print; exit 1 }' run.csv
}

@test "pss comes at least once, is not above rss, and held is in every row" {
	record
	awk -F, 'NR > 1 && $10 != "" { n++; if ($10 > $5 + 1048576) exit 1 } NR > 1 && $11 == "" { exit 1 } END { exit n == 0 }' run.csv
}

@test "the leak of four MiB per epoch is there" {
	PACE=run.csv "$MEMWATCH" -q -i 10ms -o run.csv -- "$WORKLOAD/leak" 5 4 100 >/dev/null
	awk -F, 'NR == 2 { first = $5 } NR > 1 && $5 > peak { peak = $5 } END { grown = (peak - first) / 1048576; print grown; exit !(grown > 15) }' run.csv
}

@test "the decimal sign is a point in every locale" {
	LC_ALL=de_DE.UTF-8 record
	csv_is_whole run.csv
}

@test "each row is one write" {
	command -v strace >/dev/null || skip "strace is not installed"
	[ -z "${ASAN_OPTIONS:-}" ] || skip "AddressSanitizer's leak check does not run under ptrace"
	case $MEMWATCH in */valgrind/*) skip "valgrind's own writes would be counted" ;; esac
	strace -qq -s 400 -e trace=write,writev,pwrite64 -o trace \
		"$MEMWATCH" -q -i 10ms -o run.csv -- sh -c "$AWAIT_ROWS" run.csv 10
	has_rows run.csv 10
	tail -n +2 run.csv | while read -r row; do
		[ "$(grep -cF "\"$row\\n\"" trace)" -eq 1 ]
	done
}

@test "-o - writes the CSV to standard output and moves the command's there to standard error" {
	run --separate-stderr "$MEMWATCH" -q -i 10ms -o - -- sh -c 'echo out; echo err >&2; sleep 0.1'
	[ "$status" -eq 0 ]
	printf '%s\n' "$output" >got.csv
	csv_is_whole got.csv
	[ "$stderr" = $'out\nerr' ]
}

@test "attaching without a terminal writes the CSV to standard output by itself" {
	start "$WORKLOAD/flat" 100 1 100 >/dev/null
	start env --default-signal=INT "$MEMWATCH" -q -i 10ms --pid "$pid" >got.csv
	await has_rows got.csv 3
	kill -INT "$pid"
	wait "$pid"
	csv_is_whole got.csv
}

@test "without -o a wrapped command's standard output is its own" {
	run --separate-stderr "$MEMWATCH" -q -- echo only
	[ "$output" = only ]
	[ -z "$stderr" ]
}

@test "--no-children counts one process" {
	PACE=alone.csv "$MEMWATCH" -q --no-children -i 10ms -o alone.csv -- "$WORKLOAD/children" 2 4 100 >/dev/null
	PACE=all.csv "$MEMWATCH" -q -i 10ms -o all.csv -- "$WORKLOAD/children" 2 4 100 >/dev/null
	[ "$(awk -F, 'NR > 1 && $4 > m { m = $4 } END { print m }' alone.csv)" -eq 1 ]
	[ "$(awk -F, 'NR > 1 && $4 > m { m = $4 } END { print m }' all.csv)" -eq 5 ]
}
