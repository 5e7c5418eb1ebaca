#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The packages are told missing by a pkg-config that finds nothing; apt-get, sudo and id are stand-ins that write down
# what they were asked for.
load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	mkdir bin
	for tool in sh env chmod sed grep tr mktemp cat rm make uname mkdir cmp printf cc nproc; do
		ln -s "$(command -v $tool)" bin/$tool
	done
	stand_in id 'echo ${FAKE_ID:-0}'
	PATH=$PWD/bin
	unset BUILD MAKEFLAGS MAKELEVEL CC
}

# stand_in NAME BODY
stand_in() {
	printf '#!/bin/sh\n%s\n' "$2" >"bin/$1"
	chmod +x "bin/$1"
}

with_apt() {
	stand_in apt-get "echo \"apt-get \$*\" >>'$PWD/asked'"
	stand_in sudo "echo sudo >>'$PWD/asked'; exec \"\$@\""
}

deps() {
	PKG_CONFIG=nosuch run "$ROOT/tests/deps.sh" "$@"
}

@test "a plain make names the packages, one to a line, and installs nothing" {
	with_apt
	run make -s -C "$ROOT" PKG_CONFIG=nosuch BUILD="$PWD/build"
	[ "$status" -ne 0 ]
	[[ $output == *"memwatch: missing Debian package: libproc2-dev (process tree and the memory of the machine)"* ]]
	[[ $output == *"memwatch: missing Debian package: libargtable2-dev (command line)"* ]]
	[[ $output == *"apt-get install pkg-config libproc2-dev libargtable2-dev"* ]]
	[ ! -e asked ]
}

@test "root installs directly and says what" {
	with_apt
	deps install build
	[ "$status" -eq 0 ]
	[ "$output" = "memwatch: installing with apt-get, directly: pkg-config libproc2-dev libargtable2-dev" ]
	[[ $(cat asked) == "apt-get "*" install -y "*" pkg-config libproc2-dev libargtable2-dev" ]]
}

@test "others install through sudo" {
	with_apt
	FAKE_ID=1000 deps install build
	[ "$status" -eq 0 ]
	[[ $output == *"through sudo: pkg-config"* ]]
	[ "$(sed -n 1p asked)" = sudo ]
}

@test "without root and sudo it says what root should type" {
	with_apt
	rm bin/sudo
	FAKE_ID=1000 deps install build
	[ "$status" -eq 1 ]
	[ "$output" = "memwatch: neither root nor sudo here; as root: apt-get install pkg-config libproc2-dev libargtable2-dev" ]
	[ ! -e asked ]
}

@test "a system without apt-get is told what to look for" {
	deps install build
	[ "$status" -eq 1 ]
	[ "$output" = "memwatch: this system has no apt-get; install what Debian calls: pkg-config libproc2-dev libargtable2-dev" ]
}

@test "old package lists are renewed once" {
	stand_in apt-get "echo \"\$*\" >>'$PWD/asked'; [ -e '$PWD/updated' ] || case \"\$*\" in *update*) >'$PWD/updated' ;; *) exit 100 ;; esac"
	deps install build
	[ "$status" -eq 0 ]
	[ "$(grep -c update asked)" -eq 1 ]
	[ "$(grep -c install asked)" -eq 2 ]
}

@test "an apt-get that fails is shown" {
	stand_in apt-get 'echo "E: no network"; exit 100'
	deps install build
	[ "$status" -eq 1 ]
	[[ $output == *"E: no network"*"apt-get failed"* ]]
}
