#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# A folder of src/ is a layer: its files include headers of it and of the folders above it in the list of src/README.md.
# Everything else follows from the paths.
load helper

folders()
{
	sed -nE 's/^\| `([a-z]+)\/` \|.*/\1/p' "$1/README.md"
}

# Says each line of the tree $1 that breaks the rule; status 1 if there is one.
broken_includes()
{
	(
		cd "$1" || exit 2
		folders . >"$BATS_TEST_TMPDIR/folders"
		# shellcheck disable=SC2046
		awk '
			function layer(path) { split(path, part, "/"); return part[1] }
			FILENAME == ARGV[1] { rank[$1] = NR; next }
			!(layer(FILENAME) in rank) { if (!told[layer(FILENAME)]++) { print layer(FILENAME) "/ is not in the list"; bad = 1 } next }
			/^#include "/ {
				split($0, quoted, "\"")
				to = layer(quoted[2])
				if (!(to in rank) || quoted[2] !~ /^[a-z]+\/[a-z0-9_]+\.h$/)
					why = "is not written from src/"
				else if (rank[to] > rank[layer(FILENAME)])
					why = "lies below it"
				else
					next
				print FILENAME ": " quoted[2] " " why
				bad = 1
			}
			END { exit bad }' "$BATS_TEST_TMPDIR/folders" $(find . -mindepth 2 -name '*.[ch]' -printf '%P\n')
	)
}

@test "#include lines go one way" {
	broken_includes "$ROOT/src"
}

# A check that cannot fail proves nothing.
@test "an #include of a folder below would be found" {
	cp -r "$ROOT/src" tree
	echo '#include "watch/watch.h"' >>tree/host/tree.c
	echo '#include "tree.h"' >>tree/host/pss.c
	mkdir tree/attic
	echo >tree/attic/box.h
	run broken_includes tree
	[ "$status" -eq 1 ]
	[[ "$output" == *"host/tree.c: watch/watch.h lies below it"* ]]
	[[ "$output" == *"host/pss.c: tree.h is not written from src/"* ]]
	[[ "$output" == *"attic/ is not in the list"* ]]
}

@test "the list has every folder, and none that is not there" {
	diff <(folders "$ROOT/src" | sort) <(cd "$ROOT/src" && find . -mindepth 1 -maxdepth 1 -type d -printf '%P\n' | sort)
	[ -z "$(find "$ROOT/src" -maxdepth 1 -name '*.[ch]')" ]
}

@test "no header includes itself in a circle" {
	cd "$ROOT/src"
	for header in */*.h; do
		echo "$header $header"
		sed -n "s|^#include \"\(.*\)\"|$header \1|p" "$header"
	done | tsort >/dev/null
}

@test "every header stands alone" {
	cd "$ROOT/src"
	for header in */*.h; do
		echo "#include \"$header\"" | ${CC:-cc} -std=c11 -D_GNU_SOURCE -Wall -Werror -fsyntax-only -iquote . -x c -
	done
}

@test "the detector and the series do no input, output or clock" {
	run ! grep -nE '#include <(stdio|fcntl|unistd|time|sys/.*)\.h>|#include "base/(clock|msg)\.h"' "$ROOT"/src/detect/*.[ch] "$ROOT"/src/series/*.[ch]
}

@test "only the outer layers speak" {
	cd "$ROOT/src"
	run ! grep -nE '\b(warn|note|die|say|detail)\(' record/*.c host/*.c gpu/*.c command/*.c epochs/*.c series/*.c detect/*.c verdict/*.c
}
