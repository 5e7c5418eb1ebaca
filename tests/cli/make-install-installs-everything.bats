#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
load helper

files='
usr/bin/memwatch
usr/share/bash-completion/completions/memwatch
usr/share/fish/vendor_completions.d/memwatch.fish
usr/share/man/man1/memwatch.1
usr/share/man/man5/memwatch.5
usr/share/zsh/site-functions/_memwatch
'

# What was built already is installed: nothing is compiled here.
make_quietly() {
	env -u BUILD -u MAKEFLAGS -u MAKELEVEL make -s -C "$ROOT" -o "$MEMWATCH" PROGRAM="$MEMWATCH" "$@" PREFIX=/usr DESTDIR="$PWD/root" >/dev/null
}

installed() {
	[ ! -d root ] || (cd root && find . ! -type d | sed 's|^\./||' | sort)
}

@test "make install puts each file in its place, and uninstall takes all of them away" {
	make_quietly install
	diff <(echo "$files" | grep . | sort) <(installed)
	[ -x root/usr/bin/memwatch ]
	[ "$(root/usr/bin/memwatch --version)" = "$("$MEMWATCH" --version)" ]
	make_quietly uninstall
	[ -z "$(installed)" ]
}

@test "make dist holds what a build needs" {
	[ -d "$ROOT/.git" ] || [ -f "$ROOT/.git" ] || skip "no git repository here, so nothing to pack"
	git -C "$ROOT" archive HEAD | tar -t >list
	for file in Makefile README.md LICENSE src/cmd/main.c man/memwatch.1 man/memwatch.5 tests/deps.sh; do
		grep -qx "$file" list
	done
}
