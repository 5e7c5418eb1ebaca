#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
load helper

WAIT='while [ ! -e go ]; do sleep 0.01; done'

@test "the reader sees the end when COMMAND closes its standard output" {
	timeout 60 bash -c '"$0" -q -- sh -c "exec >&-; $1" | { cat; touch go; }; exit "${PIPESTATUS[0]}"' "$MEMWATCH" "$WAIT"
}

@test "the writer gets SIGPIPE when COMMAND closes its standard input" {
	timeout 60 bash -c '{ yes; touch go; } 2>/dev/null | "$0" -q -- sh -c "exec <&-; $1"; exit "${PIPESTATUS[1]}"' "$MEMWATCH" "$WAIT"
}

@test "with -o - the rows still reach standard output" {
	"$MEMWATCH" -q -o - -- sh -c 'echo x >&2' 2>/dev/null | grep -q '^elapsed_s,'
}
