#!/bin/sh
# SPDX-License-Identifier: MIT
# What memwatch is built and tested with, by Debian package name.
#
#   tests/deps.sh need GROUP...      names what is missing, one line each; status 1 if anything is
#   tests/deps.sh install GROUP...   installs what is missing with apt-get, as root or through sudo
#
# A package counts as there when its probe succeeds, so that other distributions and own builds are fine too.
set -eu

PKG_CONFIG=${PKG_CONFIG:-pkg-config}
CC=${CC:-cc}

# group | package | probe | what for
# shellcheck disable=SC2016 # the probes are expanded when they are run
packages='
build|gcc libc6-dev|probe_compiler|C compiler
build|pkg-config|command -v $PKG_CONFIG|finds the libraries
build|libproc2-dev|$PKG_CONFIG --exists libproc2|process tree and the memory of the machine
build|libargtable2-dev|probe_argtable|command line
pictures|libcairo2-dev|$PKG_CONFIG --exists cairo|pictures as PNG and PDF
view|libncurses-dev|$PKG_CONFIG --exists ncursesw|live view
check|libcmocka-dev|$PKG_CONFIG --exists cmocka|unit tests
check|bats|command -v bats|command-line tests
check|python3|command -v python3|test drivers
check|python3-venv|python3 -c "import ensurepip, venv"|PyPI packages in build/venv
check|procps|command -v ps|test drivers
check|zsh|command -v zsh|completion tests
check|fish|command -v fish|completion tests
check|mandoc|command -v mandoc|manual tests
check|gnuplot-nox|command -v gnuplot|examples of the README
check|feedgnuplot|command -v feedgnuplot|examples of the README
check|tmux|command -v tmux|tests of the live view
check|chromium-driver|command -v chromedriver|the HTML report in a real browser
check|strace|command -v strace|tests of system calls
clang|clang|command -v clang|second compiler
lint|clang-tidy|command -v clang-tidy|make lint
lint|clang-format|command -v clang-format|make format
lint|cppcheck|command -v cppcheck|make lint
lint|mandoc|command -v mandoc|make lint
lint|shellcheck|command -v shellcheck|make lint
valgrind|valgrind|command -v valgrind|make check-valgrind
bench|python3|command -v python3|make bench
bench|python3-venv|python3 -c "import ensurepip, venv"|the tools compared with, from PyPI
bench|procps|command -v top|compared with top
bench|strace|command -v strace|counts system calls
bench|valgrind|command -v valgrind|counts instructions
'

# A compiler without the C library's headers compiles nothing.
probe_compiler() {
	echo '#include <stdio.h>' | $CC -E -o /dev/null -
}

probe_argtable() {
	$PKG_CONFIG --exists argtable3 || $PKG_CONFIG --exists argtable2
}

# Prints the rows of the groups whose probe fails.
missing_rows() {
	for group; do
		echo "$packages" | grep "^$group|"
	done | while IFS='|' read -r group package probe purpose; do
		(eval "$probe") >/dev/null 2>&1 || echo "$package|$purpose"
	done
}

names_of() {
	echo "$1" | sed 's/|.*//' | tr '\n' ' ' | tr -s ' ' | sed 's/ $//'
}

need() {
	rows=$(missing_rows "$@")
	[ -n "$rows" ] || return 0
	echo "$rows" | while IFS='|' read -r package purpose; do
		echo "memwatch: missing Debian package: $package ($purpose)" >&2
	done
	echo "memwatch: install with: apt-get install $(names_of "$rows")   ('make demo' and 'make check' do it themselves)" >&2
	return 1
}

as_root() {
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	else
		sudo "$@"
	fi
}

apt() {
	as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@"
}

install() {
	rows=$(missing_rows "$@")
	[ -n "$rows" ] || return 0
	names=$(names_of "$rows")
	if ! command -v apt-get >/dev/null; then
		echo "memwatch: this system has no apt-get; install what Debian calls: $names" >&2
		return 1
	fi
	how=directly
	if [ "$(id -u)" -ne 0 ]; then
		how='through sudo'
		if ! command -v sudo >/dev/null; then
			echo "memwatch: neither root nor sudo here; as root: apt-get install $names" >&2
			return 1
		fi
	fi
	echo "memwatch: installing with apt-get, $how: $names"
	log=$(mktemp)
	# The lists of a fresh machine may be empty or old: the second try has new ones.
	# shellcheck disable=SC2086
	if ! apt install -y --no-install-recommends $names >"$log" 2>&1 &&
		! { apt update && apt install -y --no-install-recommends $names; } >"$log" 2>&1; then
		cat "$log" >&2
		rm -f "$log"
		echo "memwatch: apt-get failed; see above" >&2
		return 1
	fi
	rm -f "$log"
}

case ${1-} in
need | install) "$@" ;;
*) sed -n '3,8s/^# \{0,1\}//p' "$0" >&2 && exit 125 ;;
esac
