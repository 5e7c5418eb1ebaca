#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What ran without memwatch runs with it: a mark can be made by whoever COMMAND has become, or none is offered.
load helper

# as_nobody COMMAND...
as_nobody()
{
	setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
}

need_root()
{
	[ "$(id -u)" -eq 0 ] || skip "needs root to become somebody else"
}

# marked COMMAND...: it succeeds, and the two epochs that it marks are found.
marked()
{
	"$MEMWATCH" -i 10ms -o run.csv -r run.json -- "$@" 2>words
	grep -q '"epochs_from":{"way":"marks","format":null,"found":2,' run.json
	grep -q '^epochs: 2 marked' words
}

# shellcheck disable=SC2016  # for the command's own shell
MARK_TWICE='set -e
for epoch in 1 2; do echo epoch $epoch >>"$MEMWATCH_MARKS"; sleep 0.1; done'

@test "a program that drops its privileges by itself" {
	need_root
	command -v python3 >/dev/null || skip "python3 is not installed"
	marked python3 -c 'import os, time
os.setgroups([]); os.setgid(65534); os.setuid(65534)
for epoch in 1, 2:
    time.sleep(0.1)
    with open(os.environ["MEMWATCH_MARKS"], "a") as marks:
        marks.write(f"epoch {epoch}\n")'
}

@test "a program started as somebody else, by setpriv, runuser and su" {
	need_root
	marked setpriv --reuid 65534 --regid 65534 --clear-groups sh -c "$MARK_TWICE"
	marked runuser -u nobody -- sh -c "$MARK_TWICE"
	marked su -m -s /bin/sh -c "$MARK_TWICE" nobody
}

@test "nobody else can find the file, and who has its name can append only" {
	need_root
	# shellcheck disable=SC2016  # for the command's own shell
	start "$MEMWATCH" -q -- sh -c 'echo "$MEMWATCH_MARKS" >name; . "$AWAIT"; await test -e seen'
	await test -s name
	name=$(cat name)
	run ! as_nobody ls "${name%/*}"
	run ! as_nobody cat "$name"
	# shellcheck disable=SC2016  # for nobody's shell
	as_nobody sh -c 'echo epoch >>"$1"' sh "$name"
	touch seen
	wait "$pid"
	[ ! -e "$name" ]
	[ ! -e "${name%/*}" ]
}

# offered MOUNTS: where the marks file is, or "none", once these are mounted in a namespace of their own.
offered()
{
	# shellcheck disable=SC2016  # for the inner shells
	run --separate-stderr unshare -m sh -c "mount --make-rprivate / && $1"' || exit 77
		unset TMPDIR XDG_RUNTIME_DIR
		exec "$0" -q -- sh -c "echo \${MEMWATCH_MARKS-none}; [ ! \"\$MEMWATCH_MARKS\" ] || echo epoch >>\"\$MEMWATCH_MARKS\""' ./memwatch
	[ "$status" -ne 77 ] || skip "nothing can be mounted here"
	[ "$status" -eq 0 ]
}

READ_ONLY='mount -t tmpfs -o ro none'
FULL='mount -t tmpfs -o size=8k none /tmp && { head -c 8192 /dev/zero >/tmp/full || exit 77; }'

@test "a read-only temporary folder: another one, or no mark at all" {
	cp "$MEMWATCH" memwatch
	offered "$READ_ONLY /tmp"
	[[ "$output" == /dev/shm/* ]]
	offered "$READ_ONLY /tmp && $READ_ONLY /dev/shm"
	[ "$output" = none ]
}

@test "a full temporary folder: another one, or no mark at all" {
	cp "$MEMWATCH" memwatch
	offered "$FULL"
	[[ "$output" == /dev/shm/* ]]
	offered "$FULL && $READ_ONLY /dev/shm"
	[ "$output" = none ]
}

@test "no file may grow: no mark is offered" {
	# shellcheck disable=SC2016  # for the inner shells
	run --separate-stderr sh -c 'ulimit -f 0; "$0" -q -- sh -c "echo \${MEMWATCH_MARKS-none}" | cat' "$MEMWATCH"
	[ "$output" = none ]
}

@test "who outlives the command can still mark" {
	# shellcheck disable=SC2016  # for the command's own shell
	"$MEMWATCH" -q -i 10ms -o run.csv -- sh -c 'echo "$MEMWATCH_MARKS" >name; echo epoch >>"$MEMWATCH_MARKS"
		. "$AWAIT"; await_more_rows run.csv 2
		(await test -e over; echo epoch >>"$MEMWATCH_MARKS"; echo $? >status) 3>&- 4>&- &'
	touch over
	await test -s status
	name=$(cat name)
	# This file and its directory, if that is empty: nothing else can go.
	unlink "$name"
	rmdir "${name%/*}"
	[ "$(cat status)" -eq 0 ]
}
