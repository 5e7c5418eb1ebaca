#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What forked workers share is read now and then: the moment of a reading is no event in the memory that is judged.
load helper

# Each epoch has its rows: see tests/workload/workload.h.
export PACE=run.csv

@test "workers that copy shared pages bit by bit make held_bytes rise bit by bit" {
	# On a busy machine readings are seldom: each epoch awaits one, however long that takes.
	"$MEMWATCH" -q -i 50ms -o run.csv -r run.json -- "$WORKLOAD/unshare" 20 200 1000 >out
	# Of all that it rises by while nobody maps more, no row has more than its share of four seconds. What they had copied
	# before they were read first was not known.
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ t = $at["elapsed_s"]; anon = $at["anon_bytes"]; held = $at["held_bytes"] }
		$at["procs"] == 3 && $at["pss_bytes"] != "" && !known { known = 1; was_t = t; was_anon = anon; was_held = held }
		$at["procs"] == 3 && known {
			rise = held - was_held - (anon > was_anon ? anon - was_anon : 0)
			all += rise
			if (rise / (t - was_t + 0.05) > worst) { worst = rise / (t - was_t + 0.05); when = t }
		}
		{ was_t = t; was_anon = anon; was_held = held }
		END { printf "%.0f MiB in all, up to %.0f MiB/s at %s s\n", all / 2^20, worst / 2^20, when
			exit !(all > 100 * 2^20 && worst <= all / 4) }' run.csv
	grep -q 'forked workers copy pages they shared' run.json
}

@test "what forked workers copied before they were read makes no slow rise" {
	"$MEMWATCH" -q -i 50ms -o run.csv -- "$WORKLOAD/copied" 20 16 200 >out
	# All is copied before the first epoch begins. Two readings from then on find it, and the second is in force after as
	# long as the first one is old: held_bytes is level from then on.
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["procs"] != 3 { next }
		{ t = $at["elapsed_s"]; held = $at["held_bytes"] }
		$at["pss_bytes"] != "" && $at["epoch"] != "" && ++n == 2 { from = t + (t - last > 1 ? t - last : 1) + 0.1 }
		$at["pss_bytes"] != "" { last = t }
		from && t >= from { if (!least || held < least) least = held; if (held > most) most = held }
		END { printf "%.1f to %.1f MiB from %s s on\n", least / 2^20, most / 2^20, from
			exit !(least > 46 * 2^20 && most - least < 2^20) }' run.csv
}
