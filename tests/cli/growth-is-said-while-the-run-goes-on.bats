#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Alarms, --on-growth, --until-verdict, --fail-on and -r on live runs.
load helper

# Standard output is a file, so that the epochs are read from it.
to_file() {
	"$@" >out
}

# Each epoch has its rows: see tests/workload/workload.h.
export PACE=run.csv

leak() {
	run --separate-stderr to_file "$MEMWATCH" -i 20ms -o run.csv "$@" -- "$WORKLOAD/leak" 30 4 100
}

@test "growth is said once while the run goes on, and at its end" {
	leak
	[ "$status" -eq 0 ]
	[ "$(grep -c '^memwatch: host: growth\.' <<<"$stderr")" -eq 1 ]
	[ "$(grep -c '^host: growth\.' <<<"$stderr")" -eq 1 ]
	[ "$(grep -n '^memwatch: host: growth' <<<"$stderr" | cut -d: -f1)" -lt "$(grep -n 'exit status 0' <<<"$stderr" | cut -d: -f1)" ]
}

@test "nothing is said of growth with -q, but it still counts" {
	leak -q --fail-on growth
	[ "$status" -eq 3 ]
	[ -z "$stderr" ]
}

@test "a run that does not grow alarms nobody and fails nothing" {
	run --separate-stderr to_file "$MEMWATCH" -i 20ms -o run.csv --fail-on growth,limit --on-growth 'touch hooked' -- "$WORKLOAD/jump" 30 8 80
	[ "$status" -eq 0 ]
	[[ "$stderr" != *growth* ]]
	[ ! -e hooked ]
}

@test "the command's own failure is worth more than --fail-on" {
	run --separate-stderr "$MEMWATCH" -q -i 20ms -o run.csv --fail-on growth -- sh -c "'$WORKLOAD/leak' 30 4 100; exit 7"
	[ "$status" -eq 7 ]
}

@test "--on-growth runs once, knows what is known, and holds none of our descriptors" {
	# shellcheck disable=SC2016  # for the shell of --on-growth
	leak -q --limit 140M --on-growth 'env | grep ^MEMWATCH_ >env.$$; ls /proc/self/fd >fds; cat >stdin; ps -o pid=,sid= $$ >session'
	[ "$status" -eq 0 ]
	await test -s session
	env=(env.*)
	[ "${#env[@]}" -eq 1 ]
	grep -qx MEMWATCH_SERIES=host env.*
	grep -qx MEMWATCH_VERDICT=growth env.*
	grep -qx "MEMWATCH_COMMAND=$WORKLOAD/leak 30 4 100" env.*
	grep -qE '^MEMWATCH_SLOPE_BYTES_PER_EPOCH=4[0-9]{6}$' env.*
	grep -qE '^MEMWATCH_EPOCH=[0-9]+$' env.*
	[ "$(tr '\n' ' ' <fds)" = "0 1 2 3 " ]
	[ ! -s stdin ]
	[ "$(awk '{ print $1 == $2 }' session)" = 1 ]
}

@test "what --on-growth starts is not part of the run" {
	leak --limit 140M --on-growth 'head -c 50000000 /dev/zero | tail -c 50000000 >/dev/null'
	[ "$(awk -F, 'NR > 1 && $4 > 1' run.csv | wc -l)" -eq 0 ]
}

@test "an --on-growth that hangs holds nobody up" {
	leak -q --limit 140M --on-growth 'echo $$ >hung; exec sleep 600'
	[ "$status" -eq 0 ]
	await test -s hung
	kill "$(cat hung)"
}

@test "--until-verdict ends the watching, not what is watched" {
	start "$WORKLOAD/leak" 200 1 100 >out
	run --separate-stderr "$MEMWATCH" -i 20ms -o run.csv -e log:out --until-verdict --pid "$pid"
	[ "$status" -eq 0 ]
	grep -q 'still running' <<<"$stderr"
	grep -q '^host: growth' <<<"$stderr"
	kill -0 "$pid"
}

