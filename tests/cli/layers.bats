#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# One direction only: base, target, sources, sample, series, detector, outputs, commands, main. A file includes headers
# of its own layer and of those before it. Rows: the layer, then patterns of its files; the first match counts.
load helper

layers()
{
	cat <<'END'
9 main
8 cmd_*
7 watch* attach_run wrap_run
6 options* output* report* judge words* advice jsonout summary live* layout* metrics* onset* alerts hook ending culprit where
5 detector*
4 series* crowd codepages epoch* mark* held_series
3 source* host system mappings culprit
2 attach wrap sentry forward relay* monitor mate target* member tree proclist pss held pidmap cgroup gpu* nvml*
1 sample csvcols csvread
0 *
END
}

@test "#include lines go one way" {
	layers >table
	awk '
		FILENAME == "table" { for (i = 2; i <= NF; i++) { gsub(/\*/, ".*", $i); pattern[++n] = "^" $i "$"; level[n] = $1 } next }
		function layer(name) { sub(/.*\//, "", name); sub(/\.[ch]$/, "", name); for (i = 1; i <= n; i++) if (name ~ pattern[i]) return level[i] }
		/^#include "/ {
			split($2, part, "\"")
			if (layer(part[2]) > layer(FILENAME)) {
				print FILENAME " (layer " layer(FILENAME) ") includes " part[2] " (layer " layer(part[2]) ")"
				bad = 1
			}
		}
		END { exit bad }' table "$ROOT"/src/*.[ch]
}

@test "no header includes itself in a circle" {
	cd "$ROOT/src"
	for header in *.h; do
		echo "$header $header"
		sed -n "s/^#include \"\(.*\)\"/$header \1/p" "$header"
	done | tsort >/dev/null
}

@test "every header stands alone" {
	cd "$ROOT/src"
	for header in *.h; do
		echo "#include \"$header\"" | ${CC:-cc} -std=c11 -D_GNU_SOURCE -Wall -Werror -fsyntax-only -I. -x c -
	done
}

@test "the detector and the series do no input, output or clock" {
	run ! grep -nE '#include <(stdio|fcntl|unistd|time|sys/.*)\.h>|#include "(clock|msg)\.h"' "$ROOT"/src/detector*.c "$ROOT"/src/series.c
}

@test "only the outer layers speak" {
	run ! grep -lE '\b(warn|note|die|say|detail)\(' "$ROOT"/src/source_*.c "$ROOT"/src/detector*.c "$ROOT"/src/series.c \
		"$ROOT"/src/output_csv.c "$ROOT"/src/procfile.c "$ROOT"/src/units.c
}
