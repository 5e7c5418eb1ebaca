#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
load helper

# The most rows in a row, each under half of the interval of 20 ms behind the one before.
bunched()
{
	awk -F, 'NR > 2 && $1 - last < 0.010 { if (++n > most) most = n; last = $1; next } { n = 0; last = $1 } END { print most + 0 }' "$1"
}

@test "SIGSTOP of memwatch gives a gap, the missed ticks are counted, the command runs on" {
	start "$MEMWATCH" -i 20ms -o run.csv -- sh -c "while [ ! -e go ]; do sleep 0.01; echo >>alive; done" 2>words
	await has_rows run.csv 5
	kill -STOP "$pid"
	at=$(wc -l <alive)
	moved() { [ "$(wc -l <alive)" -gt $((at + 30)) ]; }
	await moved
	kill -CONT "$pid"
	before=$(rows run.csv)
	await has_rows run.csv $((before + 5))
	touch go
	wait "$pid"
	csv_is_whole run.csv
	gap=$(awk -F, 'NR > 2 && $1 - last > m { m = $1 - last } { last = $1 } END { printf "%d", m * 1000 }' run.csv)
	[ "$gap" -ge 300 ]
	# One row may follow a late one at once, since ticks are absolute; the gap's 15 ticks would be a burst.
	[ "$(bunched run.csv)" -le 2 ]
	missed=$(grep -oE '[0-9,]+ missed' words | tr -d ', a-z')
	[ "$missed" -ge $((gap / 20 - 2)) ]
}

@test "rows stay on the grid of the interval: no drift" {
	"$MEMWATCH" -q -i 20ms -o run.csv -- sleep 1
	# Late rows are late, not shifted: the last one is still near a multiple of the interval.
	awk -F, 'NR > 2 { r = ($1 * 1000) % 20; if (r < 6 || r > 19) near++; n++ } END { print near, n; exit !(near > n / 2) }' run.csv
}

@test "missed ticks and rows add up to the time" {
	"$MEMWATCH" -i 10ms -o run.csv -- sleep 0.5 2>words
	missed=$(grep -oE '[0-9,]+ missed' words | tr -d ', a-z')
	last=$(tail -n 1 run.csv | awk -F, '{ printf "%d", $1 * 100 }')
	sum=$((missed + $(rows run.csv)))
	[ "$sum" -ge "$last" ]
	[ "$sum" -le $((last + 3)) ]
}
