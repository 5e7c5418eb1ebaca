#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Two sides of recorded runs: the sentence, the table, JSON, the exit status, and the recipe for CI as the README has it.
load helper

# run_of LEVEL_MIB GROWTH_KIB [WAVER_KIB]: 20 epochs of 1 s, ten rows each
run_of()
{
	awk -v level="$1" -v growth="$2" -v waver="${3:-100}" 'BEGIN {
		print "elapsed_s,epoch,held_bytes"
		for (i = 0; i < 200; i++)
			printf "%d.%d00,%d,%d\n", i / 10, i % 10, i / 10, level * 1048576 + int(i / 10) * growth * 1024 + (i * 7919 % 13) * waver * 1024 / 13
		print "20.000,20,1000000" }'
}

setup()
{
	cd "$BATS_TEST_TMPDIR" || return 1
	run_of 300 0 >flat.csv
	run_of 300 8192 >leak.csv
	run_of 320 0 >more.csv
}

@test "a fix, its table, and what is not there" {
	run -0 --separate-stderr "$MEMWATCH" compare leak.csv flat.csv
	[ -z "$stderr" ]
	[ "${lines[0]}" = "The fix works: growth of 8.00 MiB per epoch is gone; plateau 128 MiB (30 %) lower." ]
	[ "${lines[1]}" = "base: leak.csv; new: flat.csv; aligned by epoch, up to 20" ]
	[[ "$output" == *"host growth per epoch      +8.00 MiB"*"-8.00 MiB"*"*"* ]]
	[[ "$output" == *"time per epoch"*"1 s"*"1 s"*"+0 s"*"unknown"* ]]
	[[ "$output" != *"gpu"* ]]
	[[ "$output" != *"kept"* ]]
}

@test "a gate that fails says why, also where all words go into files" {
	run -3 --separate-stderr "$MEMWATCH" compare --fail-on regression -r diff.svg flat.csv leak.csv
	[ -z "$output" ]
	[[ "$stderr" == "memwatch: regression: host growth 8.00 MiB per epoch faster"* ]]
	run -0 --separate-stderr "$MEMWATCH" compare --fail-on regression -r diff.svg --force flat.csv flat.csv
	[ -z "$output$stderr" ]
	run -3 --separate-stderr "$MEMWATCH" report --fail-on growth -r run.md leak.csv
	[ -z "$output" ]
	[[ "$stderr" == "memwatch: host: growth. +8.00 MiB per epoch"* ]]
	run -3 --separate-stderr "$MEMWATCH" -q report --fail-on growth -r run.md --force leak.csv
	[ -z "$output$stderr" ]
}

@test "a leak that came, a level that went up, nothing" {
	run -0 "$MEMWATCH" compare flat.csv leak.csv
	[ "${lines[0]}" = "Worse: memory now grows by 8.00 MiB per epoch; level 128 MiB (43 %) higher by epoch 20." ]
	run -0 "$MEMWATCH" compare flat.csv more.csv
	[ "${lines[0]}" = "Worse: plateau 20.0 MiB (6.7 %) higher." ]
	run -0 "$MEMWATCH" compare flat.csv flat.csv
	[[ "${lines[0]}" == "No difference beyond the runs' own noise: plateau 300 MiB and 300 MiB "* ]]
	[[ "$output" != *"*"* ]]
}

@test "recordings of different programs are compared with a word of doubt, in every form" {
	local doubt="Perhaps not the same program: the host holds 300 MiB and 1.76 GiB; an epoch takes 1 s and 12 s."
	run_of 1800 0 | awk -F, -v OFS=, 'NR > 1 { $1 *= 12 } 1' >other.csv
	run -0 --separate-stderr "$MEMWATCH" compare flat.csv other.csv
	[ -z "$stderr" ]
	[ "${lines[2]}" = "$doubt" ]
	"$MEMWATCH" compare --markdown flat.csv other.csv | grep -qxF "$doubt"
	"$MEMWATCH" compare --json flat.csv other.csv | grep -qF "\"doubt\":\"$doubt\""
	run_of 1800 0 | awk -F, -v OFS=, 'NR > 1 { $1 *= 1200 } 1' >slow.csv
	run -0 "$MEMWATCH" compare flat.csv slow.csv
	[ "${lines[2]}" = "${doubt/12 s/1200 s}" ]
	[[ "$output" == *"time per epoch"*" 1200 s "*"+1199 s"* ]]
	"$MEMWATCH" compare -r diff.svg flat.csv other.csv
	grep -qF 'Perhaps not the same program' diff.svg
	run -0 "$MEMWATCH" compare flat.csv leak.csv
	[[ "$output" != *Perhaps* ]]
	"$MEMWATCH" compare --json flat.csv leak.csv | grep -qF '"doubt":null'
}

