#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Each block of the README that plots or reads a CSV is taken from the README itself and run, with the training program
# replaced: "python fit.py" runs a small workload, and process 1234 is one.
load helper

# Fenced blocks of shell that name a tool, one to a file: block.1, block.2...
blocks()
{
	awk -v tool="$1" '
		/^```sh/ { text = ""; inside = 1; next }
		/^```/ { if (inside && text ~ "(^|[| ])" tool "[ .]") printf "%s", text > ("block." ++n); inside = 0; next }
		inside { text = text $0 "\n" }' "$ROOT/README.md"
}

prepare()
{
	mkdir bin
	ln -s "$MEMWATCH" bin/memwatch
	cat >bin/python <<END
#!/bin/sh
case \$1 in
*.py) exec "$WORKLOAD/leak" 4 4 100 ;;
*) exec "$ROOT/build/venv/bin/python" "\$@" ;;
esac
END
	cp bin/python bin/python3
	chmod +x bin/*
	PATH=$PWD/bin:$PATH
	export MPLBACKEND=Agg
	PACE=run.csv memwatch -q -i 20ms -o run.csv -- python fit.py >/dev/null
}

# Process 1234: lives until memwatch has watched it for twenty ticks and something was said of it.
# shellcheck disable=SC2016  # for its shell
TARGET='. "$AWAIT"; is_watched() { watcher=$(pgrep -o -f "[-]-pid $$ ") && slept "$watcher" 20; }
	await is_watched && await test -s said && touch live'

# Runs every block of a tool; at least one must be there, each must end well and say something.
run_all()
{
	local block
	command -v "${2:-$1}" >/dev/null || skip "${2:-$1} is not installed"
	prepare
	blocks "$1"
	for block in block.*; do
		start sh -c "$TARGET" >/dev/null
		sed -i "s/1234/$pid/" "$block"
		cat "$block"
		status=0
		timeout 120 bash -o pipefail "$block" >said 2>words || status=$?
		echo "status $status: $(cat said words)" | head -n 30
		[ "$status" -eq 0 ]
		[ -s said ]
		! grep -q -- --pid "$block" || [ -e live ]
		rm -f live said
	done
}

@test "gnuplot" {
	run_all gnuplot
}

@test "feedgnuplot" {
	run_all feedgnuplot
}

@test "pandas" {
	[ -e "$ROOT/build/venv/ready" ] || skip "pandas could not be had from PyPI"
	run_all pandas python3
}

@test "a recorded run is what these tools expect, README or not" {
	PACE=run.csv "$MEMWATCH" -q -i 20ms -o run.csv -- "$WORKLOAD/leak" 4 4 100 >/dev/null
	if command -v gnuplot >/dev/null; then
		gnuplot -e 'set terminal dumb; set key below; set datafile separator ","; plot "run.csv" using "elapsed_s":"rss_bytes" with lines' | grep -q rss_bytes
	fi
	if command -v mlr >/dev/null; then
		[ "$(mlr --icsv --ojson stats1 -a count -f rss_bytes run.csv | grep -c rss_bytes_count)" -eq 1 ]
	fi
}

@test "pandas reads every column as numbers" {
	[ -e "$ROOT/build/venv/ready" ] || skip "pandas could not be had from PyPI"
	PACE=run.csv "$MEMWATCH" -q -i 20ms -o run.csv -- "$WORKLOAD/leak" 4 4 100 >/dev/null
	"$ROOT/build/venv/bin/python" -c '
import pandas
t = pandas.read_csv("run.csv")
assert list(t.columns)[:5] == ["elapsed_s", "time", "epoch", "procs", "rss_bytes"], t.columns
assert all(str(d) != "object" for d in t.dtypes), t.dtypes
assert t.rss_bytes.is_monotonic_increasing or t.rss_bytes.max() > t.rss_bytes.iloc[0]'
}
