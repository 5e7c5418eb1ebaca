#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
load helper
load completions

@test "fish completes options, values, commands and the program to run" {
	command -v fish >/dev/null || skip "fish is not installed"
	completions_agree typed_in_fish
}

@test "fish completes a value that may be left out" {
	command -v fish >/dev/null || skip "fish is not installed"
	[ "$(typed_in_fish "--unbuffered ne")" = $'--unbuffered\nnever' ]
}

@test "fish offers every option of every command" {
	command -v fish >/dev/null || skip "fish is not installed"
	offers_every_option typed_in_fish
}

# fish says what it would insert; the words before it are ours to repeat, as the other shells show them.
typed_in_fish() {
	local last=${1##* }
	[ "$last" = "$1" ] || tr ' ' '\n' <<<"${1% *}"
	fish --no-config -c "source '$ROOT/completions/memwatch.fish'; complete -C \"\$argv[1]\"" "memwatch $1" | cut -f 1
}