@test "each NEW is compared with BASE" {
	run -0 "$MEMWATCH" compare leak.csv flat.csv more.csv
	[ "$(grep -c '^The fix works: ' <<<"$output")" -eq 2 ]
	"$MEMWATCH" compare --json leak.csv flat.csv more.csv | python3 -c '
import json, sys
found = json.load(sys.stdin)
assert [one["new"] for one in found["comparisons"]] == [["flat.csv"], ["more.csv"]], found'
}

@test "repeats of both sides show what single runs do not" {
	for i in 1 2 3; do
		run_of 300 0 $((100 + i)) >old$i.csv
		run_of 302 0 $((100 + i)) >new$i.csv
	done
	run -0 "$MEMWATCH" compare old1.csv new1.csv
	[[ "${lines[0]}" == "No difference"* ]]
	run -0 "$MEMWATCH" compare old1.csv old2.csv old3.csv --against new1.csv new2.csv new3.csv
	[ "${lines[0]}" = "Worse: plateau 2.00 MiB (0.7 %) higher." ]
	[[ "${lines[1]}" == "base: old1.csv old2.csv old3.csv; new: new1.csv new2.csv new3.csv; "* ]]
}

@test "JSON has every figure with its bounds" {
	"$MEMWATCH" compare --json leak.csv flat.csv | python3 -c '
import json, sys
c = json.load(sys.stdin)
assert c["result"] == "better" and not c["regression"] and c["aligned_by"] == "epoch" and c["to"] == 20, c
host = c["series"][0]
assert host["name"] == "host" and host["base_growing"] == 1 and host["new_growing"] == 0
growth = host["growth_bytes_per_epoch"]
assert abs(growth["base"] - 8 * 2**20) < 2**16 and growth["beyond_noise"] and growth["low"] < growth["difference"] < growth["high"] < 0, growth
assert host["kept_bytes"] is None and c["epoch_s"]["low"] is None'
}

@test "Markdown is a table" {
	run -0 "$MEMWATCH" compare --markdown leak.csv flat.csv
	[ "${lines[0]}" = "**The fix works: growth of 8.00 MiB per epoch is gone; plateau 128 MiB (30 %) lower.**" ]
	[ "$(grep -c '^|' <<<"$output")" -ge 5 ]
	[ "$(grep '^|' <<<"$output" | tr -cd '|\n' | sort -u)" = "||||||" ]
}

@test "a file's name is no Markdown" {
	cp flat.csv '<b>*flat*.csv'
	run -0 "$MEMWATCH" compare --markdown leak.csv '<b>*flat*.csv'
	[[ "${lines[1]}" == "base: leak.csv; new: &#60;b&#62;&#42;flat&#42;.csv; "* ]]
}

@test "what is kept and what is free, where the samples have it" {
	for free in 10 60; do
		awk -v free=$free -F, 'NR == 1 { print $0 ",heap_free_bytes"; next } { print $0 "," (NR % 10 ? "" : free * 1048576) }' flat.csv >free$free.csv
	done
	run -0 "$MEMWATCH" compare free10.csv free60.csv
	[ "${lines[0]}" = "Better: the program keeps 50.0 MiB (17 %) less." ]
	[[ "$output" == *"host kept"*"290 MiB"*"240 MiB"*"-50.0 MiB"*"*"* ]]
	[[ "$output" == *"host free"*"10.0 MiB"*"60.0 MiB"*"+50.0 MiB"*"*"* ]]
}

@test "what allocators keep free hides no more memory that the program keeps" {
	for more in 0 8; do
		run_of $((300 + more)) 0 | awk -F, 'NR == 1 { print $0 ",heap_free_bytes"; next } { print $0 "," (NR % 10 ? "" : 40 * 1048576) }' >more$more.csv
	done
	run -3 "$MEMWATCH" compare --fail-on regression more0.csv more8.csv
	[ "${lines[0]}" = "Worse: the program keeps 8.00 MiB (3.1 %) more." ]
	[[ "$output" == *"regression: host kept higher by 8.00 MiB (3.1 %)"* ]]
	run -0 "$MEMWATCH" compare --fail-on regression:5% more0.csv more8.csv
}