@test "-r writes every form asked for, names expanded" {
	leak -q -r report.txt -r 'run-%p.json' -r -
	[ "$status" -eq 0 ]
	grep -q '^host: growth' report.txt
	grep -q '^host: growth' out
	json=(run-*.json)
	[ "${#json[@]}" -eq 1 ]
	[ "$(sed -n 's/.*"pid":\([0-9]*\).*/run-\1.json/p' "${json[0]}")" = "${json[0]}" ]
}

@test "a report that cannot be written is refused before the command runs" {
	run --separate-stderr "$MEMWATCH" -r /nonexistent/x.txt -- touch ran
	[ "$status" -eq 125 ]
	[ "$stderr" = "memwatch: --report: cannot write '/nonexistent/x.txt': No such file or directory" ]
	[ ! -e ran ]
	run --separate-stderr "$MEMWATCH" -o - -r - -- touch ran
	[ "$status" -eq 125 ]
	[ "$stderr" = "memwatch: --output - and --report - exclude each other" ]
	[ ! -e ran ]
}

@test "attached, -r - takes standard output: no CSV goes there unasked" {
	start sleep 100
	run --separate-stderr "$MEMWATCH" -q -i 5ms --duration 100ms -r - --pid "$pid"
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	[[ "${lines[0]}" == "sleep 100 (pid $pid): "* ]]
	[[ "$output" != *elapsed_s* ]]
}

@test "a limit makes a forecast, and --fail-on limit fails on it" {
	leak --limit 140M --fail-on limit
	[ "$status" -eq 3 ]
	grep -qE '^memwatch: host: growth.* 140 MiB is full in [0-9]+ epochs?, about .* at the planned end \(epoch 30\): it does not fit' <<<"$stderr"
	leak --limit 200M --fail-on limit
	[ "$status" -eq 0 ]
	grep -qE '^host: growth.* 200 MiB would have been full in [0-9]+ more epochs?, about ' <<<"$stderr"
}

@test "a small leak on a large machine is not called nearly full, and gets no date" {
	leak --limit 100G
	grep -qE '^memwatch: host: growth\. \+4\.[0-9]+ MiB per epoch, .*: a leak unless it is meant, but it fits until then\.$' <<<"$stderr"
	grep -qE '^host: growth.* 100 GiB would have been enough for some [1-9][0,]+ more epochs, about [1-9]0* [a-z]+, at this pace' <<<"$stderr"
	[[ "$stderr" != *"nearly full"* ]]
	[[ "$stderr" != *"Save checkpoints"* ]]
}

@test "models built in a loop: what is said is per fit, and one figure" {
	run --separate-stderr to_file "$MEMWATCH" -i 20ms -o run.csv -r run.json -- "$WORKLOAD/fits" 14 8 100
	grep -qE '^memwatch: host: growth\. \+8\.0[0-9] MiB per fit, up in (each of the last [0-9]+|[0-9]+ of the last [0-9]+) fits' <<<"$stderr"
	grep -qE '^fits: 14, .* at their ends: \+8\.00 MiB per fit$' <<<"$stderr"
	grep -qE '^host: growth\. \+8\.00 MiB per fit, up in each of the last 13 fits' <<<"$stderr"
	run ! grep -E 'MiB per epoch' <<<"$stderr"
	grep -qE '"slope_bytes_per_fit":838[0-9]{4}' run.json
}

@test "a command killed by SIGKILL is told from one the kernel killed" {
	run --separate-stderr "$MEMWATCH" -- sh -c 'kill -9 $$'
	[ "$status" -eq 137 ]
	grep -q "killed by SIGKILL, and not by the kernel's out-of-memory killer" <<<"$stderr"
	run --separate-stderr "$MEMWATCH" -- sh -c 'exit 137'
	grep -q "out-of-memory killer" <<<"$stderr"
	run --separate-stderr "$MEMWATCH" -- sh -c 'kill -15 $$'
	[[ "$stderr" != *"out-of-memory killer"* ]]
}

