#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
load helper

long_options()
{
	grep -oE -- '--[a-z][a-z-]+' | sort -u
}

from_help()
{
	"$MEMWATCH" --help | sed -n '/^Options:/,/^$/p' | grep -E '^ ' | sed 's/  [a-z].*//' | long_options
}

# The line that names an option in a mdoc list: ".It Fl p , Fl -pid Ar PID".
from_manual()
{
	grep -E '^\.It .*Fl -' "$ROOT/man/memwatch.1" | grep -oE 'Fl -[a-z][a-z-]+' | sed 's/Fl /-/' | sort -u
}

need()
{
	[ -e "$ROOT/$1" ] || skip "$1 is not there"
}

same()
{
	diff <(from_help) <("$@")
}

@test "help lists the options" {
	[ "$(from_help | wc -l)" -ge 13 ]
	[[ "$(from_help)" == *--pid* ]]
}

@test "the manual has the same options as the help" {
	need man/memwatch.1
	same from_manual
}

@test "each completion has the same options as the help" {
	need completions
	for file in completions/memwatch.bash completions/_memwatch; do
		need "$file"
		diff <(from_help) <(grep -v '^#' "$ROOT/$file" | long_options) || { echo "$file"; return 1; }
	done
	need completions/memwatch.fish
	diff <(from_help) <(grep -oE -- '-l +[a-z][a-z-]+' "$ROOT/completions/memwatch.fish" | sed 's/-l */--/' | sort -u)
}

@test "bash completes the options it has" {
	need completions/memwatch.bash
	run bash --norc -c '[ ! -e /usr/share/bash-completion/bash_completion ] || . /usr/share/bash-completion/bash_completion
		. "$1"; COMP_WORDS=(memwatch --inter) COMP_CWORD=1 COMP_LINE="memwatch --inter" COMP_POINT=16
		f=$(complete -p memwatch | sed "s/.*-F \([^ ]*\).*/\1/"); $f memwatch --inter memwatch; echo "${COMPREPLY[@]}"' \
		sh "$ROOT/completions/memwatch.bash"
	[[ "$output" == "--interval"* ]]
}

@test "fish completes the options it has" {
	need completions/memwatch.fish
	command -v fish >/dev/null || skip "fish is not installed"
	run fish --no-config -c "source $ROOT/completions/memwatch.fish; complete -C 'memwatch --inter'"
	[[ "$output" == "--interval"* ]]
}

@test "zsh loads its completion" {
	need completions/_memwatch
	command -v zsh >/dev/null || skip "zsh is not installed"
	run zsh -f -c "fpath=($ROOT/completions \$fpath); autoload -Uz compinit && compinit -D -u; echo \$_comps[memwatch]"
	[ "$output" = _memwatch ]
}

@test "the manuals pass mandoc's lint" {
	need man/memwatch.1
	command -v mandoc >/dev/null || skip "mandoc is not installed"
	for page in "$ROOT"/man/*.[15]; do
		mandoc -T lint -W warning "$page"
	done
}

@test "--version is one line with the version" {
	run --separate-stderr "$MEMWATCH" --version
	[ "$status" -eq 0 ]
	[[ "$output" =~ ^memwatch\ [0-9]+\.[0-9]+\.[0-9]+[^\ ]*$ ]]
}

@test "help goes to standard output, fits 100 columns, status 0" {
	run --separate-stderr "$MEMWATCH" --help
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	[ "$(wc -L <<<"$output")" -le 100 ]
}