# What is freed and stays in the heap grows by 12 MiB per epoch besides what is kept.
@test "growth is what the report says of each run" {
	for file in leak.csv kept.csv; do
		[ $file = leak.csv ] || "$ROOT/tests/pictures/made.py" kept | awk -F, -v OFS=, 'NR == 1 {
			for (i = 1; i <= NF; i++) at[$i] = i
		} NR > 1 {
			more = 12 * 1048576 * $at["epoch"]
			$at["held_bytes"] += more
			if ($at["heap_free_bytes"] != "") $at["heap_free_bytes"] += more
		} 1' >kept.csv
		said=$("$MEMWATCH" report $file | sed -nE 's/^host: growth. (\+[^ ]* [KM]iB) per epoch .*/\1/p')
		[ -n "$said" ]
		"$MEMWATCH" compare $file $file | grep -E "^host growth per epoch +\\$said +\\$said "
	done
	"$MEMWATCH" compare kept.csv kept.csv | grep -q "both grow, by 15.0 MiB and 15.0 MiB per epoch"
}

@test "each GPU has its figures" {
	for gpu in 1000 1500; do
		awk -v gpu=$gpu -F, 'NR == 1 { print $0 ",gpu0_bytes,gpu1_bytes"; next } { print $0 "," gpu * 1048576 ",2000000000" }' flat.csv >gpu$gpu.csv
	done
	run -0 "$MEMWATCH" compare gpu1000.csv gpu1500.csv
	[ "${lines[0]}" = "Worse: gpu0: plateau 500 MiB (50 %) higher." ]
	[[ "$output" == *"gpu1 plateau"* ]]
}

@test "by time where a run has no epochs; logs of other tools too" {
	cut -d, -f1,3 flat.csv >timed.csv
	run -0 "$MEMWATCH" compare leak.csv timed.csv
	[[ "${lines[0]}" == "The fix works: growth of "*" per second is gone"* ]]
	[[ "${lines[1]}" == *"aligned by time, up to "* ]]
	run -0 --separate-stderr "$MEMWATCH" compare "$ROOT/tests/fixtures/logs/mprof_leak.dat" "$ROOT/tests/fixtures/logs/mprof_once.dat"
	[ "${lines[0]}" = "Mixed: growth of 15.3 MiB per second is gone, but the level is 9.98 MiB (5.9 %) higher after 6 s." ]
}

@test "a fix at the price of a higher level is not praised, and what fails the gate is named" {
	run_of 300 512 >creep.csv
	run_of 340 0 >dear.csv
	run -3 "$MEMWATCH" compare --fail-on regression:5% creep.csv dear.csv
	[[ "${lines[0]}" == "Mixed: growth of 512 KiB per epoch is gone, but the level is 3"*" MiB (1"*" %) higher by epoch 20." ]]
	[[ "$output" == *"regression: host plateau higher by 3"*" MiB (1"*" %), allowed are 5 %"* ]]
	run -0 "$MEMWATCH" compare --fail-on regression:50MiB creep.csv dear.csv
	[[ "$output" != *"regression: "* ]]
	"$MEMWATCH" compare --json --fail-on regression:5% creep.csv dear.csv | python3 -c '
import json, sys
c = json.load(sys.stdin)
assert c["result"] == "mixed" and c["regression"] and c["regressions"][0].startswith("host plateau higher by 3"), c'
	run -3 "$MEMWATCH" compare --fail-on regression:10MiB flat.csv leak.csv
	[[ "$output" == *"regression: host growth 8.00 MiB per epoch faster, which adds 15"*" MiB ("*" %), allowed are 10.0 MiB"* ]]
}

# too_little WORDS FILE...: said by both, and a gate neither passes nor fails
too_little()
{
	local words=$1
	shift
	run -0 --separate-stderr "$MEMWATCH" -q compare "$@"
	[ "${lines[0]}" = "Too little to compare: $words" ] || { echo "$output"; return 1; }
	run -125 --separate-stderr "$MEMWATCH" -q compare --json --fail-on regression "$@"
	[[ "$output" == *'"result":"unknown","regression":null,"regressions":[],'* ]]
	[[ "$stderr" == *"memwatch: --fail-on regression: cannot be told from so little" ]]
}

