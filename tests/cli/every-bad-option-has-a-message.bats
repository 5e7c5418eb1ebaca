#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
load helper

# ARGUMENTS | MESSAGE. All exit 125, print one line, and run nothing. "''" is an empty argument.
table()
{
	cat <<'END'
|nothing to watch: give --pid PID or -- COMMAND (see memwatch --help)
--|nothing to watch: give --pid PID or -- COMMAND (see memwatch --help)
-i 1s|nothing to watch: give --pid PID or -- COMMAND (see memwatch --help)
--pid|--pid: a value is missing
-p|-p: a value is missing
-i|-i: a value is missing
--pid x|--pid: 'x' is not a process number
--pid 0|--pid: '0' is not a process number
--pid -1|--pid: '-1' is not a process number
--pid ' 1'|--pid: ' 1' is not a process number
--pid +1|--pid: '+1' is not a process number
--pid 12x|--pid: '12x' is not a process number
--pid 1.5|--pid: '1.5' is not a process number
--pid 99999999999|--pid: '99999999999' is not a process number
--pid 4194305|--pid: 4194305: no such process
-p 1 -- touch ran|--pid and a COMMAND ('touch') exclude each other
-p 1 touch ran|--pid and a COMMAND ('touch') exclude each other
-i x -- touch ran|--interval: 'x' is not a duration (examples: 250ms, 1s, 1m)
-i '' -- touch ran|--interval: the value is empty
-i -1s -- touch ran|--interval: '-1s' is not a duration (examples: 250ms, 1s, 1m)
-i 1xs -- touch ran|--interval: '1xs' is not a duration (examples: 250ms, 1s, 1m)
-i nan -- touch ran|--interval: 'nan' is not a duration (examples: 250ms, 1s, 1m)
-i inf -- touch ran|--interval: 'inf' is not a duration (examples: 250ms, 1s, 1m)
-i 1e3s -- touch ran|--interval: '1e3s' is not a duration (examples: 250ms, 1s, 1m)
--interval=0 -- touch ran|--interval: '0' is out of range (1ms to 1h)
-i 0.5ms -- touch ran|--interval: '0.5ms' is out of range (1ms to 1h)
-i 2h -- touch ran|--interval: '2h' is out of range (1ms to 1h)
-i 1s -i 2s -- touch ran|--interval: given more than once
-o '' -- touch ran|--output: the value is empty
-o a.csv -o b.csv -- touch ran|--output: given more than once
-o - -r - --pid 1|--output - and --report - exclude each other
-o no/such/x.csv -- touch ran|--output: cannot write 'no/such/x.csv': No such file or directory
-o . -- touch ran|--output: cannot write '.': Is a directory
-o a%x -- touch ran|--output: 'a%x': a % must be followed by p, h, r or %
-o % -- touch ran|--output: '%': a % must be followed by p, h, r or %
--duration 0 -- touch ran|--duration: '0' is out of range (more than 0)
--duration x --pid 1|--duration: 'x' is not a duration (examples: 30s, 10m, 2h)
--duration -5 --pid 1|--duration: '-5' is not a duration (examples: 30s, 10m, 2h)
--nope|--nope: no such option (see memwatch --help)
--nope=3 -- touch ran|--nope=3: no such option (see memwatch --help)
-Z -- touch ran|-Z: no such option (see memwatch --help)
-qZ -- touch ran|-Z: no such option (see memwatch --help)
--force=1 -- touch ran|--force=1: --force takes no value
--no-children=yes -- touch ran|--no-children=yes: --no-children takes no value
--quiet=1 -- touch ran|--quiet=1: --quiet takes no value
-q -v -- touch ran|--quiet and --verbose exclude each other
report -vq run.csv|--quiet and --verbose exclude each other
report --json --csv run.csv|--json and --csv exclude each other
report --markdown --json run.csv|--json and --markdown exclude each other
report --json --epochs-table run.csv|--json and --epochs-table exclude each other
report --csv a.csv b.csv|--csv: 'b.csv': the table is that of one FILE only
report --markdown --csv run.csv|--csv and --markdown exclude each other
--epochs none --epoch-regex x -- touch ran|--epoch-regex and --epochs none exclude each other
-e every:1m --epoch-regex x -- touch ran|--epoch-regex and --epochs every:DURATION exclude each other
--symbols dots -- touch ran|--symbols: 'dots' is none of auto, braille, block, ascii, none
--color blue -- touch ran|--color: 'blue' is none of auto, always, never
--color=|--color: the value is empty
--pid ''|--pid: the value is empty
--limit '' -- touch ran|--limit: the value is empty
-r '' -- touch ran|--report: the value is empty
-e '' -- touch ran|--epochs: the value is empty
--epoch-regex '' -- touch ran|--epoch-regex: the value is empty
--json -- touch ran|--json: an option of 'memwatch report'; a run is written with -r run.json
--csv -- touch ran|--csv: an option of 'memwatch report'; a run is written with -o run.csv
--until 3 -- touch ran|--until: not an option of 'memwatch' (see memwatch --help)
--fail-on bogus -- touch ran|--fail-on: 'bogus' is none of growth, limit, retained
--fail-on growth,limt -- touch ran|--fail-on: 'limt' is none of growth, limit, retained
--fail-on '' -- touch ran|--fail-on: the value is empty
--limit x -- touch ran|--limit: 'x' is not a size (examples: 512M, 24GiB)
--limit 0 -- touch ran|--limit: '0' is not a size (examples: 512M, 24GiB)
--limit -1 -- touch ran|--limit: '-1' is not a size (examples: 512M, 24GiB)
--limit 5X -- touch ran|--limit: '5X' is not a size (examples: 512M, 24GiB)
--on-growth '' -- touch ran|--on-growth: the value is empty
--interval=1s=2 -- touch ran|--interval: '1s=2' is not a duration (examples: 250ms, 1s, 1m)
--color -- touch ran|--color: '--' is none of auto, always, never
-r x -- touch ran|--report: 'x' does not end in .txt, .json, .md, .html, .svg, .png or .pdf
--epochs x -- touch ran|--epochs: 'x' is none of auto, none, log:FILE, every:DURATION
--epochs log: -- touch ran|--epochs: 'log:' is none of auto, none, log:FILE, every:DURATION
--epochs every:x -- touch ran|--epochs: 'x' is not a duration (examples: every:30s, every:10m)
--epochs every:0 -- touch ran|--epochs: 'every:0' is out of range (at least every:1ms)
--epochs log:no/such -- touch ran|--epochs: cannot follow 'no/such': No such file or directory
--epochs log:/dev/null -- touch ran|--epochs: cannot follow '/dev/null': not a regular file
-e auto -e none -- touch ran|--epochs: given more than once
--epoch-regex '(' -- touch ran|--epoch-regex: '(': Unmatched ( or \(
--epoch-regex '(((a{1,200}){1,200}){1,200})' -- touch ran|--epoch-regex: '(((a{1,200}){1,200}){1,200})': its repetitions come to more than 500 copies
--epoch-regex '(((((((((((a+)+)+)+)+)+)+)+)+)+)+)' -- touch ran|--epoch-regex: '(((((((((((a+)+)+)+)+)+)+)+)+)+)+)': its repetitions come to more than 500 copies
--gpu , -- touch ran|--gpu: ',': an index or UUID is missing beside a comma
--gpu 0,,1 -- touch ran|--gpu: '0,,1': an index or UUID is missing beside a comma
--gpu 0, -- touch ran|--gpu: '0,': an index or UUID is missing beside a comma
--gpu-interval 50ms -- touch ran|--gpu-interval: '50ms' is out of range (100ms to 1h)
--gpu-interval 2h -- touch ran|--gpu-interval: '2h' is out of range (100ms to 1h)
--gpu-interval x -- touch ran|--gpu-interval: 'x' is not a duration (examples: 500ms, 1s, 1m)
--unbuffered=1 -- touch ran|--unbuffered: '1' is none of auto, always, never
--unbuffered sometimes -- touch ran|--unbuffered: 'sometimes' is none of auto, always, never
--unbuffered= -- touch ran|--unbuffered: the value is empty
--unbuffered report run.csv|--unbuffered=always: not an option of 'memwatch report' (see memwatch --help)
--until-verdict=1 -- touch ran|--until-verdict=1: --until-verdict takes no value
--unbuffered --pid 1|--unbuffered: goes with a COMMAND only
--gpu none --gpu-interval 1s -- touch ran|--gpu none and --gpu-interval exclude each other
report --json -r - run.csv|--json and --report - exclude each other
report --csv -r - run.csv|--csv and --report - exclude each other
compare --json -r - a.csv b.csv|--json and --report - exclude each other
compare --times 1 a.csv b.csv|--times: goes with --run only
compare --times ' 2' --run true --run true|--times: ' 2' is not a number from 1 to 32
compare --symbols ascii a.csv b.csv|--symbols: not an option of 'memwatch compare' (see memwatch --help)
mark|mark: MEMWATCH_MARKS is not set: this works within a command that was started by 'memwatch -- COMMAND'
mark ''|mark: the LABEL is empty
mark a b|mark: 'b': one LABEL at most (see memwatch --help)
mark --nope|--nope: no such option (see memwatch --help)
gpus x|gpus: 'x': takes no argument (see memwatch --help)
hook x|hook: 'x': takes no argument (see memwatch --help)
gpus -i 1s|-i: not an option of 'memwatch gpus' (see memwatch --help)
report --epochs none run.csv|--epochs: not an option of 'memwatch report' (see memwatch --help)
--no-keep=1 -- touch ran|--no-keep=1: --no-keep takes no value
--no-keep report|--no-keep: not an option of 'memwatch report' (see memwatch --help)
report no-such.csv|no-such.csv: No such file or directory
report --until x run.csv|--until: 'x' is not a duration (examples: 90, 1.5, 10m)
report --pid 1 run.csv|--pid: not an option of 'memwatch report' (see memwatch --help)
report -e none run.csv|-e: not an option of 'memwatch report' (see memwatch --help)
report --no-children run.csv|--no-children: not an option of 'memwatch report' (see memwatch --help)
END
}

@test "each bad command line has its own message, status 125, and nothing runs" {
	local words text bad=0
	while IFS='|' read -r words text; do
		eval "set -- $words"
		run --separate-stderr "$MEMWATCH" "$@" </dev/null
		if [ "$status" -ne 125 ] || ! says "memwatch: $text" || [ -e ran ]; then
			echo "memwatch $words: status $status"
			rm -f ran
			bad=1
		fi
	done < <(table)
	[ "$bad" -eq 0 ]
}

# options_of COMMAND: those that the completions offer for it, which are written from the rows of options
options_of()
{
	"$ROOT/${BUILD:-build}/rows" bash | sed -n "s/^_memwatch_$1_options='\(.*\)'$/\1/p" | tr ' ' '\n' | sort
}

@test "a subcommand refuses each option that means nothing to it, by name" {
	local command option refused=0
	for command in report compare mark gpus hook; do
		[ "$(options_of $command | wc -l)" -ge 5 ]
		while read -r option; do
			run --separate-stderr "$MEMWATCH" $command "$option" </dev/null
			[ "$status" -eq 125 ]
			[ -z "$output" ]
			[ "$stderr" = "memwatch: $option: not an option of 'memwatch $command' (see memwatch --help)" ]
			refused=$((refused + 1))
		done < <(cat <(options_of watch) <(options_of report) <(options_of compare) | sort -u | comm -23 - <(options_of $command))
	done
	[ "$refused" -ge 100 ]
}

@test "an interval for recordings that have times is refused, not ignored" {
	printf 'elapsed_s,rss_bytes\n0,4096\n1,4096\n2,8192\n' >run.csv
	cp run.csv other.csv
	printf 'mem\n100\n101\n102\n' >untimed.csv
	run -125 --separate-stderr "$MEMWATCH" report -i 50ms run.csv
	says "memwatch: --interval: is for logs without times, and run.csv has them"
	[ -z "$output" ]
	run -125 --separate-stderr "$MEMWATCH" report -i 50ms run.csv other.csv
	[ "$stderr" = "memwatch: --interval: is for logs without times, and every FILE has them" ]
	run -125 --separate-stderr "$MEMWATCH" compare -i 50ms run.csv other.csv
	says "memwatch: --interval: is for logs without times, and every FILE has them"
	[ -z "$output" ]
	run -0 --separate-stderr "$MEMWATCH" report -i 50ms --value-col mem untimed.csv
}

@test "an expression that takes too long is refused, and an ordinary one is not" {
	for regex in '(a|b)*a(a|b){100}$' '(((a|b)*a(a|b){100})*x)*$'; do
		run --separate-stderr "$MEMWATCH" --epoch-regex "$regex" -- touch ran
		[ "$status" -eq 125 ]
		says "memwatch: --epoch-regex: '$regex': it takes too long to match"
		[ ! -e ran ]
	done
	for regex in '[Ee]poch:? +([0-9]{1,5})(/[0-9]+)?' '^.*loss=([0-9.]+).*$' '(.*, ){3}epoch ([0-9]+)' 'a{1,500}'; do
		"$MEMWATCH" -q --epoch-regex "$regex" -- true
	done
}

@test "so many are too many: the number is said" {
	run --separate-stderr "$MEMWATCH" --pid={1..257}
	[ "$status" -eq 125 ]
	says "memwatch: --pid: given more than 256 times"
	run --separate-stderr "$MEMWATCH" -rx{1..17}.txt -- touch ran
	[ "$status" -eq 125 ]
	says "memwatch: --report: given more than 16 times"
}

@test "a message is never coloured when it is not on a terminal" {
	run --separate-stderr "$MEMWATCH" --nope
	[[ "$stderr" != *$'\e'* ]]
}
