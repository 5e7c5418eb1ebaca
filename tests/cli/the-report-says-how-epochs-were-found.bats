#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Marks, lines of the output, --epochs every, the epoch column of a file, or nothing but time: text and JSON name the way.
load helper

# passes S: an epoch of so many seconds, and of two rows before them: then memwatch has read the line that began it, and no
# busy machine makes it read two at once or one late
# shellcheck disable=SC2016  # for the shells below
PASSES='. "$AWAIT"; passes() { [ ! -e run.csv ] || await_more_rows run.csv 2; sleep "$1"; }; '

# trains FITS EPOCHS: lines as Keras prints them, 100 ms each
trains()
{
	echo "$PASSES" >train.sh
	cat >>train.sh <<-'END'
		for fit in $(seq "$1"); do
			for epoch in $(seq "$2"); do
				echo "Epoch $epoch/$2"
				passes 0.1
			done
		done
	END
	sh train.sh "$@"
}

watched()
{
	"$MEMWATCH" -i 10ms -o run.csv -r run.json -r run.txt "$@" >out 2>words
}

# holds EXPRESSION: a Python expression over the document d
holds()
{
	python3 -c 'import json, sys; d = json.load(open("run.json")); f = d["epochs_from"]; sys.exit(not eval(sys.argv[1]))' "$1" ||
		{ cat run.json; return 1; }
}

setup()
{
	cd "$BATS_TEST_TMPDIR" || return 1
	command -v python3 >/dev/null || skip "python3 is not installed"
	trains 0 0
}

@test "lines of the output: how many, of which kind, how long and how regular" {
	watched -- sh train.sh 1 6
	holds 'f["way"] == "output" and f["format"] == "Keras-style lines" and f["found"] == 6 and f["fits"] == 1'
	holds '0.09 < f["mean_s"] <= d["duration_s"] / 4 and f["spread"] is not None and f["buffered"] is False'
	grep -qE '^epochs: 6 found in the output \(Keras-style lines\), [0-9.]+ m?s each \(±[0-9]+ %\)$' words
	grep -qE '^epochs: 6 found in the output' run.txt
}

@test "a resumed run counts what it ran" {
	watched -- sh -c "$PASSES"'for i in 18 19 20; do echo "Epoch $i/40"; passes 0.1; done'
	holds 'f["found"] == 3'
	tail -n 1 run.csv | cut -d, -f3 | grep -qx 19
}

@test "numbers that go back are a new fit, and each fit has its level" {
	watched -- sh train.sh 3 4
	holds 'f["fits"] == 3 and f["found"] == 12'
	holds '[(x["fit"], x["epochs"]) for x in d["fits"]] == [(1, 4), (2, 4), (3, 4)]'
	holds 'all(x["held_bytes"] > 0 for x in d["fits"]) and d["fits"][0]["end_s"] < d["fits"][1]["end_s"]'
	grep -qE '^fits: 3, the host held [0-9.]+ [KM]iB, [0-9.]+ [KM]iB, [0-9.]+ [KM]iB at their ends: ' words
}

@test "one fit needs no line of its own" {
	watched -- sh train.sh 1 4
	run ! grep -q '^fits:' words
}

@test "rounds stand for epochs, and so does a loop that goes on evenly" {
	watched -- sh -c "$PASSES"'for i in 0 1 2 3 4 5; do printf "[%d]\ttrain-rmse:0.5\n" $i; passes 0.1; done'
	holds 'f["way"] == "output" and f["format"] == "boosting rounds" and f["found"] == 6'
	watched -- sh -c "$PASSES"'for i in 1 2 3 4 5 6; do echo "Round $i/6: loss 0.1"; passes 0.15; done'
	holds 'f["way"] == "output" and f["format"] == "a counted loop" and f["found"] == 6'
}

@test "a counter of batches is no epoch" {
	watched -- sh -c 'for i in 1 2 3 4 5 6 1 2 3 4 5 6; do echo "[$i/6] loss 0.1"; sleep 0.05; done'
	holds 'f["way"] == "windows" and f["found"] is None'
	cut -d, -f3 run.csv | tail -n +2 | { run ! grep .; }
}