@test "too little to compare is said, and is neither better nor worse" {
	head -n 2 flat.csv >one.csv
	too_little "new has 1 sample." flat.csv one.csv
	too_little "base has 1 sample." one.csv one.csv
	too_little "run 2 of new has 1 sample." flat.csv --against flat.csv one.csv
	awk 'NR > 20 { sub(/,[0-9]*$/, ",damaged") } 1' leak.csv >bad.csv
	too_little "new is damaged, 19 rows could be read and 182 could not." flat.csv bad.csv
	head -n 4 flat.csv | cut -d, -f1,3 >short.csv
	too_little "new has 3 samples." flat.csv short.csv
	head -n 6 flat.csv | cut -d, -f1,3 >brief.csv
	too_little "the runs have only 0.4 s in common." flat.csv brief.csv
	awk -F, 'NR > 1 { $2 += 50 } 1' OFS=, flat.csv >late.csv
	too_little "the runs have no epoch in common." flat.csv late.csv
}

@test "how much the jump of a single run varies is not known" {
	gzip -dc "$ROOT/tests/fixtures/traces/sk_linear.csv.gz" >jump.csv
	"$MEMWATCH" compare flat.csv jump.csv | grep -qE '^host jump .* unknown$'
}

@test "a picture shows what was freed where the difference is there" {
	for kind in kept heap; do "$ROOT/tests/pictures/made.py" $kind >$kind.csv; done
	"$MEMWATCH" compare -r diff.svg kept.csv heap.csv
	"$ROOT/tests/pictures/svg.py" diff.svg >seen
	grep -q '^text The fix works: growth of 15.0 MiB per epoch is gone; the program keeps [0-9]* MiB ([0-9]* %) less' seen
	grep -qxF 'text host: freed by the program, kept by its allocator' seen
	grep -qxF 'class series 2' seen
	"$MEMWATCH" compare -r diff.svg heap.csv heap.csv
	"$ROOT/tests/pictures/svg.py" diff.svg | grep -qxF 'class series 1'
}

@test "a picture has all runs in it, and the sentence as its title" {
	"$MEMWATCH" compare -r diff.svg leak.csv flat.csv >out
	[ ! -s out ]
	"$ROOT/tests/pictures/svg.py" diff.svg >seen
	grep -qxF 'text The fix works: growth of 8.00 MiB per epoch is gone; plateau 128 MiB (30 %) lower.' seen
	grep -qxF 'text base: leak.csv' seen
	grep -qxF 'text new: flat.csv' seen
	grep -qxF 'text host: lowest point of each epoch' seen
	# the legend's sample, the curve, a dot for each epoch
	grep -qxF 'class s-held 22' seen
	grep -qxF 'class s-growth 22' seen
	cut -d, -f1,3 flat.csv >timed.csv
	"$MEMWATCH" compare -r diff.svg -r - flat.csv timed.csv more.csv | grep -q "^No difference"
	"$ROOT/tests/pictures/svg.py" diff.svg | grep -qxF 'text more.csv: Worse: plateau 20.0 MiB (6.7 %) higher.'
	"$ROOT/tests/pictures/svg.py" diff.svg | grep -qxF 'text host: memory over time'
}

@test "the other forms of report, and what is refused" {
	"$MEMWATCH" compare -r d.txt -r d.md -r d.json -r d.html leak.csv flat.csv
	grep -qF '<title>The fix works: growth of 8.00 MiB per epoch is gone; plateau 128 MiB (30 %) lower.</title>' d.html
	grep -qF '<tr><th>host plateau</th><td>4' d.html
	[ "$(grep -c '<polyline class="s-held"' d.html)" -eq 22 ]
	diff d.txt <("$MEMWATCH" compare leak.csv flat.csv)
	diff d.json <("$MEMWATCH" compare --json leak.csv flat.csv)
	diff <(tail -n +3 d.md) <("$MEMWATCH" compare --markdown leak.csv flat.csv)
	"$MEMWATCH" compare -r d.txt -r d.md -r d.json -r d.html flat.csv leak.csv
	grep -q '^Worse' d.txt
	echo mine >own.txt
	run -125 --separate-stderr "$MEMWATCH" compare -r own.txt leak.csv flat.csv
	says "memwatch: --report: 'own.txt' holds something that is not a memwatch report (--force overwrites it)"
	"$MEMWATCH" compare --force -r own.txt leak.csv flat.csv
	run -125 --separate-stderr "$MEMWATCH" compare -r own.txt -r ./own.txt leak.csv flat.csv
	says "memwatch: --report: 'own.txt' and './own.txt' are one file"
	run -125 --separate-stderr bash -c '"$0" compare -r both.txt leak.csv flat.csv >both.txt' "$MEMWATCH"
	says "memwatch: --report: 'both.txt' is the file that standard output goes to"
	run -125 --separate-stderr "$MEMWATCH" compare -r none/d.svg --run 'touch ran' --run true
	says "memwatch: --report: cannot write 'none/d.svg': No such file or directory"
	[ ! -e ran ]
}

