#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
load helper

@test "%p is the command's process number" {
	"$MEMWATCH" -q -o 'run-%p.csv' -- sh -c 'echo $$ >number'
	csv_is_whole "run-$(cat number).csv"
}

@test "%p is the number attached to" {
	start sleep 100
	"$MEMWATCH" -q --duration 10ms -o 'run-%p.csv' --pid "$pid"
	csv_is_whole "run-$pid.csv"
}

@test "%h is the host and %% a percent sign" {
	"$MEMWATCH" -q -o '%h-100%%.csv' -- true
	csv_is_whole "$(hostname)-100%.csv"
}

@test "%r is the rank of the launcher that set it, or nothing" {
	"$MEMWATCH" -q -o 'r%r.csv' -- true
	csv_is_whole r.csv
	for variable in RANK OMPI_COMM_WORLD_RANK PMI_RANK SLURM_PROCID; do
		env "$variable=3" "$MEMWATCH" -q -o "$variable-%r.csv" -- true
		csv_is_whole "$variable-3.csv"
	done
}

@test "several ranks at once write a file each" {
	for rank in 0 1 2 3; do
		RANK=$rank start "$MEMWATCH" -q -o 'rank%r.csv' -- sleep 0.1
	done
	wait
	for rank in 0 1 2 3; do
		csv_is_whole "rank$rank.csv"
	done
}
