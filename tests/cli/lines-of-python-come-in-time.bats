#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Python keeps back what does not go to a terminal until a block is full. memwatch tells it not to where it reads along, says
# so, and leaves everybody else's environment alone.
load helper

setup()
{
	cd "$BATS_TEST_TMPDIR" || return 1
	command -v python3 >/dev/null || skip "python3 is not installed"
	unset PYTHONUNBUFFERED
	PATH=$PWD:$PATH
	printf '%s\n' '#!/usr/bin/env python3' 'import os' 'value = os.environ.get("PYTHONUNBUFFERED", "unset")' \
		'print(value, file=open("value", "w"))' 'print(value)' >show
	# shellcheck disable=SC2016
	printf '%s\n' '#!/bin/sh' 'echo "${PYTHONUNBUFFERED-unset}" >value' 'cat value' >show.sh
	printf '%s\n' '#!/bin/sh' "'''exec' \"$(command -v python3)\" \"\$0\" \"\$@\"" "' '''" >entry
	tail -n +2 show >>entry
	printf '%s\n' "#!$PWD/show.sh" >nested.sh
	printf '#!%s -E\n' "$(command -v python3)" | cat - show >versioned
	chmod +x show show.sh entry nested.sh versioned
	cp show show.py
	ln -s show linked
	ln -s show.sh python3.99
	ln -s show.sh pypy3
	ln -s show.sh python3-config
	ln -s "$(python3 -c "import sys; print(sys.executable)")" runtime
}

# memwatch's words with COMMAND | the value that COMMAND finds
table()
{
	cat <<'END'
python3 show|1
-- python3 show|1
show|1
./show|1
linked|1
versioned|1
entry|1
runtime show|1
python3.99|1
pypy3|1
env python3 show|1
env A=b nice python3 show|1
nice ./show.py|1
sh -c 'python3 show'|1
sh -c 'cd . && exec ./show.py'|1
-e log:value -- python3 show|1
--unbuffered=auto python3 show|1
--unbuffered auto python3 show|1
show.sh|unset
nested.sh|unset
sh show.sh|unset
python3-config|unset
nice ./show.sh|unset
--unbuffered show.sh|1
--unbuffered -- show.sh|1
--unbuf show.sh|1
--unbuffered=always show.sh|1
--unbuffered always -- show.sh|1
--unbuffered never python3 show|unset
--unbuffered=never python3 show|unset
-e none python3 show|unset
-e every:1s python3 show|unset
END
}

@test "PYTHONUNBUFFERED=1 is set for Python whose lines are read, for nobody else" {
	local words expected got bad=0
	while IFS='|' read -r words expected; do
		eval "set -- $words"
		got=$("$MEMWATCH" -q "$@" 2>&1 </dev/null)
		[ "$got" = "$expected" ] || { echo "memwatch $words: '$got', not '$expected'"; bad=1; }
	done < <(table)
	[ "$bad" -eq 0 ]
}

@test "the user's own value stays, also an empty one" {
	[ "$(PYTHONUNBUFFERED='' "$MEMWATCH" -q python3 show | cat)" = '' ]
	[ "$(PYTHONUNBUFFERED=yes "$MEMWATCH" -q python3 show | cat)" = yes ]
	[ "$(PYTHONUNBUFFERED=yes "$MEMWATCH" -q --unbuffered python3 show | cat)" = yes ]
	[ "$(PYTHONUNBUFFERED='' "$MEMWATCH" -q --unbuffered python3 show | cat)" = 1 ]
}

@test "it is set where standard output is a file, and not where it is a terminal or /dev/null" {
	"$MEMWATCH" -q python3 show >out
	[ "$(cat value)" = 1 ]
	"$MEMWATCH" -q python3 show >/dev/null
	[ "$(cat value)" = unset ]
	"$BATS_TEST_DIRNAME/on-terminal" 80 "$MEMWATCH" -q python3 show
	[ "$(cat value)" = unset ]
	"$MEMWATCH" -q -o - python3 show 2>out >rows.csv
	[ "$(cat out)" = 1 ]
}

@test "the summary says that it was set, if nobody asked for it" {
	"$MEMWATCH" python3 show 2>&1 >out | grep -q 'PYTHONUNBUFFERED=1 was set'
	run ! grep -q PYTHONUNBUFFERED <("$MEMWATCH" --unbuffered python3 show 2>&1 >out)
	run ! grep -q PYTHONUNBUFFERED <("$MEMWATCH" show.sh 2>&1 >out)
}

@test "epochs that Python prints into a pipe are timed" {
	cat >fit.py <<-'END'
		import time
		for epoch in range(1, 7):
		    print(f"Epoch {epoch}/6")
		    time.sleep(0.2)
	END
	"$MEMWATCH" -i 10ms -r run.json -- python3 fit.py 2>words | cat >log
	[ "$(wc -l <log)" -eq 6 ]
	grep -qE '^epochs: 6 found in the output \(Keras-style lines\), [0-9.]+ m?s each' words
	grep -q '"buffered":false' run.json
	"$MEMWATCH" --unbuffered=never -i 10ms -r run.json --force -- python3 fit.py 2>words | cat >log
	[ "$(wc -l <log)" -eq 6 ]
	grep -q '"buffered":true' run.json
}