@test "epochs too short for a sample are said" {
	awk -F, -v OFS=, 'NR > 1 { $2 = int($1 * 20) } 1' flat.csv >brief.csv
	run -0 --separate-stderr "$MEMWATCH" compare flat.csv brief.csv
	[ "$stderr" = "memwatch: brief.csv: 200 of 400 epochs have no sample: they are too short for it; record with a shorter --interval" ]
}

@test "--fail-on regression" {
	run -3 "$MEMWATCH" compare --fail-on regression flat.csv leak.csv
	run -0 "$MEMWATCH" compare --fail-on regression leak.csv flat.csv
	run -0 "$MEMWATCH" compare --fail-on regression flat.csv flat.csv
	run -3 "$MEMWATCH" compare --fail-on regression:15MiB flat.csv more.csv
	run -0 "$MEMWATCH" compare --fail-on regression:30MiB flat.csv more.csv
	run -3 "$MEMWATCH" compare --fail-on regression:5% flat.csv more.csv
	run -0 "$MEMWATCH" compare --fail-on regression:10% flat.csv more.csv
	run -0 "$MEMWATCH" compare flat.csv leak.csv
}

@test "a gate does not pass on what cannot be read or compared" {
	run -125 --separate-stderr "$MEMWATCH" compare --fail-on regression flat.csv none.csv
	says "memwatch: none.csv: No such file or directory"
	printf 'elapsed_s,gpu3_bytes\n0,5\n1,5\n' >gpu.csv
	too_little "new has 2 samples." flat.csv gpu.csv
	awk -F, 'NR == 1 { print "elapsed_s,epoch,gpu3_bytes"; next } 1' flat.csv >gpu.csv
	too_little "the runs have no series in common." flat.csv gpu.csv
}

@test "bad command lines" {
	export XDG_STATE_HOME=$PWD/none
	run -125 --separate-stderr "$MEMWATCH" compare flat.csv
	says "memwatch: compare: which FILE? no run is kept in '$XDG_STATE_HOME/memwatch' (see memwatch --help)"
	run -125 --separate-stderr "$MEMWATCH" compare flat.csv more.csv --against
	says "memwatch: --against: files of one side go before it, those of the other behind it"
	run -125 --separate-stderr "$MEMWATCH" compare --fail-on growth flat.csv more.csv
	says "memwatch: --fail-on: 'growth' is not regression, regression:SIZE or regression:PERCENT%"
	run -125 --separate-stderr "$MEMWATCH" compare --fail-on regression:much flat.csv more.csv
	says "memwatch: --fail-on: 'regression:much': 'much' is neither a size nor a percentage (examples: 20MiB, 5%)"
	run -125 --separate-stderr "$MEMWATCH" compare --fail-on regression:inf% flat.csv more.csv
	says "memwatch: --fail-on: 'regression:inf%': 'inf%' is neither a size nor a percentage (examples: 20MiB, 5%)"
	run -125 --separate-stderr "$MEMWATCH" compare - -
	says "memwatch: '-' is standard input, and can be given once"
	run -125 --separate-stderr "$MEMWATCH" compare --json --markdown flat.csv more.csv
	says "memwatch: --json and --markdown exclude each other"
}

@test "the README's recipe for CI: a baseline is made, the same program passes, a leak fails" {
	awk '/^```sh/ { text = ""; inside = 1; next } /^```/ { if (inside && text ~ /baseline/) printf "%s", text; inside = 0 } inside { text = text $0 "\n" }' \
		"$ROOT/README.md" >recipe
	grep -q 'regression' recipe
	mkdir bin
	ln -s "$MEMWATCH" bin/memwatch
	printf '#!/bin/sh\nPACE=new.csv exec "%s/$PROGRAM" 12 8 60\n' "$WORKLOAD" >bin/python
	chmod +x bin/python
	PATH=$PWD/bin:$PATH
	PROGRAM=flat run -0 bash recipe
	[ -s baseline.csv ]
	PROGRAM=flat run -0 bash recipe
	[[ "$output" == *"No difference beyond"* ]]
	PROGRAM=leak run -3 bash recipe
	[[ "$output" == *"Worse: memory now grows by "* ]]
}
