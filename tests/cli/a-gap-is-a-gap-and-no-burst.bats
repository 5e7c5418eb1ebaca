#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
load helper

# ticks WORDS: all that memwatch knows of: the rows, but for the one at the start, and what was missed
ticks()
{
	echo $(($(rows run.csv) - 1 + $(grep -oE '[0-9,]+ missed' "$1" | tr -d ', a-z')))
}

# tick_of N INTERVAL_MS: how many had passed when the Nth row from the end was taken
tick_of()
{
	tail -n "$1" run.csv | awk -F, -v each="$2" 'NR == 1 { printf "%d", $1 * 1000 / each }'
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
	# One row may follow at once, since ticks are absolute; the gap's 15 ticks in a burst would be rows, and not missed.
	missed=$(grep -oE '[0-9,]+ missed' words | tr -d ', a-z')
	[ "$missed" -ge $((gap / 20 - 2)) ]
}

@test "rows stay on the grid of the interval: no drift, and late rows shift nothing" {
	start "$MEMWATCH" -i 1ms -o run.csv -- sh -c "$AWAIT_ROWS" run.csv 800 2>words
	for n in 100 200 300 400 500 600 700; do
		await has_rows run.csv "$n"
		kill -STOP "$pid"
		kill -CONT "$pid"
	done
	wait "$pid"
	# A row that is 0.1 ms behind the schedule of the one before would make 80 ticks.
	[ "$(ticks words)" -ge "$(tick_of 2 1)" ]
}

@test "missed ticks and rows add up to the time" {
	"$MEMWATCH" -i 10ms -o run.csv -- sh -c "$AWAIT_ROWS" run.csv 50 2>words
	end=$(date +%s%3N)
	start=$(sed -n 2p run.csv | cut -d, -f2 | tr -d .)
	[ "$(ticks words)" -ge "$(tick_of 2 10)" ] # of the last row but one: the last has taken all that passed before it
	[ "$(ticks words)" -le $(((end - start) / 10)) ]
}