@test "marks outrank lines" {
	watched -- sh -c "$PASSES"'for i in 1 2 3; do echo "Epoch $i/9"; passes 0.1; echo epoch >>"$MEMWATCH_MARKS"; done'
	holds 'f["way"] == "marks" and f["format"] is None and f["found"] == 3'
	grep -qE '^epochs: 3 marked' words
}

@test "spans of time, as asked for" {
	watched --epochs every:100ms -- sh -c '. "$AWAIT"; await grep -qE "^[^,]*,[^,]*,([8-9]|[0-9]{2,})," run.csv'
	holds 'f["way"] == "every" and f["found"] >= 4 and f["mean_s"] == 0.1'
	grep -qE '^epochs: [0-9]+, as --epochs says, 100 ms each' words
}

@test "lines that come in one block give no times, and python -u is named" {
	watched -- sh -c 'sleep 0.5; seq -f "Epoch %g/8" 8; sleep 0.3'
	holds 'f["way"] == "windows" and f["buffered"] is True and f["found"] == 8 and f["mean_s"] is None'
	grep -q 'python -u' words
	[ "$(tail -n +2 run.csv | cut -d, -f3 | sort -u)" = "" ]
}

@test "marks that come in one block give no times either" {
	watched -- sh -c 'sleep 0.5; yes epoch | head -n 5 >>"$MEMWATCH_MARKS"; sleep 0.3'
	holds 'f["way"] == "windows" and f["buffered"] is True and f["found"] == 5'
	grep -q '^epochs: 5 marked; equal windows of time serve instead; marks came in blocks' words
}

@test "no sign of an epoch: time serves instead" {
	watched -- sh -c "$AWAIT_ROWS" run.csv 10
	holds 'f["way"] == "windows" and f["format"] is None and f["found"] is None and f["fits"] is None and d["fits"] == []'
	grep -q '^epochs: none found; equal windows of time serve instead$' words
}

@test "a recorded run knows its column" {
	watched -- sh train.sh 1 6
	"$MEMWATCH" report --json run.csv >run.json
	holds 'f["way"] == "column" and f["format"] is None and f["found"] in (5, 6) and 0.05 < f["mean_s"] <= d["duration_s"] / 4'
	"$MEMWATCH" report run.csv | grep -qE '^epochs: [56] in the file, [0-9.]+ m?s each'
}

@test "the first epoch of a column counts, though its cells were empty" {
	awk 'BEGIN { print "elapsed_s,epoch,rss_bytes"
		for (i = 0; i < 60; i++) print i "," (i < 10 ? "" : int(i / 10)) ",1000000000" }' >blank.csv
	"$MEMWATCH" report blank.csv >text
	grep -q '^blank.csv: 59 s, 5 epochs' text
	grep -q '^epochs: 5 in the file, 10 s each' text
}

@test "a column that stands still for long is no epoch, and growth shows all the same" {
	awk 'BEGIN { print "elapsed_s,epoch,rss_bytes"
		for (i = 0; i < 700; i++) print i "," (i < 100 ? int(i / 10) : 10) "," 1e9 + (i > 100 ? (i - 100) * 1e6 : 0) }' >over.csv
	"$MEMWATCH" report over.csv >text
	grep -q '^epochs: 10 in the file, none in the last 9 min 59 s; equal windows of time serve instead$' text
	grep -q '^host: growth. +57.2 MiB per minute' text
	"$MEMWATCH" report --json over.csv >run.json
	holds 'f["way"] == "windows" and f["found"] == 10 and d["epochs"] == 10'
}

@test "what was taken after the last epoch stands beside the verdict" {
	awk 'BEGIN { print "elapsed_s,epoch,rss_bytes"
		for (i = 0; i < 100; i++) print i "," (i < 60 ? int(i / 5) : 12) "," (i < 65 ? 1e9 : 1.5e9) }' >after.csv
	"$MEMWATCH" report after.csv >text
	grep -q '^host: flat\. .* In the 39 s since the last epoch: +477 MiB\.' text
}

