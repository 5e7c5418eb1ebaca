#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Memory that rises is kept by the program, or was freed by it and is kept by malloc: the heaps say which.
load helper

# creep HOW: a heap that becomes larger in each of 16 epochs, watched; the report is in report.json
creep()
{
	PACE=run.csv "$MEMWATCH" -q -i 50ms -o run.csv -r report.json -r report.txt -- \
		"$WORKLOAD/heap-creep" "$1" 16 320 200 >out
}

said() # KEY of the first series
{
	python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["series"][0][sys.argv[2]])' "$1" "$2"
}

# known [COLUMN]: the cells of it, or of heap_used_bytes, that are not empty
known()
{
	awk -F, -v column="${1:-heap_used_bytes}" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at[column] != ""' run.csv | wc -l
}

@test "what the program frees is not growth" {
	creep freed
	[ "$(said report.json verdict)" != growth ]
	grep -q 'KiB per epoch were freed by the program and kept by its allocator (free inside the heap: .*): not a leak' report.txt
}

@test "what the program keeps is growth, by as much as it keeps" {
	creep kept
	[ "$(said report.json verdict)" = growth ]
	grep -q ' kept by the program' report.txt
	said report.json slope_bytes_per_epoch | awk '{ exit !($1 > 309000 && $1 < 342000) }'
}

@test "the recording says the same" {
	creep kept
	"$MEMWATCH" report --json run.csv >again.json
	[ "$(said again.json verdict)" = growth ]
	[ "$(said again.json heap)" = "$(said report.json heap)" ]
}

@test "the cells are empty but for one row of each epoch, and what is outside is never below zero" {
	creep kept
	[ "$(known)" -ge 12 ]
	[ "$(known)" -le 18 ]
	[ "$(known)" -lt "$(rows run.csv)" ]
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["heap_used_bytes"] != "" && $at["held_bytes"] < $at["heap_used_bytes"] + $at["heap_free_bytes"] { exit 1 }' run.csv
}

@test "a program that a script has started is read as if it stood alone" {
	# shellcheck disable=SC2016  # for that shell
	PACE=run.csv "$MEMWATCH" -q -i 50ms -o run.csv -r report.json -- \
		sh -c '"$0" kept 16 320 200; true' "$WORKLOAD/heap-creep" >out
	[ "$(known)" -ge 12 ]
	[ "$(known heap_passing_bytes)" -ge 8 ]
	[ "$(said report.json verdict)" = growth ]
	said report.json slope_bytes_per_epoch | awk '{ exit !($1 > 309000 && $1 < 342000) }'
}

@test "another allocator is named, and everything else is as before" {
	cc -shared -fPIC -o libjemalloc.so.2 -x c - <<<'int not_really;'
	"$MEMWATCH" -v -i 50ms -o run.csv -r report.txt -r report.json -- \
		env LD_PRELOAD="$PWD/libjemalloc.so.2" PACE=run.csv "$WORKLOAD/heap-creep" kept 12 320 200 >out 2>err
	[ "$(known)" -eq 0 ]
	[ "$(grep -c '^memwatch: what the allocator keeps free is not known: its allocator is jemalloc' err)" -eq 1 ]
	grep -q '^  what its allocator keeps free is not known: its allocator is jemalloc' report.txt
	[ "$(said report.json verdict)" = growth ]
}
