# SPDX-License-Identifier: MIT
# What the three completions must do alike. typed LINE prints the words of the line with all completions inserted.

# typed | expected, blanks between words
completion_cases='
--interv|--interval
--no-c|--no-children
--color a|--color always auto
-i 20|-i 200ms
--pid 1 --dura|--pid 1 --duration
repor|report
mar|mark
--gpu no|--gpu none
report --unit T|report --unit TB TiB
report --unti|report --until
report fit|report fit.csv
-o fit|-o fit.csv
-q report --js|-q report --json
-- cat fit|-- cat fit.csv
cat fit|cat fit.csv
-e no|-e none
-e log:fit|-e log:fit.csv
--epochs every:20|--epochs every:200ms
-e log:fit.csv --dura|-e log:fit.csv --duration
-e every:1m cat fit|-e every:1m cat fit.csv
-i 1s cat fit|-i 1s cat fit.csv
--unbuffered cat fit|--unbuffered cat fit.csv
--unbuffered never cat fit|--unbuffered never cat fit.csv
--unbuffered -- cat fit|--unbuffered -- cat fit.csv
'

completions_agree() {
	local typed expected got bad=0
	touch fit.csv
	while IFS='|' read -r typed expected; do
		[ -n "$typed" ] || continue
		got=$("$1" "$typed" | tr '\n' ' ')
		[ "${got% }" = "$expected" ] || { echo "'$typed' became '${got% }', not '$expected'"; bad=1; }
	done <<<"$completion_cases"
	return $bad
}

# The options of one command, as the rows have them.
options_of() {
	"$ROOT/${BUILD:-build}/rows" fish | sed -nE "s/.*__memwatch_in $1'.* -l ([a-z-]+) .*/--\\1/p" | sort
}

offers_every_option() {
	local command
	for command in watch report mark; do
		[ -n "$(options_of $command)" ]
		diff <(options_of $command) <("$1" "$([ $command = watch ] || echo "$command ")--" | grep '^--' | sort)
	done
}
