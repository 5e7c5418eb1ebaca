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
7 watch
6 options* output* report* judge words advice jsonout summary live* layout* metrics* onset* alerts hook ending culprit where
5 detector*
4 series* epoch* mark* held_series
3 source* host system
2 attach wrap sentry forward relay* monitor mate target* member tree proclist pss held pidmap cgroup gpu* nvml*
1 sample csvcols csvread
0 *
END
}

layer_of()
{
	local level patterns pattern
	while read -r level patterns; do
		set -f
		for pattern in $patterns; do
			# shellcheck disable=SC2254  # a pattern is meant
			case $1 in $pattern) set +f; echo "$level"; return ;; esac
		done
		set +f
	done < <(layers)
}

@test "#include lines go one way" {
	local bad=0 file name header
	for file in "$ROOT"/src/*.[ch]; do
		name=$(basename "$file")
		while read -r header; do
			if [ "$(layer_of "${header%.h}")" -gt "$(layer_of "${name%.?}")" ]; then
				echo "src/$name (layer $(layer_of "${name%.?}")) includes $header (layer $(layer_of "${header%.h}"))"
				bad=1
			fi
		done < <(sed -n 's/^#include "\(.*\)"/\1/p' "$file")
	done
	[ "$bad" -eq 0 ]
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