@test "an epoch that takes long is told of so far, and is no verdict" {
	awk 'BEGIN { print "elapsed_s,epoch,rss_bytes"
		for (i = 0; i < 900; i++) print i "," (i > 300 ? 1 : 0) "," 1e9 + i * 1e6
		for (; i < 904; i++) print i ",1," 2e8 }' >long.csv
	"$MEMWATCH" report --limit 4G long.csv >text
	grep -q '^host: undetermined\. .* 3 more epochs would decide it\. Rising so far: +57.2 MiB per minute (.*), since ' text
	grep -q 'Rising so far: .* 4.00 GiB would have been full in about 4[01] min [0-9]* s more at that pace' text
	"$MEMWATCH" report --limit 4G --until 890 long.csv | grep -q '4.00 GiB is full in about 4[01] min [0-9]* s at that pace'
	run ! grep -q 'Save checkpoints' text
	"$MEMWATCH" report --fail-on growth long.csv
	"$MEMWATCH" report --fail-on limit --limit 2G long.csv >text && status=0 || status=$?
	[ "$status" -eq 3 ]
	grep -q 'Save checkpoints often' text
}

@test "attached: the lines of the file that the process writes to" {
	start sh train.sh 1 300 >log
	await grep -q 'Epoch 2/' log
	start env --default-signal=INT "$MEMWATCH" -q -i 10ms -o run.csv -r run.json --pid "$pid"
	await grep -qE '^[^,]*,[^,]*,([7-9]|[0-9]{2,}),' run.csv
	kill -INT "$pid"
	wait "$pid"
	holds 'f["way"] == "output" and f["found"] >= 5'
}

@test "attached: SIGUSR1 to memwatch marks an epoch's end" {
	start sleep 60
	start env --default-signal=INT "$MEMWATCH" -q -i 10ms -o run.csv -r run.json --pid "$pid"
	await has_rows run.csv 1
	for finished in 1 2 3; do
		kill -USR1 "$pid"
		await grep -qE "^([^,]*,){2}$finished," run.csv
	done
	kill -INT "$pid"
	wait "$pid"
	holds 'f["way"] == "marks" and f["found"] == 3'
}

@test "a log that never appears is named at the end, one that comes late is not" {
	watched --epochs log:train.log -- sleep 0.2
	grep -qxF "  - 'train.log', which --epochs names, never appeared." words
	grep -qxF "  - 'train.log', which --epochs names, never appeared." run.txt
	watched --epochs log:train.log -- sh -c 'sleep 0.1; : >train.log; sleep 0.1'
	[[ "$(cat words)" != *"never appeared"* ]]
}

@test "an --epoch-regex that no line matched is named at the end, one that matched is not" {
	watched --epoch-regex 'ronud ([0-9]+)' -- sh -c 'echo round 1; sleep 0.1; echo round 2'
	grep -qxF "  - No line matched 'ronud ([0-9]+)', which --epoch-regex gives." words
	grep -qxF "  - No line matched 'ronud ([0-9]+)', which --epoch-regex gives." run.txt
	watched --epoch-regex 'round ([0-9]+)' -- sh -c 'echo round 1; sleep 0.1; echo round 2'
	[[ "$(cat words)" != *"No line matched"* ]]
}

@test "attached to a process whose output cannot be read: how to tell of epochs" {
	start sleep 60 >/dev/null 2>&1
	watched --pid "$pid" --duration 100ms
	holds 'f["way"] == "windows" and f["found"] is None'
	grep -q '^  - Its output goes to no file, so it cannot be read: --epochs log:FILE or SIGUSR1' words
	start sleep 60 > >(cat) 2>&1
	watched --pid "$pid" --duration 100ms
	grep -q '^  - Its output goes to no file, so it cannot be read: --epochs log:FILE or SIGUSR1' words
}

@test "nothing of that where it can, or where nobody asked for epochs" {
	local how
	start sleep 60 >log
	watched --pid "$pid" --duration 100ms
	[[ "$(cat words)" != *"cannot be read"* ]]
	start sleep 60 >/dev/null 2>&1
	for how in none every:20ms log:log; do
		watched --pid "$pid" --duration 100ms --epochs "$how"
		[[ "$(cat words)" != *"cannot be read"* ]]
	done
}

@test "a log of an earlier run does not count for the next" {
	printf 'Epoch %d/9\n' 1 2 3 4 5 6 7 8 9 >train.log
	watched --epochs log:train.log -- sh -c "$PASSES"'for i in 1 2 3; do echo "Epoch $i/3" >>train.log; passes 0.1; done'
	holds 'f["found"] == 3 and len(d.get("fits", [])) < 2'
}

