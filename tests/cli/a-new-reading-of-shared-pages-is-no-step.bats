#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What forked workers share is read now and then: the moment of a reading is no event in the memory that is judged.
load helper

# Each epoch has its rows: see tests/workload/workload.h.
export PACE=run.csv

@test "workers that copy shared pages bit by bit make held_bytes rise bit by bit" {
	"$MEMWATCH" -q -i 50ms -o run.csv -r run.json -- "$WORKLOAD/unshare" 12 200 500 >out
	# Of all that it rises by while nobody maps more, no row has more than its share of a second.
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ t = $at["elapsed_s"]; anon = $at["anon_bytes"]; held = $at["held_bytes"] }
		$at["procs"] == 3 && n++ {
			rise = held - was_held - (anon > was_anon ? anon - was_anon : 0)
			all += rise
			if (rise / (t - was_t + 0.05) > worst) { worst = rise / (t - was_t + 0.05); when = t }
		}
		{ was_t = t; was_anon = anon; was_held = held }
		END { printf "%.0f MiB in all, up to %.0f MiB/s at %s s\n", all / 2^20, worst / 2^20, when
			exit !(all > 100 * 2^20 && worst <= all) }' run.csv
	grep -q 'forked workers copy pages they shared' run.json
}