# limited_cgroup BYTES: makes a memory cgroup of its own and names it in $cgroup; 1 where that is not allowed
limited_cgroup() {
	local root file
	for root in /sys/fs/cgroup/memory /sys/fs/cgroup; do
		cgroup=$root/memwatch-test-$$
		mkdir "$cgroup" 2>/dev/null || continue
		for file in memory.limit_in_bytes memory.max; do
			[ -e "$cgroup/$file" ] && echo "$1" >"$cgroup/$file" && return 0
		done
		rmdir "$cgroup"
	done
	return 1
}

# A shell's program that runs a command in a cgroup, its standard output in a file: sh -c "$IN_CGROUP" sh CGROUP COMMAND...
# shellcheck disable=SC2016  # for that shell
IN_CGROUP='echo $$ >"$1/cgroup.procs" && shift && exec "$@" >out'

@test "a command that the kernel killed for its cgroup's limit is told so" {
	limited_cgroup 60000000 || skip "no memory cgroup can be made here"
	run --separate-stderr sh -c "$IN_CGROUP" sh "$cgroup" \
		"$MEMWATCH" -i 20ms -o run.csv -- "$WORKLOAD/leak" 60 4 50
	rmdir "$cgroup"
	[ "$status" -eq 137 ]
	grep -q 'killed by the kernel: the memory limit of its cgroup was reached' <<<"$stderr"
	grep -qE 'last sample: [0-9.]+ MiB held of a limit of 57.2 MiB' <<<"$stderr"
}

@test "the kernel's kill is in the reports too, also with -q" {
	limited_cgroup 60000000 || skip "no memory cgroup can be made here"
	run --separate-stderr sh -c "$IN_CGROUP" sh "$cgroup" "$MEMWATCH" -q -i 20ms -o run.csv -r oom.txt -r oom.json -- "$WORKLOAD/leak" 60 4 50
	rmdir "$cgroup"
	[ "$status" -eq 137 ]
	[ -z "$stderr" ]
	grep -q '; killed by SIGKILL$' <(head -n 1 oom.txt)
	grep -qx '  killed by the kernel: the memory limit of its cgroup was reached' oom.txt
	grep -qE '^  last sample: [0-9.]+ MiB held of a limit of 57.2 MiB' oom.txt
	grep -q '"oom_kills":1}$' oom.json
	run "$MEMWATCH" -q -r oom.txt -- true
	[ "$status" -eq 0 ]
}

@test "a worker that the kernel killed is told, though the command goes on" {
	limited_cgroup 60000000 || skip "no memory cgroup can be made here"
	run --separate-stderr sh -c "$IN_CGROUP" sh "$cgroup" "$MEMWATCH" -i 20ms -o run.csv --fail-on limit -- \
		sh -c "'$WORKLOAD/leak' 60 4 20; sleep 0.1; exit 0"
	rmdir "$cgroup"
	[ "$status" -eq 3 ]
	grep -q 'exit status 0 after' <<<"$stderr"
	grep -qx "  the kernel's out-of-memory killer killed 1 process of its cgroup" <<<"$stderr"
}

@test "attached to a process that the kernel kills, it is told too" {
	limited_cgroup 60000000 || skip "no memory cgroup can be made here"
	start sh -c "$IN_CGROUP" sh "$cgroup" "$WORKLOAD/leak" 60 4 50
	await test -s out
	run --separate-stderr "$MEMWATCH" -i 20ms -o run.csv --pid "$pid"
	await rmdir "$cgroup"
	[ "$status" -eq 0 ]
	grep -qx "  the kernel's out-of-memory killer killed 1 process of its cgroup: perhaps this one" <<<"$stderr"
	grep -qE '^  last sample: [0-9.]+ MiB held of a limit of 57.2 MiB' <<<"$stderr"
}

@test "no kill, no word of it" {
	leak -r run.json
	[[ "$stderr" != *"out-of-memory"* ]]
	grep -q '"oom_kills":0}$' run.json
}

