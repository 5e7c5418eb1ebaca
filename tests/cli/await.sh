# SPDX-License-Identifier: MIT
# shellcheck shell=dash
# Waiting for what happens, not for a time, however slow the machine is: for the tests (helper.bash) and, as
# sh -c '. "$AWAIT"; ...', for the commands that they watch.

# await CONDITION...: until it is true. The guard is a number of looks, a minute at least; it keeps a broken program from
# hanging the suite.
await()
{
	local looks=6000
	until "$@" 2>/dev/null; do
		[ $((looks -= 1)) -gt 0 ] || { echo "never came true: $*"; return 1; }
		sleep 0.01
	done
}

rows()
{
	[ -f "$1" ] && tail -n +2 "$1" | wc -l || echo 0
}

has_rows()
{
	[ "$(rows "$1")" -ge "$2" ]
}

# So many rows from now on: what was written to any descriptor before has been read by the second of them.
await_more_rows()
{
	await has_rows "$1" $(($(rows "$1") + $2))
}

# For a watched command, where no row tells of samples: memwatch, its parent, goes to sleep before each of them.
await_ticks()
{
	await slept "$PPID" $(($(sleeps "$PPID") + $1))
}

sleeps()
{
	sed -n 's/^voluntary_ctxt_switches:[^0-9]*//p' "/proc/$1/status"
}

slept()
{
	[ "$(sleeps "$1")" -ge "$2" ]
}
