#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# In a process namespace of its own, as in a container, with drivers that know of such namespaces and drivers that do not.
load helper
load fake_gpu

setup()
{
	cd "$BATS_TEST_TMPDIR" || return 1
	unshare -pfm --mount-proc true 2>/dev/null || skip "process namespaces are not permitted here"
}

# In a new namespace, with a /dev of its own that has the named files: the command in $1, with memwatch as $MEMWATCH.
contained()
{
	local files=$1
	shift
	# shellcheck disable=SC2016  # expanded inside
	unshare -pfm --mount-proc sh -c '
		mount -t tmpfs tmpfs /mnt && touch /mnt/null && mount --bind /dev/null /mnt/null &&
			for f in $0; do touch "/mnt/$f"; done && mount --move /mnt /dev && "$@"' "$files" "$@"
}

# watch_inside FILES CONDITION: until it is true; /dev/nvidia0 is open if there is one.
watch_inside()
{
	# shellcheck disable=SC2016
	contained "$1" "$MEMWATCH" -i 20ms --gpu-interval 100ms -o out.csv -r out.json -- \
		sh -c '. "$AWAIT"; [ ! -e /dev/nvidia0 ] || exec 5</dev/nvidia0; echo $$ >pid; await '"$2" 2>err
	cat err
}

@test "driver 470: the host's process 1 is not the container's" {
	scenario r470 <<-END
		driver 470.82.01
		gpu 0 24000 GPU-a Fake A
		used 0 0 900
		at 1 0 1 500 C
		at 1 0 2 500 C
		at 1 0 3 500 C
		at 1 0 4 500 C
	END
	watch_inside "" "has_rows out.csv 30"
	[ "$(cells out.csv gpu0_bytes)" = "" ]
	[ "$(cells out.csv gpu0_total_bytes)" = 24000 ]
}

@test "driver 550: the one listed process is assumed to be the one user" {
	scenario r550 <<-END
		driver 550.54.14
		gpu 0 24000 GPU-a Fake A
		used 0 0 900
		at 1 0 31337 500 C
	END
	watch_inside "nvidia0 nvidiactl" "grep -q ,500,24000 out.csv"
	[[ "$(cells out.csv gpu0_bytes)" == *500 ]]
	grep -q '"basis":"assumed"' out.json
	[ "$(grep -c 'does not know this container.*(assumed); run the container with --pid=host' err)" -eq 1 ]
}

@test "driver 550: growth of the device since the start when there are two" {
	scenario r550 <<-END
		driver 550.54.14
		gpu 0 24000 GPU-a Fake A
		used 0 0 900
		used 2 0 1700
		at 1 0 31337 500 C
		at 1 0 31338 500 C
	END
	watch_inside "nvidia0" "grep -q ,800,24000 out.csv"
	[ "$(cells out.csv gpu0_bytes)" = "800" ] || [ "$(cells out.csv gpu0_bytes)" = "0 800" ]
	grep -q '"basis":"device-delta"' out.json
	grep -q '(device delta); run the container with --pid=host' err
}

@test "driver 565: exact" {
	scenario r550 <<-END
		driver 565.57.01
		gpu 0 24000 GPU-a Fake A
		at 1 0 @$PWD/pid 500 C
		at 1 0 31337 600 C
	END
	watch_inside "" "grep -q ,500,24000 out.csv"
	[[ "$(cells out.csv gpu0_bytes)" == *500 ]]
	grep -q '"basis":"exact"' out.json
	run ! grep container err
}

@test "gpus says in which namespace it is" {
	scenario r550 <<-END
		driver 550.54.14
		gpu 0 24000 GPU-a Fake A
	END
	contained "" "$MEMWATCH" gpus --json >out.json
	grep -q '"pid_namespace":"inner"' out.json
	"$MEMWATCH" gpus --json >out.json
	grep -q '"pid_namespace":"initial"' out.json || [ "$(readlink /proc/self/ns/pid)" != 'pid:[4026531836]' ]
}