@test "a file that COMMAND sends its output to by itself is found, and left as it is" {
	watched -- sh -c 'sh train.sh 1 15 >log; :'
	holds 'f["way"] == "output" and f["format"] == "Keras-style lines" and f["found"] == 15 and f["fits"] == 1'
	seq -f 'Epoch %g/15' 15 | cmp - log
	watched -- sh -c 'sh train.sh 1 15 2>log >&2; :'
	holds 'f["way"] == "output" and f["found"] == 15'
}

@test "of a file that it appends to, only what comes from then on" {
	seq -f 'Epoch %g/9' 9 >log
	watched -- sh -c 'sh train.sh 1 15 >>log; :'
	holds 'f["way"] == "output" and 4 <= f["found"] <= 15 and f["fits"] == 1'
	tail -n 1 run.csv | cut -d, -f3 | grep -qxE '14|15'
}

@test "a file is not looked for where epochs come from elsewhere, or are not wanted" {
	watched --epochs none -- sh -c 'sh train.sh 1 8 >log; :'
	holds 'f["way"] == "windows" and f["found"] is None'
	watched --epochs every:100ms -- sh -c 'sh train.sh 1 8 >log; :'
	holds 'f["way"] == "every"'
	watched --epochs log:other -- sh -c 'sh train.sh 1 8 >log; :'
	holds 'f["way"] == "windows" and f["found"] is None'
}

@test "output to /dev/null: why no epochs are known" {
	"$MEMWATCH" -i 10ms -- sh -c 'for i in 1 2 3; do echo "Epoch $i/3"; sleep 0.1; done' >/dev/null 2>words
	grep -q "^  - Its output goes to no file and no pipe, so it cannot be read: either of them, or marks, would tell of epochs" words
}

@test "epochs that end behind the last sample count, and leave nothing to come" {
	"$MEMWATCH" -q -i 20ms -o run.csv -r run.txt -r run.json -- python3 -c '
import os, time
def rows():
    return open("run.csv").read().count("\n") if os.path.exists("run.csv") else 0
kept = []
for epoch in range(1, 13):
    kept.append(bytearray(4 << 20))
    seen = rows()
    while epoch < 10 and rows() < seen + 3:
        time.sleep(0.005)
    print(f"Epoch {epoch}/12", flush=True)' >out
	grep -E ': [0-9.]+ m?s, 12 epochs, ' run.txt
	grep -E '^epochs: 12 found' run.txt
	run -1 grep 'planned end' run.txt
	python3 -c 'import json; run = json.load(open("run.json")); assert run["epochs"] == run["epochs_from"]["found"] == 12, run'
}

@test "where epochs have hardly a sample, a shorter interval is named, once" {
	awk 'BEGIN { print "elapsed_s,epoch,rss_bytes,held_bytes"
		for (i = 0; i < 100; i++) printf "%.1f,%d,%d,%d\n", i / 5, i / 1.4, 3e8 + i % 7, 2e8 + i % 7 }' >short.csv
	"$MEMWATCH" report short.csv >words
	[ "$(grep -c '^  - An epoch has fewer than 4 samples, which tell little of it: -i 20ms takes more\.$' words)" -eq 1 ]
	awk 'BEGIN { print "elapsed_s,epoch,rss_bytes,held_bytes"
		for (i = 0; i < 100; i++) printf "%.1f,%d,%d,%d\n", i / 5, i / 6, 3e8 + i % 7, 2e8 + i % 7 }' >long.csv
	"$MEMWATCH" report long.csv >words
	run -1 grep 'fewer than' words
}

# Lightning's rich bar, into a file: all that it drew comes as it ends.
@test "one line that came as the run ended names what helps" {
	watched -- sh -c '. "$AWAIT"; await_more_rows run.csv 60
		printf "Epoch 38/39 ━━━━━━━━━━━━━━━━━━━━ 8/8 0:00:00 • 0:00:00 101.35it/s v_num: 0.000\n"'
	grep -E '^epochs: 1 found in the output .*; its line came too late to time it: marks come in time' words
}
