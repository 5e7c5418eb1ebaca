#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Each command line of the README that plots or reads a CSV is taken from the README itself and run, with the training
# program and the display replaced: "python fit.py" runs a small workload, gnuplot draws as text, feedgnuplot to a file.
load helper

# Lines of code blocks (fenced, or indented by four) that name one of these tools, continued lines joined.
one_liners()
{
	awk '/^```/ { fenced = !fenced; next } fenced || /^    / { sub(/^    /, ""); print }' "$ROOT/README.md" |
		sed -e ':a' -e '/\\$/{N;s/\\\n *//;ba' -e '}' | grep -E "(^|[| ])$1( |\$)" | grep -v '^#' || true
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
	printf '#!/bin/sh\nexec /usr/bin/gnuplot -e "set terminal dumb" "$@"\n' >bin/gnuplot
	printf '#!/bin/sh\nexec /usr/bin/feedgnuplot --terminal "dumb 79,20" --exit "$@"\n' >bin/feedgnuplot
	chmod +x bin/*
	PATH=$PWD/bin:$PATH
	export MPLBACKEND=Agg
	memwatch -q -i 20ms -o run.csv -- python fit.py >/dev/null
	start "$WORKLOAD/flat" 20 4 100 >/dev/null
}

# Runs every one-liner of a tool; at least one must be there, each must end well and say something.
run_all()
{
	local text n=0
	grep -q "$1" "$ROOT/README.md" || skip "the README shows no $1 yet"
	command -v "$1" >/dev/null || [ "$1" = pandas ] || skip "$1 is not installed"
	prepare
	while IFS= read -r text; do
		text=${text//1234/$pid}
		text=${text#\$ }
		n=$((n + 1))
		echo "README: $text"
		run timeout 60 bash -c "set -o pipefail; $text"
		echo "$output" | head -n 30
		[ "$status" -eq 0 ]
		[ -n "$output" ] || ls ./*.png ./*.svg
	done < <(one_liners "$1")
	[ "$n" -ge 1 ]
}

@test "gnuplot" {
	run_all gnuplot
}

@test "feedgnuplot" {
	run_all feedgnuplot
}

@test "mlr" {
	run_all mlr
}

@test "csvstat" {
	run_all csvstat
}

@test "pandas" {
	[ -e "$ROOT/build/venv/ready" ] || skip "pandas could not be had from PyPI"
	run_all pandas
}

@test "a recorded run is what these tools expect, README or not" {
	"$MEMWATCH" -q -i 20ms -o run.csv -- "$WORKLOAD/leak" 4 4 100 >/dev/null
	if command -v gnuplot >/dev/null; then
		gnuplot -e 'set terminal dumb; set datafile separator ","; plot "run.csv" using "elapsed_s":"rss_bytes" with lines' | grep -q rss_bytes
	fi
	if command -v mlr >/dev/null; then
		[ "$(mlr --icsv --ojson stats1 -a count -f rss_bytes run.csv | grep -c rss_bytes_count)" -eq 1 ]
	fi
}

@test "pandas reads every column as numbers" {
	[ -e "$ROOT/build/venv/ready" ] || skip "pandas could not be had from PyPI"
	"$MEMWATCH" -q -i 20ms -o run.csv -- "$WORKLOAD/leak" 4 4 100 >/dev/null
	"$ROOT/build/venv/bin/python" -c '
import pandas
t = pandas.read_csv("run.csv")
assert list(t.columns)[:5] == ["elapsed_s", "time", "epoch", "procs", "rss_bytes"], t.columns
assert all(str(d) != "object" for d in t.dtypes), t.dtypes
assert t.rss_bytes.is_monotonic_increasing or t.rss_bytes.max() > t.rss_bytes.iloc[0]'
}
