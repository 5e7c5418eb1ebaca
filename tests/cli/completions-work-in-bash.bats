#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Each row: what is typed, what the line becomes when all completions of its last word are inserted.
load helper
load completions

@test "bash completes options, values, commands and the program to run" {
	command -v bash >/dev/null || skip "bash is not installed"
	completions_agree typed_in_bash
}

@test "bash completes a value that may be left out" {
	command -v bash >/dev/null || skip "bash is not installed"
	[ "$(typed_in_bash "--unbuffered ne")" = $'--unbuffered\nnever' ]
}

@test "bash offers to fail on what the command can find" {
	command -v bash >/dev/null || skip "bash is not installed"
	[ "$(typed_in_bash "compare --fail-on ")" = $'compare\n--fail-on\nregression' ]
	[ "$(typed_in_bash "report --fail-on r")" = $'report\n--fail-on\nr' ]
	[ "$(typed_in_bash "--fail-on re")" = $'--fail-on\nretained' ]
}

@test "bash offers every option of every command" {
	command -v bash >/dev/null || skip "bash is not installed"
	offers_every_option typed_in_bash
}

@test "what needs more behind it gets no blank in bash" {
	command -v bash >/dev/null || skip "bash is not installed"
	[ "$("$BATS_TEST_DIRNAME/complete-in" bash "memwatch --epochs ev" 5s)" = $'--epochs\nevery:5s' ]
	[ "$("$BATS_TEST_DIRNAME/complete-in" bash "memwatch -e lo" x)" = $'-e\nlog:x' ]
	[ "$("$BATS_TEST_DIRNAME/complete-in" bash "memwatch -e no" x)" = $'-e\nnone\nx' ]
}

typed_in_bash() {
	"$BATS_TEST_DIRNAME/complete-in" bash "memwatch $1"
}
