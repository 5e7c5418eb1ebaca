#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Where processes wait for memory, the report says since when and what it costs: swapping is a bottleneck, not a leak.

load helper

# made_run SHARE RISE: 40 epochs of 1 s, from second 20 on of 2 s; from there on SHARE % of the time was waited.
made_run() {
	awk -v share="$1" -v rise="$2" 'BEGIN {
		print "elapsed_s,epoch,procs,rss_bytes,anon_bytes,swap_bytes,held_bytes,pressure_us,major_faults"
		for (i = 0; i < 600; i++) {
			t = i / 10; late = t > 20 ? t - 20 : 0
			epoch = int(t <= 20 ? t : 20 + late / 2)
			held = 300000000 + int(rise * t) + (i * 7919 % 13) * 4096; swap = int(late * 1000000)
			printf "%.3f,%d,1,%d,%d,%d,%d,", t, epoch, held, held - swap, swap, held
			if (i % 20 == 0) printf "%d,%d\n", 5000000 + late * share * 10000, 100 + late * 50
			else print ","
		}
	}'
}

# says FIGURE...: python expressions of the object "pressure" of run.json
says() {
	python3 - "$@" <<-'END'
		import json, sys
		p = json.load(open("run.json"))["pressure"]
		for text in sys.argv[1:]:
		    assert eval(text, {"p": p}), (text, p)
	END
}

@test "a steady run that waits for memory: since when, how much, how much longer epochs took" {
	made_run 18 0 >run.csv
	"$MEMWATCH" report --json run.csv >run.json
	says 'p["since_s"] == 20' 'p["since_epoch"] == 21' 'p["until_s"] is None' 'abs(p["stalled_share"] - 0.18) < 0.001' \
		'p["epoch_s_before"] == 1' 'p["epoch_s_after"] == 2' 'p["major_faults_per_s"] == 50' 'p["swapped_bytes"] > 35e6'
	"$MEMWATCH" report run.csv >text
	grep -q '^  memory pressure since epoch 21 (0:20): processes waited for memory 18 % of the time, and epochs took 2.0 times' text
	grep -q 'MiB were swapped out meanwhile: not a leak but too little memory' text
}

@test "one that grows is not excused by it" {
	made_run 18 2000000 >run.csv
	"$MEMWATCH" report run.csv >text
	grep -q '^host: growth' text
	grep -q '^  memory pressure since .*; the growth of the host leads there$' text
}

@test "a little waiting is none, and without the columns nothing is known" {
	made_run 5 0 >run.csv
	"$MEMWATCH" report --json run.csv >run.json
	says 'p["since_s"] is None' '0.02 < p["stalled_share"] < 0.05' 'p["epoch_s_after"] is None'
	"$MEMWATCH" report run.csv >text
	! grep 'memory pressure' text || false
	cut -d, -f1-7 run.csv >old.csv
	"$MEMWATCH" report --json old.csv >run.json
	says 'p is None'
}

# A group with little memory, in which processes can be put by writing to each of $groups/cgroup.procs.
make_groups() {
	local name=memwatch-test-$$-$BATS_TEST_NUMBER v2
	v2=$(awk '$9 == "cgroup2" || $10 == "cgroup2" || / - cgroup2 / {print $5; exit}' /proc/self/mountinfo)
	[ -n "$v2" ] || skip "no cgroup of version 2 is mounted"
	groups=("$v2/$name")
	mkdir "${groups[0]}" 2>/dev/null || skip "no cgroup can be made here"
	[ -e "${groups[0]}/memory.pressure" ] || skip "this kernel gives no account of pressure by cgroup"
	if [ -e "${groups[0]}/memory.high" ]; then
		echo 24M >"${groups[0]}/memory.high"
	elif mkdir "/sys/fs/cgroup/memory/$name" 2>/dev/null; then
		groups+=("/sys/fs/cgroup/memory/$name")
		echo 24M >"${groups[1]}/memory.limit_in_bytes"
	else
		skip "no cgroup with a limit of memory can be made here"
	fi
}

teardown() {
	local pid group
	for pid in "${started[@]}"; do
		{ kill -KILL "$pid" && wait "$pid"; } 2>/dev/null || true
	done
	for group in "${groups[@]}"; do
		[ ! -d "$group" ] || rmdir "$group"
	done
}

has_waited() {
	awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == "pressure_us") at = i; next}
		$at != "" {if (first == "") first = $at; last = $at} END {exit !(last - first > 4000000)}' run.csv
}

@test "live, in a cgroup that is too small: the same in words, JSON and on its recording" {
	make_groups
	# shellcheck disable=SC2016  # for that shell
	start sh -c 'for g; do echo $$ >"$g/cgroup.procs" || exit 1; done; exec "$0" big 64 80 20' \
		"$WORKLOAD/thrash" "${groups[@]}" >log
	await grep -q 'Epoch 2' log
	start "$MEMWATCH" -i 50ms -o run.csv -r run.json -r run.txt --pid "$pid" 2>words
	await has_waited
	touch enough
	wait "$pid"
	says 'p["since_s"] is not None' 'p["stalled_share"] > 0.1' 'p["major_faults_per_s"] > 0'
	grep -q '^  memory pressure since .* % of the time' run.txt
	grep -q '^  memory pressure since .* % of the time' words
	"$MEMWATCH" report --json run.csv >again.json
	python3 -c 'import json; a, b = (json.load(open(f))["pressure"] for f in ("run.json", "again.json")); assert a == b, (a, b)'
}
