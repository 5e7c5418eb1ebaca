# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# A terminal to look at, for tests of what is drawn there: a shell in a pane of tmux, one server for each test.

# For setup, before anything is opened.
needs_terminal()
{
	command -v tmux >/dev/null || skip "tmux is not installed"
}

needs_view()
{
	needs_terminal
	has_view || skip "built without ncurses"
}

teardown()
{
	close_terminal
	end_started
}

term()
{
	tmux -S "$BATS_TEST_TMPDIR/terminal${closed_terminals:-0}" "$@"
}

# open_terminal COLUMNS ROWS [NAME=VALUE]...
open_terminal()
{
	local columns=$1 rows=$2
	shift 2
	term -f /dev/null new-session -d -x "$columns" -y "$rows" -c "$PWD" \
		env -u NO_COLOR LC_ALL= LC_CTYPE= LANG=C.UTF-8 "$@" PS1='ready> ' bash --norc --noprofile --noediting 3>&- 4>&-
	await shows '^ready>'
}

# A server on its way out may still be spoken to: the next terminal has one of its own.
close_terminal()
{
	term kill-server 2>/dev/null || true
	closed_terminals=$((${closed_terminals:-0} + 1))
}

# What stands on the screen; with -e also its colours.
# shellcheck disable=SC2120 # callers in other files give it
screen()
{
	term capture-pane -p "$@"
}

# shellcheck disable=SC2119
shows()
{
	screen | grep -qE -- "$1"
}

# shellcheck disable=SC2119
shows_not()
{
	! screen | grep -qE -- "$1"
}

# Words of a sentence, which is broken anywhere: how long it is depends on the folder that the tests are in.
# shellcheck disable=SC2119
shows_words()
{
	screen | tr '\n' ' ' | tr -s ' ' | grep -qE -- "$1"
}

# A full screen is up, or is not.
is_full()
{
	[ "$(term display-message -p '#{alternate_on}')" = 1 ]
}

is_plain()
{
	[ "$(term display-message -p '#{alternate_on}')" = 0 ]
}

keys()
{
	term send-keys "$@"
}

# Types a line into the shell.
type_line()
{
	term send-keys -l -- "$1"
	term send-keys Enter
}

resize()
{
	term resize-window -x "$1" -y "$2"
}

# The modes of the terminal, as the shell's programs find them.
modes()
{
	stty -a <"$(term display-message -p '#{pane_tty}')" | sed 's/rows [0-9]*; columns [0-9]*;//'
}

cooked()
{
	modes | grep -q ' icanon ' && modes | grep -q ' echo '
}

# Without ncurses there is no view: --live says so before it looks at anything else.
has_view()
{
	! setsid -w "$MEMWATCH" --live --pid $$ </dev/null 2>&1 | grep -q 'this build has no live view'
}
