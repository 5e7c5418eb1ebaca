#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Each row: what is typed, what the line becomes when all completions of its last word are inserted.
load helper
load completions

@test "zsh completes options, values, commands and the program to run" {
	command -v zsh >/dev/null || skip "zsh is not installed"
	completions_agree typed_in_zsh
}

@test "zsh completes a value that may be left out" {
	command -v zsh >/dev/null || skip "zsh is not installed"
	[ "$(typed_in_zsh "--unbuffered=ne")" = --unbuffered=never ]
}

@test "zsh offers every option of every command" {
	command -v zsh >/dev/null || skip "zsh is not installed"
	offers_every_option typed_in_zsh
}

@test "what needs more behind it gets no blank in zsh" {
	command -v zsh >/dev/null || skip "zsh is not installed"
	[ "$("$BATS_TEST_DIRNAME/complete-in" zsh "memwatch --epochs ev" 5s)" = $'--epochs\nevery:5s' ]
	[ "$("$BATS_TEST_DIRNAME/complete-in" zsh "memwatch -e lo" x)" = $'-e\nlog:x' ]
	[ "$("$BATS_TEST_DIRNAME/complete-in" zsh "memwatch -e no" x)" = $'-e\nnone\nx' ]
}

typed_in_zsh() {
	"$BATS_TEST_DIRNAME/complete-in" zsh "memwatch $1"
}
