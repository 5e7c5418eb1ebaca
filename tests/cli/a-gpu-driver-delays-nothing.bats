#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The host is sampled on, whatever the driver does: what the driver waits for here is samples of the host, or what comes
# after them, so that a memwatch that waited for it would wait for ever.
load helper
load fake_gpu

# watched TEXT: what the shell does meanwhile; the driver finds its number in pid.
watched()
{
	"$MEMWATCH" -v -i 20ms --gpu-interval 100ms -o out.csv -- sh -c ". \"\$AWAIT\"; echo \$\$ >pid; $1; exit 5" 2>err || status=$?
	cat err
	[ "$status" -eq 5 ]
	csv_is_whole out.csv
	has_rows out.csv 20
}

@test "a driver that is long in coming up: the rows of that time are there" {
	: >up
	scenario r550 <<-END
		gpu 0 24000 GPU-a Fake A
		await Init $PWD/up 1
	END
	watched "await_ticks 30; echo >>up; await grep -q ',24000,' out.csv"
	[[ "$(all_cells out.csv gpu0_total_bytes)" =~ ^(- ){20,}24000 ]]
}

@test "a driver that never comes up" {
	scenario r550 <<-END
		gpu 0 24000 GPU-a Fake A
		delay Init -1
	END
	watched "await_ticks 30"
	[ "$(grep -c '^memwatch: no GPU columns: the driver had not answered by the end$' err)" -eq 1 ]
	! grep -q '^memwatch: GPU' err || false
}

@test "a driver that hangs in mid-run" {
	scenario r550 <<-END
		gpu 0 24000 GPU-a Fake A
		at 1 0 @$PWD/pid 500 C
		delay GetComputeRunningProcesses -1
	END
	watched "await has_rows out.csv 30"
	[ "$(head -n 1 out.csv)" = "$(header_with gpu0_bytes,gpu0_total_bytes)" ]
	[ "$(grep -c '^memwatch: GPU: the driver had not answered by the end; its cells are empty since' err)" -eq 1 ]
}

@test "a driver that takes ten rows for each answer" {
	: >out.csv
	ln -s out.csv slow
	scenario r550 <<-END
		gpu 0 24000 GPU-a Fake A
		at 2 0 @$PWD/pid 500 C
		await GetComputeRunningProcesses $PWD/slow 10
	END
	watched "await grep -q ',500,24000,' out.csv; rm slow; await_more_rows out.csv 20"
	[[ "$(cells out.csv gpu0_bytes)" == *500 ]]
	[[ "$(all_cells out.csv gpu0_total_bytes)" =~ ^(- ){9,}24000\ (- ){9,}24000 ]]
	! grep -q 'had not answered' err || false
}

@test "attached: Ctrl-C ends at once under a hanging driver" {
	scenario r550 <<-END
		gpu 0 24000 GPU-a Fake A
		delay GetComputeRunningProcesses -1
	END
	start sleep 600
	target=$pid
	# A script's background jobs ignore it.
	start env --default-signal=INT "$MEMWATCH" -q -i 20ms -o out.csv --pid "$target"
	watcher=$pid
	await has_rows out.csv 5
	kill -INT "$watcher"
	wait "$watcher"
	csv_is_whole out.csv
}

@test "the first row is written when the driver has answered, not an hour later" {
	scenario r550 <<-END
		gpu 0 24000 GPU-a Fake A
		delay Init 300
	END
	"$MEMWATCH" -q -i 1h -o out.csv -- sh -c "$AWAIT_ROWS" out.csv 1
	[[ $(head -n 1 out.csv) == *,gpu0_bytes,gpu0_total_bytes,* ]]
}
