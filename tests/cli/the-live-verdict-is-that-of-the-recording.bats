#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What is said of a run while it goes on and at its end is what `report` says of its CSV, byte for byte.
load helper
load fake_gpu

# series FILE: the JSON of the series, byte for byte, but for the planned end, which only the output tells, and the advice, which fits what
# the process has mapped
series() {
	python3 -c 'import json, re, sys
text = re.sub("\"outlook\":.*?\"end_high\":[^,]*,|\"advice\":\\[.*?\\],", "", open(sys.argv[1]).read())
begin = text.index("\"series\":") + 9
print(text[begin:json.JSONDecoder().raw_decode(text, begin)[1]])' "$1"
}

# Each epoch has its rows: see tests/workload/workload.h.
export PACE=run.csv

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
	"$MEMWATCH" -q -i 20ms --limit 140M -o run.csv --on-growth 'printf "%s\n" "$MEMWATCH_ELAPSED_S" "$MEMWATCH_REASON" >said' -- \
		"$WORKLOAD/leak" 30 4 150 >out
	await test -s said
	"$MEMWATCH" report --json --limit 140M --until "$(head -n 1 said)" run.csv >then.json
	grep -qF "\"reason\":\"$(tail -n 1 said)\"" then.json
}

@test "attached, stopped in mid-run" {
	start "$WORKLOAD/leak" 40 4 150 >out
	"$MEMWATCH" -q -i 20ms -o run.csv -r run.json --duration 2s --pid "$pid"
	"$MEMWATCH" report --json run.csv >recorded.json
	[ -n "$(series run.json)" ]
	diff <(series run.json) <(series recorded.json)
}

@test "with GPUs: a device that fills at once, one that leaks, one that is never used" {
	{
		echo "gpu 0 24000000000 GPU-a Fake A"
		echo "gpu 1 12000000000 GPU-b Fake B"
		echo "gpu 2 12000000000 GPU-c Fake C"
		echo "at 3 0 @$PWD/pid 22000000000 C"
		for i in $(seq 60); do echo "at $((i + 2)) 1 @$PWD/pid $((1000000000 + i * 20000000)) C"; done
		echo "ticks $PWD/out" # two lines in each epoch
	} | scenario r550
	export FAKENVML=$BATS_TEST_TMPDIR/scenario MEMWATCH_NVML=$ROOT/build/fakenvml/r550/libnvidia-ml.so.1
	"$MEMWATCH" -q -i 20ms --gpu-interval 100ms -o run.csv -r run.json -r run.txt -- \
		sh -c "echo \$\$ >pid; exec '$WORKLOAD/flat' 30 8 150" >out
	"$MEMWATCH" report --json run.csv >recorded.json
	diff <(series run.json) <(series recorded.json)
	grep -q '"name":"gpu0","verdict":"reservation"' run.json
	grep -q '"name":"gpu1","verdict":"growth"' run.json
	grep -q '"name":"gpu2"' run.json
	grep -q '^gpu0: reservation. +20.5 GiB .* That is 92 % of the device' run.txt
	grep -q 'GPU memory grows, host memory does not' run.txt
	[ "$(grep -c '^gpu2' run.txt)" -eq 0 ]
}

@test "each kind of run gets its verdict live" {
	local name expected said bad=0
	while read -r name expected; do
		PACE=run.csv watched "$name" 24 8 120
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
