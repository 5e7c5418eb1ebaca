#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The host's samples keep their interval whatever the driver does: the largest gap between two rows is compared with the
# same run without a GPU, in intervals.
load helper
load fake_gpu

# rows_late CSV MS: rows that came more than five intervals after the one before.
rows_late()
{
	awk -F, -v step="$2" 'NR > 2 && ($1 - last) * 1000 > 5 * step { n++ } { last = $1 } END { print n + 0 }' "$1"
}

# A second of sleep, twenty rows in it at least.
watch_a_second()
{
	"$MEMWATCH" -v -i 20ms --gpu-interval 100ms -o out.csv -- sh -c 'echo $$ >pid; sleep 1; exit 5' 2>err || status=$?
	[ "$status" -eq 5 ]
	csv_is_whole out.csv
	[ "$(rows out.csv)" -ge 20 ]
	[ "$(rows_late out.csv 20)" -le 2 ]
}

@test "five seconds until the driver is up" {
	scenario r550 <<-END
		gpu 0 24000 GPU-a Fake A
		delay Init 5000
	END
	watch_a_second
}

@test "a driver that never comes up" {
	scenario r550 <<-END
		gpu 0 24000 GPU-a Fake A
		delay Init -1
	END
	watch_a_second
	[ "$(grep -c '^memwatch: no GPU columns: the driver had not answered by the end$' err)" -eq 1 ]
	! grep -q '^memwatch: GPU' err || false
}

@test "a driver that hangs in mid-run" {
	scenario r550 <<-END
		gpu 0 24000 GPU-a Fake A
		at 1 0 @$PWD/pid 500 C
		delay GetComputeRunningProcesses -1
	END
	watch_a_second
	[ "$(head -n 1 out.csv)" = "$HEADER,gpu0_bytes,gpu0_total_bytes" ]
	[ "$(grep -c '^memwatch: GPU: the driver had not answered by the end; its cells are empty since' err)" -eq 1 ]
}

@test "a driver that takes a while for each answer" {
	scenario r550 <<-END
		gpu 0 24000 GPU-a Fake A
		at 1 0 @$PWD/pid 500 C
		delay GetComputeRunningProcesses 150
	END
	watch_a_second
	[[ "$(cells out.csv gpu0_bytes)" == *500 ]]
	! grep -q 'had not answered' err || false
}

@test "attached: Ctrl-C ends at once under a hanging driver" {
	scenario r550 <<-END
		gpu 0 24000 GPU-a Fake A
		delay GetComputeRunningProcesses -1
	END
	start sleep 600
	target=$pid
	start "$MEMWATCH" -q -i 20ms -o out.csv --pid "$target"
	watcher=$pid
	await has_rows out.csv 5
	kill -INT "$watcher"
	wait "$watcher"
	csv_is_whole out.csv
}

@test "the first row is written when the driver has answered, not a minute later" {
	scenario r550 <<-END
		gpu 0 24000 GPU-a Fake A
		delay Init 300
	END
	: >out.csv
	"$MEMWATCH" -q -i 60s -o out.csv -- \
		sh -c 'for _ in $(seq 1000); do [ "$(wc -l <out.csv)" -lt 2 ] || exit 0; sleep 0.01; done; exit 1'
	[[ $(head -n 1 out.csv) == *,gpu0_bytes,gpu0_total_bytes ]]
}
