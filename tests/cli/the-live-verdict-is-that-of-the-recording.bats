#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What is said of a run while it goes on and at its end is what `report` says of its CSV, byte for byte.
load helper

# series FILE: the JSON of the series
series() {
	sed -n 's/.*"series":\(\[.*\]\),"verdict".*/\1/p' "$1"
}

# watched NAME [ARG]...: runs a workload, CSV in run.csv, report in run.json
watched() {
	"$MEMWATCH" -q -i 20ms -o run.csv -r run.json -- "$WORKLOAD/$1" "${@:2}" >out
	"$MEMWATCH" report --json run.csv >recorded.json
}

@test "at the end of a run, whatever it was" {
	local name
	for name in leak jump sawtooth cache-fill flat release children; do
		watched "$name" 12 4 100
		[ -n "$(series run.json)" ]
		diff <(series run.json) <(series recorded.json) || { echo "$name"; return 1; }
	done
}

@test "in the middle of a run, when growth is established" {
	# shellcheck disable=SC2016  # for the shell of --on-growth
	"$MEMWATCH" -q -i 20ms -o run.csv --on-growth 'printf "%s\n" "$MEMWATCH_ELAPSED_S" "$MEMWATCH_REASON" >said' -- \
		"$WORKLOAD/leak" 30 4 150 >out
	await test -s said
	"$MEMWATCH" report --json --until "$(head -n 1 said)" run.csv >then.json
	grep -qF "\"reason\":\"$(tail -n 1 said)\"" then.json
}

@test "attached, stopped in mid-run" {
	start "$WORKLOAD/leak" 40 4 150 >out
	"$MEMWATCH" -q -i 20ms -o run.csv -r run.json --duration 2s --pid "$pid"
	"$MEMWATCH" report --json run.csv >recorded.json
	[ -n "$(series run.json)" ]
	diff <(series run.json) <(series recorded.json)
}

@test "each kind of run gets its verdict live" {
	local name expected said bad=0
	while read -r name expected; do
		watched "$name" 24 8 120
		said=$(sed -n 's/.*"name":"host","verdict":"\([a-z]*\)".*/\1/p' run.json)
		[[ "|$expected|" == *"|$said|"* ]] || { echo "$name is $expected, said $said"; bad=1; }
	done <<-'END'
		leak growth
		jump reservation
		sawtooth cyclic
		cache-fill warmup|reservation
		flat flat|reservation
		release release
	END
	[ "$bad" -eq 0 ]
}
