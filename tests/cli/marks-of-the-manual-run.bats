#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The manual shows the marks of tests/snippets, word for word, the README some of them; those that need no framework are
# run here, all of them in tests/frameworks/run.
load helper

SNIPPETS=$ROOT/tests/snippets

# block FILE START END: the literal blocks of a text, one to a file: block.1, block.2...
blocks()
{
	awk -v start="$2" -v end="$3" '
		$0 ~ end && inside { close(name); inside = 0 }
		inside { print >name }
		$0 ~ start && !inside { inside = 1; name = "block." ++n; printf "" >name }' "$1"
}

shown()
{
	local block
	for block in block.*; do
		if cmp -s "$block" "$1"; then
			return
		fi
	done
	echo "no block is the same as $1"
	return 1
}

@test "the README shows those for Keras and for any other loop" {
	blocks "$ROOT/README.md" '^```(python|sh)$' '^```$'
	shown "$SNIPPETS/marks_keras.py"
	shown "$SNIPPETS/marks_plain.py"
}

@test "the manual shows each" {
	sed 's/\\e/\\/g' "$ROOT/man/memwatch.1" >manual
	blocks manual '^[.]Bd -literal' '^[.]Ed'
	for snippet in "$SNIPPETS"/marks_*; do
		shown "$snippet"
	done
}

marked()
{
	PACE=run.csv "$MEMWATCH" -i 10ms -o run.csv -r run.json -- "$@" 2>words
	grep -q '"epochs_from":{"way":"marks","format":null,"found":3,' run.json
	grep -q '^epochs: 3 marked' words
}

@test "plain Python" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	marked python3 -B "$SNIPPETS/train.py" plain
}

@test "a shell script" {
	mkdir bin
	# Each mark is read before the next one, however busy the machine is.
	printf '#!/bin/sh\n. "$AWAIT"\n"%s" "$@" && await_more_rows run.csv 2\n' "$MEMWATCH" >bin/memwatch
	chmod +x bin/memwatch
	PATH=$PWD/bin:$PATH marked sh "$SNIPPETS/marks_shell.sh"
}

@test "without memwatch a mark does nothing" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	env -u MEMWATCH_MARKS python3 -B "$SNIPPETS/train.py" plain
}
