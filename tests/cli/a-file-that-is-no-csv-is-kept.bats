#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
load helper

@test "a file that holds something else is not overwritten, and the command does not run" {
	echo "my thesis" >thesis.txt
	run --separate-stderr "$MEMWATCH" -o thesis.txt -- touch ran
	[ "$status" -eq 125 ]
	says "memwatch: --output: 'thesis.txt' holds something that is not a memwatch CSV (--force overwrites it)"
	[ "$(cat thesis.txt)" = "my thesis" ]
	[ ! -e ran ]
}

@test "another program's CSV is not overwritten" {
	printf 'time,rss\n1,2\n' >other.csv
	run "$MEMWATCH" -q -o other.csv -- true
	[ "$status" -eq 125 ]
	[ "$(head -n 1 other.csv)" = "time,rss" ]
}

@test "--force overwrites it" {
	echo "my thesis" >thesis.txt
	"$MEMWATCH" -q --force -o thesis.txt -- true
	csv_is_whole thesis.txt
}

@test "an earlier memwatch CSV is replaced whole" {
	"$MEMWATCH" -q -i 1ms -o run.csv -- sh -c "$AWAIT_ROWS" run.csv 20
	"$MEMWATCH" -q -i 60s -o run.csv -- true
	csv_is_whole run.csv
	[ "$(rows run.csv)" -lt 20 ]
}

@test "an empty file is used" {
	: >run.csv
	"$MEMWATCH" -q -o run.csv -- true
	csv_is_whole run.csv
}

@test "a link is followed, not replaced" {
	mkdir there
	ln -s there/run.csv link.csv
	"$MEMWATCH" -q -o link.csv -- true
	[ -L link.csv ]
	csv_is_whole there/run.csv
}

@test "the file gets the umask's mode" {
	umask 027
	"$MEMWATCH" -q -o run.csv -- true
	[ "$(stat -c %a run.csv)" = 640 ]
}

@test "a file that may not be written is named with the reason" {
	[ "$(id -u)" -eq 0 ] || skip "needs root to become somebody else"
	echo x >locked.csv
	chmod 755 .
	run --separate-stderr setpriv --reuid 65534 --regid 65534 --clear-groups "$MEMWATCH" -o locked.csv -- true
	[ "$status" -eq 125 ]
	says "memwatch: --output: cannot write 'locked.csv': Permission denied"
}
