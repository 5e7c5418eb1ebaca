# SPDX-License-Identifier: MIT
# What the tests with a fake GPU share: a scenario on standard input, a driver's generation, columns of a CSV by name.

# scenario VARIANT <<END: the world that the fake driver of this generation shows (tests/fakenvml/scenario.h).
scenario()
{
	cat >"$BATS_TEST_TMPDIR/scenario"
	export FAKENVML=$BATS_TEST_TMPDIR/scenario
	export MEMWATCH_NVML=$ROOT/build/fakenvml/$1/libnvidia-ml.so.1
}

# cells CSV COLUMN: the column's cells that are not empty, in one line, repetitions once.
cells()
{
	awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; if (!at) exit 1; next }
		$at != "" && (!n || $at "" != last) { printf "%s%s", n++ ? " " : "", $at; last = $at "" } END { print "" }' "$1"
}

# all_cells CSV COLUMN: every cell, "-" for empty, in one line.
all_cells()
{
	awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; if (!at) exit 1; next }
		{ printf "%s%s", n++ ? " " : "", $at == "" ? "-" : $at } END { print "" }' "$1"
}
