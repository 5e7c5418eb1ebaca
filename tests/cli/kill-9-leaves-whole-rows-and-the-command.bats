#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# memwatch is killed at fifty moments drawn from a fixed seed: inside start-up, between rows, inside a row.
load helper

whole_but_the_last()
{
	# A file without any byte is a run killed before its header.
	[ ! -s "$1" ] && return
	sed '$d' "$1" >most
	[ "$(tail -c 1 "$1" | od -An -tx1)" != " 0a" ] || cp "$1" most
	[ ! -s most ] || csv_is_whole most
}

@test "SIGKILL at fifty moments: every CSV parses, the command always finishes" {
	RANDOM=4711
	for i in {1..50}; do
		rm -f go
		"$MEMWATCH" -q -i 1ms -o "run$i.csv" -- sh -c "while [ ! -e go ]; do sleep 0.005; done; echo finished >end$i" 3>&- &
		pid=$!
		# Every second time from the first row on, else from the start: a slow build may not have begun yet.
		[ $((i % 2)) -eq 0 ] || await has_rows "run$i.csv" 1
		sleep "0.0$((RANDOM % 90 + 10))"
		kill -KILL "$pid"
		{ wait "$pid" || true; } 2>/dev/null
		[ -e "run$i.csv" ] || continue # killed before it began: then there is no command either
		whole_but_the_last "run$i.csv"
		touch go
		[ ! -s "run$i.csv" ] || await test -s "end$i"
	done
	[ "$(find . -name "end*" | wc -l)" -ge 25 ]
}
