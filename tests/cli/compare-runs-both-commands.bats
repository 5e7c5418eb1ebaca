#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# compare --run: two commands in turn, what they say and how they end stays visible, and an interrupt ends all.
load helper

setup()
{
	cd "$BATS_TEST_TMPDIR" || return 1
	mkdir tmp
	export TMPDIR=$PWD/tmp
}

# Nothing is left of the recordings, and nothing runs on.
left_clean()
{
	[ -z "$(ls tmp)" ]
}

@test "both are run, recorded and compared; nothing is left behind" {
	run -0 --separate-stderr "$MEMWATCH" compare -i 20ms --run "$WORKLOAD/leak 10 8 80" --run "$WORKLOAD/flat 10 32 80"
	[[ "${lines[0]}" == "The fix works: growth of 8"*" MiB per epoch is gone"* ]]
	[[ "${lines[1]}" == "base: $WORKLOAD/leak 10 8 80; new: $WORKLOAD/flat 10 32 80; aligned by epoch, up to "* ]]
	[ "$(grep -c '^Epoch ' <<<"$stderr")" -eq 20 ]
	grep -qxF "memwatch: base, run 1 of 1: $WORKLOAD/leak 10 8 80" <<<"$stderr"
	grep -qxF "memwatch: base, run 1 of 1: exit status 0" <<<"$stderr"
	grep -qxF "memwatch: new, run 1 of 1: exit status 0" <<<"$stderr"
	left_clean
}

@test "--times runs them in turn, -o keeps the files, JSON alone is on standard output" {
	run -0 --separate-stderr "$MEMWATCH" compare --json -i 20ms --times 3 -o kept --run 'echo A >>order; sleep 0.3' --run 'echo B >>order; sleep 0.3'
	[ "$(tr -d '\n' <order)" = ABABAB ]
	[ "$(cd kept && echo *)" = "base-1.csv base-2.csv base-3.csv new-1.csv new-2.csv new-3.csv" ]
	csv_is_whole kept/new-3.csv
	python3 -c 'import json, sys; c = json.loads(sys.argv[1]); assert c["base"] == ["echo A >>order; sleep 0.3"], c' "$output"
	left_clean
}

@test "a command that fails is said, and its status is the exit status" {
	run -7 --separate-stderr "$MEMWATCH" compare --run 'sleep 0.3' --run 'sleep 0.3; exit 7'
	grep -qxF "memwatch: new, run 1 of 1: failed with exit status 7" <<<"$stderr"
	[ "$(tail -n 1 <<<"$stderr")" = "memwatch: new failed in 1 of 1 run: its figures are those of runs that failed" ]
	[ -n "$output" ]
	run -127 --separate-stderr "$MEMWATCH" compare --run no-such-program-here --run 'sleep 0.2'
	grep -qxF "memwatch: base, run 1 of 1: failed with exit status 127" <<<"$stderr"
	grep -qxF "memwatch: new, run 1 of 1: exit status 0" <<<"$stderr"
	# shellcheck disable=SC2016
	run -139 --separate-stderr "$MEMWATCH" compare --run 'sleep 0.2' --run 'ulimit -c 0; kill -SEGV $$'
	grep -q "^memwatch: new, run 1 of 1: ended by signal 11 " <<<"$stderr"
	left_clean
}

# interrupted SIGNAL HOW [COMMAND]: HOW is "alone", or "group" as a terminal does it; COMMAND writes its number into first
interrupted()
{
	local status=0
	# shellcheck disable=SC2016
	local command=${3:-'echo $$ >first; exec sleep 600'}
	set -m
	env --default-signal="$1" "$MEMWATCH" compare --run "$command" --run 'touch second' >out 2>words 3>&- 4>&- &
	pid=$!
	set +m
	started+=("$pid")
	await test -s first
	if [ "$2" = group ]; then kill -"$1" -- "-$pid"; else kill -"$1" "$pid"; fi
	wait "$pid" || status=$?
	[ "$status" -eq $((128 + $(kill -l "$1"))) ]
	[ ! -e second ]
	[ ! -s out ]
	await gone "$(cat first)"
	grep -qx 'memwatch: interrupted: nothing is compared' words
	left_clean
	rm first
}

@test "Ctrl-C and a signal to memwatch alone end the run and all that follow" {
	interrupted INT group
	interrupted INT alone
	interrupted TERM alone
	interrupted HUP alone
}

@test "a signal to memwatch alone also ends what the shell of the command has started" {
	# shellcheck disable=SC2016
	interrupted TERM alone 'sh -c "echo \$\$ >first; exec sleep 600"; true'
}

parent_of()
{
	awk '$1 == "PPid:" { print $2 }' "/proc/$1/status"
}

@test "what a run that is over has left on purpose is neither ended nor taken over" {
	# shellcheck disable=SC2016
	env --default-signal=TERM "$MEMWATCH" compare --run 'setsid sleep 600 & echo $! >daemon' \
		--run 'echo $$ >second; exec sleep 600' >out 2>words 3>&- 4>&- &
	pid=$!
	started+=("$pid")
	await test -s second
	daemon=$(cat daemon)
	started+=("$daemon")
	[ "$(parent_of "$daemon")" != "$pid" ]
	kill -TERM "$pid"
	wait "$pid" || true
	await gone "$(cat second)"
	run ! gone "$daemon"
}

@test "nothing is left behind where nobody reads what is said" {
	"$MEMWATCH" compare --run "sleep 0.2" --run "sleep 0.2" 2>&1 | true
	left_clean
}

@test "bad command lines" {
	run -125 --separate-stderr "$MEMWATCH" compare --run true
	says "memwatch: --run: one command is BASE, a second --run is NEW"
	run -125 --separate-stderr "$MEMWATCH" compare --run true --run true --run true
	says "memwatch: --run: given more than 2 times"
	run -125 --separate-stderr "$MEMWATCH" compare --run true --run true a.csv
	says "memwatch: --run and a.csv exclude each other"
	run -125 --separate-stderr "$MEMWATCH" compare --times 0 --run true --run true
	says "memwatch: --times: '0' is not a number from 1 to 32"
	run -125 --separate-stderr "$MEMWATCH" compare --times 2 a.csv b.csv
	says "memwatch: --times: goes with --run only"
	run -125 --separate-stderr "$MEMWATCH" compare -o dir a.csv b.csv
	says "memwatch: --output: goes with --run only"
	touch file
	run -125 --separate-stderr "$MEMWATCH" compare -o file/x --run true --run true
	says "memwatch: --output: cannot make the directory 'file/x': Not a directory"
}
