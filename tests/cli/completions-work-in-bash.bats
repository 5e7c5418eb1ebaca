#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Each row: what is typed, what the line becomes when all completions of its last word are inserted.
load helper
load completions

@test "bash completes options, values, commands and the program to run" {
	command -v bash >/dev/null || skip "bash is not installed"
	completions_agree typed_in_bash
}

@test "bash offers every option of every command" {
	command -v bash >/dev/null || skip "bash is not installed"
	offers_every_option typed_in_bash
}

typed_in_bash() {
	"$BATS_TEST_DIRNAME/complete-in" bash "memwatch $1"
}
