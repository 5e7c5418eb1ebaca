# SPDX-License-Identifier: MIT
# What the command-line tests share. MEMWATCH is the program under test; each test has its own directory as cwd.
bats_require_minimum_version 1.5.0

ROOT=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
: "${MEMWATCH:=$ROOT/memwatch}"
WORKLOAD=$ROOT/build/tests/workload
PROBE=$ROOT/build/tests/probe
HEADER=$(grep -m 1 '^elapsed_s,' "$ROOT/man/memwatch.5") # the manual is the contract
unset NO_COLOR RANK OMPI_COMM_WORLD_RANK PMI_RANK SLURM_PROCID
export AWAIT=$BATS_TEST_DIRNAME/await.sh
# shellcheck source=tests/cli/await.sh
. "$AWAIT"

# The header of a run with these columns of GPUs.
header_with()
{
	echo "${HEADER/limit_bytes/limit_bytes,$1}"
}

# A memwatch that is killed leaves its marks behind: in a folder that goes with the run, and that all may pass.
export TMPDIR=$BATS_RUN_TMPDIR
chmod 711 "$BATS_RUN_TMPDIR"

# Samples that are kept are kept there, not in the home of who runs the tests.
export XDG_STATE_HOME=$BATS_RUN_TMPDIR/state

# What --explain puts into a Python program, as this memwatch has it.
put_agent()
{
	# shellcheck disable=SC2016
	"$MEMWATCH" -q --explain -- sh -c 'cat "${PYTHONPATH%%:*}/agent.py"' >agent.py
}

setup()
{
	cd "$BATS_TEST_TMPDIR" || return 1
}

teardown()
{
	end_started
}

end_started()
{
	local pid
	for pid in "${started[@]}"; do
		{ kill -KILL "$pid" && wait "$pid"; } 2>/dev/null || true
	done
}

# Starts a program in the background, away from bats' descriptors, that teardown ends; its number is in $pid. Until its
# exec it would be this shell to whoever looks.
started=()
start()
{
	"$@" 3>&- 4>&- &
	pid=$!
	started+=("$pid")
	while cmp -s "/proc/$$/cmdline" "/proc/$pid/cmdline"; do sleep 0.01; done
}

# A command to be watched that lives until FILE has N rows: sh -c "$AWAIT_ROWS" FILE N
# shellcheck disable=SC2016  # for that shell
AWAIT_ROWS='. "$AWAIT"; await has_rows "$0" "$1"'

# A run as CSV, rising by 8 MB in each of 20 epochs: leak_csv >FILE
leak_csv()
{
	awk -v OFS=, 'BEGIN {
		print "elapsed_s", "epoch", "rss_bytes", "anon_bytes"
		for (i = 0; i < 400; i++)
			print i / 10, int(i / 20), 300000000 + int(i / 20) * 8000000, 300000000 + int(i / 20) * 8000000
	}'
}

gone()
{
	[ ! -d "/proc/$1" ] || grep -q '^State:.[ZX]' "/proc/$1/status" 2>/dev/null || [ ! -d "/proc/$1" ]
}

# Every row whole: as many cells as the header, each empty or a number, elapsed_s rising.
csv_is_whole()
{
	awk -F, '
		NR == 1 { n = NF; if (substr($0, 1, 10) != "elapsed_s,") { print "header: " $0; bad = 1 } next }
		NF != n { print "row " NR " has " NF " cells of " n ": " $0; bad = 1 }
		$1 !~ /^[0-9]+\.[0-9][0-9][0-9]$/ || $2 !~ /^[0-9]+\.[0-9][0-9][0-9]$/ { print "time in row " NR ": " $0; bad = 1 }
		{ for (i = 3; i <= NF; i++) if ($i !~ /^[0-9]*$/) { print "cell " i " in row " NR ": " $0; bad = 1 } }
		$1 + 0 < last { print "time runs back in row " NR; bad = 1 }
		{ last = $1 + 0 }
		END { if (NR == 0) { print "no header"; bad = 1 } exit bad }' "$1"
	[ "$(tail -c 1 "$1" | od -An -tx1 | tr -d ' ')" = 0a ]
}

# says TEXT: standard error is exactly this one line, and nothing is on standard output.
says()
{
	# shellcheck disable=SC2154  # set by run --separate-stderr
	[ "$stderr" = "$1" ] && [ -z "$output" ] && return
	printf 'expected: %s\nstderr:   %s\nstdout:   %s\n' "$1" "$stderr" "$output"
	return 1
}