@test "ever more workers are told as such, and none of them is blamed" {
	run --separate-stderr to_file "$MEMWATCH" -i 20ms -o run.csv -r run.json -- "$WORKLOAD/unjoined" 20 4 100
	grep -qE '^host: growth\. .*; the tree grew from [12] to (19|20|21) processes' <<<"$stderr"
	grep -q '^  - There are ever more processes' <<<"$stderr"
	[[ "$stderr" != *"of what grows"* && "$stderr" != *"spread over"* && "$stderr" != *callbacks* ]]
	grep -q '"processes":\[\],"mappings":\[\]' run.json
	"$MEMWATCH" report run.csv >text
	grep -qE '^host: growth\. .*; the tree grew from [12] to (19|20|21) processes' text
}

# fit PLANNED LIMIT: keeps 4 MiB in each of 24 epochs, of so many
fit() {
	run --separate-stderr to_file "$MEMWATCH" -i 20ms --limit "$2" --on-growth 'echo called >>hook' -r run.json -- \
		python3 -c "import time
kept = []
for epoch in range(1, 25):
    print('Epoch %d/$1' % epoch, flush=True)
    kept.append(b'x' * (4 << 20))
    time.sleep(0.2)"
}

@test "growth that fits until the planned end is one calm line" {
	fit 40 8GiB
	grep -qE '^memwatch: host: growth\. .* at the planned end \(epoch 40\): a leak unless it is meant, but it fits until then\.$' <<<"$stderr"
	[ ! -e hook ]
	grep -q '"outlook":"fits","planned_epochs":40,' run.json
}

@test "growth that does not fit is told with the epoch that it ends in" {
	fit 400 500MiB
	grep -qE '^memwatch: host: growth\. .* at the planned end \(epoch 400\): it does not fit\.$' <<<"$stderr"
	[ -e hook ]
	grep -q '"outlook":"exceeds","planned_epochs":400,' run.json
}

@test "processes are named for growth only" {
	run --separate-stderr to_file "$MEMWATCH" -q -i 20ms -o run.csv -r run.json -- "$WORKLOAD/jump" 12 60 100
	grep -q '"verdict":"reservation"' run.json
	grep -q '"processes":\[\],"mappings":\[\]' run.json
}

@test "the process that grows is named, and its mappings" {
	run --separate-stderr to_file "$MEMWATCH" -i 20ms -o run.csv -r run.json -- \
		sh -c "'$WORKLOAD/flat' 30 8 100 >/dev/null & '$WORKLOAD/leak' 30 4 100; wait"
	grep -qE '^  mostly in process [0-9]+ \(leak\): (9[0-9]|100) % of what grows$' <<<"$stderr"
	grep -qE '^  in its memory, from [0-9.]+ s to [0-9.]+ s: mapped blocks \(large arrays, Python objects\) \+[0-9.]+ MiB' <<<"$stderr"
	grep -qE '"processes":\[\{"pid":[0-9]+,"name":"leak","main":false,' run.json
	grep -qE '"mappings":\[\{"pid":[0-9]+,"name":"anonymous",' run.json
}

@test "advice names a framework only if it is mapped" {
	local lib
	leak
	[[ "$stderr" == *"blocks that are never freed"* && "$stderr" != *callbacks* && "$stderr" != *PyTorch* && "$stderr" != *TensorFlow* ]]
	lib=$PWD/libtorch_cpu.so
	head -c 1M /dev/zero >"$lib"
	run --separate-stderr to_file "$MEMWATCH" -i 20ms -o run.csv -r run.json -- python3 -c "import mmap, time
f = open('$lib', 'rb'); m = mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ)
kept = []
for i in range(20):
    print('Epoch %d/20' % (i + 1), flush=True)
    kept.append(b'x' * 4000000)
    time.sleep(0.1)"
	grep -q '^  - PyTorch: add loss.item()' <<<"$stderr"
	grep -q '^  - Look for lists, dicts and attributes' <<<"$stderr"
	[[ "$stderr" != *TensorFlow* && "$stderr" != *callbacks* ]]
	"$MEMWATCH" report run.csv >text
	grep -q 'plain numbers' text
	run ! grep -qE 'PyTorch|TensorFlow|JAX' text
}
