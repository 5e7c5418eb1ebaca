#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The whole range is in tests/transparency; here is what a script sees.
load helper

@test "status of the command" {
	run "$MEMWATCH" -q -- sh -c 'exit 7'
	[ "$status" -eq 7 ]
}

@test "death by signal is seen as such by the shell" {
	run "$MEMWATCH" -q -- sh -c 'kill -TERM $$'
	[ "$status" -eq 143 ]
}

@test "127 and the name when the command is not found" {
	run -127 --separate-stderr "$MEMWATCH" -- no-such-command-here
	says "memwatch: cannot run 'no-such-command-here': No such file or directory"
}

@test "127: a slip such as 'memwatch help' is shown the way to --help" {
	run -127 --separate-stderr "$MEMWATCH" help
	says "memwatch: cannot run 'help': No such file or directory (see memwatch --help)"
	run -127 --separate-stderr "$MEMWATCH" -q reprot x
	says "memwatch: cannot run 'reprot': No such file or directory (did you mean 'memwatch report'?)"
	run -127 --separate-stderr "$MEMWATCH" -- reprot x
	says "memwatch: cannot run 'reprot': No such file or directory"
}

@test "126 and the reason when the command cannot be run" {
	touch file
	run -126 --separate-stderr "$MEMWATCH" -- ./file
	says "memwatch: cannot run './file': Permission denied"
	run -126 --separate-stderr "$MEMWATCH" -- /usr
	says "memwatch: cannot run '/usr': Permission denied"
}

@test "125 and the limit when the stack is too small for a run" {
	run -125 --separate-stderr sh -c 'ulimit -s 128; exec "$0" -q -- sh -c "echo hi"' "$MEMWATCH"
	[[ $stderr = "memwatch: the limit of the stack, 128 KiB (ulimit -s), is too low: memwatch needs "*" KiB" ]]
	[ -z "$output" ]
	run -125 --separate-stderr sh -c 'ulimit -s 128; "$0" -q --pid $$; exit $?' "$MEMWATCH"
	[[ $stderr = *"the limit of the stack, 128 KiB"* ]]
}

@test "the stack that memwatch asks for is enough, with a large environment too" {
	local kib large
	large=$(head -c 90000 /dev/zero | tr '\0' x)
	for LARGE in "" "$large"; do
		run -125 --separate-stderr env LARGE="$LARGE" sh -c 'ulimit -s 128; exec "$0" -q -- echo hi' "$MEMWATCH"
		kib=${stderr##*needs } kib=${kib% KiB}
		run -0 --separate-stderr env LARGE="$LARGE" sh -c 'ulimit -s "$1"; exec "$0" -q -- echo hi' "$MEMWATCH" "$((kib + 8))"
		[ "$output" = hi ]
	done
}

@test "no row is written when the command cannot be run" {
	run -127 "$MEMWATCH" -q -o run.csv -- ./no-such
	[ "$(rows run.csv)" -eq 0 ]
}

@test "a command needs no dashes before it when its name is no option" {
	run "$MEMWATCH" -q sh -c 'exit 4'
	[ "$status" -eq 4 ]
	run "$MEMWATCH" -q -i 50ms echo -q --pid 1
	[ "$status" -eq 0 ]
	[ "$output" = "-q --pid 1" ]
}

@test "a short command leaves nothing but its own words, fifty times" {
	for _ in {1..50}; do
		run "$MEMWATCH" -q -- true
		[ "$status" -eq 0 ]
		[ -z "$output" ]
	done
}

@test "end by --duration leaves the command and its status alone" {
	run "$MEMWATCH" -q --duration 20ms -i 5ms -o run.csv -- sh -c '. "$AWAIT"; await has_rows run.csv 1; sleep 0.3; exit 9'
	[ "$status" -eq 9 ]
	[ "$(rows run.csv)" -le 10 ] # the first, four more and those due at the end, of sixty
}
