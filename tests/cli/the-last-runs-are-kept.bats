#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Without -o the samples of a run are kept in the user's state folder, for report and compare; nothing of that is ever the
# run's trouble.
load helper

setup()
{
	cd "$BATS_TEST_TMPDIR" || return 1
	export XDG_STATE_HOME=$BATS_TEST_TMPDIR/state
	KEPT=$XDG_STATE_HOME/memwatch
}

# A command that goes on until so many runs are kept.
# shellcheck disable=SC2016  # for that shell
UNTIL_KEPT='. "$AWAIT"; enough() { set -- "$1" "$XDG_STATE_HOME"/memwatch/*.csv; [ $(($# - 1)) -ge "$1" ] && [ -s "$2" ]; }; await enough "$0"'

run_until_kept()
{
	"$MEMWATCH" -q -i 20ms "${@:2}" -- sh -c "$UNTIL_KEPT" "$1"
}

# A command that lives for longer than runs have to last to be kept.
# shellcheck disable=SC2016  # for that shell
LONG_ENOUGH='. "$AWAIT"; began=$(date +%s%N); old() { [ $(($(date +%s%N) - began)) -gt 2600000000 ]; }; await old'

files()
{
	find "$KEPT" -type f 2>/dev/null | wc -l
}

@test "a run is kept, for its user alone, under a name that does not say what ran" {
	run_until_kept 1
	[ "$(files)" -eq 1 ]
	[ "$(stat -c %a "$KEPT")" = 700 ]
	[ "$(stat -c %a "$KEPT"/*)" = 600 ]
	[[ "$(ls "$KEPT")" =~ ^20[0-9]{6}T[0-9]{6}Z-[0-9]+\.csv$ ]]
	csv_is_whole "$KEPT"/*.csv
	[ "$(head -n 1 "$KEPT"/*.csv)" = "$HEADER" ]
}

@test "report without a file takes the last run, says which, and writes what is asked for" {
	run_until_kept 1
	run --separate-stderr "$MEMWATCH" report
	[ "$status" -eq 0 ]
	[[ "$stderr" == "memwatch: report: the run that was kept "*" ago, $KEPT/"*.csv ]]
	[[ "${lines[0]}" == "$KEPT/"*" samples" ]]
	run --separate-stderr "$MEMWATCH" -q report -r run.json
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	grep -q '"name":"host"' run.json
}

@test "compare: the last two runs, or a file and the last run" {
	run_until_kept 1
	run --separate-stderr "$MEMWATCH" compare
	[ "$status" -eq 125 ]
	says "memwatch: compare: which FILE? only one run is kept in '$KEPT' (see memwatch --help)"
	first=$(echo "$KEPT"/*)
	run_until_kept 2
	run --separate-stderr "$MEMWATCH" compare
	[ "$status" -eq 0 ]
	[[ "$output" == *"base: $first; new: $KEPT/"* ]]
	[ "$(wc -l <<<"$stderr")" -eq 2 ]
	cp "$first" own.csv
	run --separate-stderr "$MEMWATCH" compare own.csv
	[[ "$output" == *"base: own.csv; new: $KEPT/"* ]]
	[[ "$output" != *"new: $first"* ]]
}

@test "without any kept run both say what is missing" {
	run --separate-stderr "$MEMWATCH" report
	[ "$status" -eq 125 ]
	says "memwatch: report: which FILE? no run is kept in '$KEPT' (see memwatch --help)"
	run --separate-stderr env -u XDG_STATE_HOME -u HOME "$MEMWATCH" compare
	[ "$status" -eq 125 ]
	says "memwatch: compare: which FILE? (see memwatch --help)"
}

@test "--no-keep, -o and runs of less than two seconds keep nothing" {
	"$MEMWATCH" -q --no-keep -- sh -c "$LONG_ENOUGH"
	"$MEMWATCH" -q -o own.csv -- sh -c "$LONG_ENOUGH"
	for _ in $(seq 20); do "$MEMWATCH" -q -- true; done
	[ ! -e "$XDG_STATE_HOME" ]
}

@test "attached runs are kept too, and one that goes on is not the last one" {
	start sleep 1000
	start script -qec "'$MEMWATCH' -q -i 20ms --pid $pid" /dev/null
	watching=$pid
	enough() { [ "$(files)" -eq "$1" ] && [ -s "$(echo "$KEPT"/*)" ]; }
	await enough 1
	running=$(echo "$KEPT"/*)
	run --separate-stderr "$MEMWATCH" report
	[[ "$stderr" == *"$running" ]] # there is no other
	run_until_kept 2
	run --separate-stderr "$MEMWATCH" report
	[[ "$stderr" != *"$running" ]]
	kill "$watching"
}

@test "runs at one time keep a file each" {
	local i pids=()
	for i in 1 2 3 4; do
		run_until_kept 4 3>&- &
		pids+=($!)
	done
	wait "${pids[@]}"
	[ "$(files)" -eq 4 ]
	for i in "$KEPT"/*; do csv_is_whole "$i"; done
}

@test "what was kept outlives a memwatch that is killed" {
	# shellcheck disable=SC2016  # for that shell
	run "$MEMWATCH" -q -i 20ms -- sh -c "$UNTIL_KEPT"'; kill -9 "$PPID"' 1
	csv_is_whole "$KEPT"/*.csv
	run --separate-stderr "$MEMWATCH" report
	[ "$status" -eq 0 ]
}

# unkept WHY COMMAND...: runs that cannot be kept say nothing, but with -v, and are as they are without
unkept()
{
	local why=$1
	shift
	run --separate-stderr "$@" "$MEMWATCH" -i 20ms -- sh -c "$LONG_ENOUGH; echo out; exit 7"
	[ "$status" -eq 7 ]
	[ "$output" = out ]
	[[ "$stderr" != *kept* ]]
	run --separate-stderr "$@" "$MEMWATCH" -v -i 20ms -- sh -c "$LONG_ENOUGH; echo out; exit 7"
	[ "$status" -eq 7 ]
	grep -qE "^memwatch: samples are not kept.*$why" <<<"$stderr"
}

@test "no home, a dead home, a folder that may not be written: nothing but a word with -v" {
	unkept 'neither XDG_STATE_HOME nor HOME is set' env -u XDG_STATE_HOME -u HOME
	unkept "in '/nowhere/at/all/memwatch': " env XDG_STATE_HOME=/nowhere/at/all
	unkept "in '/proc/memwatch': " env XDG_STATE_HOME=/proc
	touch file
	unkept 'Not a directory' env XDG_STATE_HOME="$PWD/file"
}

@test "a home that belongs to somebody else is left alone" {
	[ "$(id -u)" -eq 0 ] || skip "needs root"
	mkdir theirs
	chown 65534 theirs
	unkept 'Operation not permitted' env -u XDG_STATE_HOME HOME="$PWD/theirs"
	[ -z "$(ls -A theirs)" ]
}

@test "a disk that is full keeps what fits" {
	run --separate-stderr sh -c "ulimit -f 8; exec '$MEMWATCH' -v -i 1ms -- sh -c '$LONG_ENOUGH; exit 7'"
	[ "$status" -eq 7 ]
	grep -q '^memwatch: samples are not kept in .*: File too large$' <<<"$stderr"
	csv_is_whole "$KEPT"/*.csv
	[ "$(stat -c %s "$KEPT"/*)" -le 8192 ]
}
