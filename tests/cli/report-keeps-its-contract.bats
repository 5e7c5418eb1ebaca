#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The JSON that programs read, what several files give, the table of epochs, exit statuses.
load helper

# made_run EPOCHS RISE: 10 rows per epoch of 1 s, RISE bytes more in each epoch, a limit of 1 GB, one GPU
made_run() {
	awk -v epochs="$1" -v rise="$2" 'BEGIN {
		print "elapsed_s,epoch,procs,rss_bytes,anon_bytes,shmem_bytes,held_bytes,limit_bytes,gpu0_bytes,gpu0_total_bytes"
		for (i = 0; i < epochs * 10; i++) {
			held = 300000000 + int(rise * i / 10) + (i * 7919 % 13) * 4096
			printf "%d.%d00,%d,2,%d,%d,0,%d,1000000000,2000000000,8000000000\n", i / 10, i % 10, i / 10,
				held + 100000000, held, held
		}
	}'
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	made_run 30 2000000 >leak.csv
	made_run 30 0 >level.csv
}

python() {
	command -v python3 >/dev/null || skip "python3 is not installed"
	python3 -
}

@test "the JSON holds every key of the contract, in order, and nothing else" {
	"$MEMWATCH" report --json leak.csv >leak.json
	python <<-'END'
		import json
		doc = json.load(open("leak.json"))
		assert list(doc) == ["memwatch", "command", "pid", "duration_s", "epochs", "series", "verdict", "pressure", "epochs_from",
		    "fits"], list(doc)
		assert doc["command"] is None and doc["pid"] is None and doc["epochs"] == 29 and doc["verdict"] == "growth"
		assert [s["name"] for s in doc["series"]] == ["host", "gpu0"]
		for s in doc["series"]:
		    assert list(s) == ["name", "verdict", "firm", "slope_bytes_per_epoch", "slope_bytes_per_s", "slope_low",
		        "slope_high", "jump_bytes", "onset_s", "onset_epoch", "first_bytes", "last_bytes", "peak_bytes",
		        "plateau_bytes", "limit_bytes", "full_in_s", "full_in_epochs", "outlook",
		        "planned_epochs", "end_bytes", "end_low", "end_high", "reason", "advice", "parts"], list(s)
		host, gpu = doc["series"]
		assert host["verdict"] == "growth" and host["firm"] is True
		assert abs(host["slope_bytes_per_epoch"] - 2e6) < 1e4 and abs(host["slope_bytes_per_s"] - 2e6) < 1e4
		assert host["slope_low"] < 2e6 < host["slope_high"]
		assert host["limit_bytes"] == 1000000000 and 315 < host["full_in_epochs"] < 330 and 315 < host["full_in_s"] < 330
		assert host["parts"][0]["name"] == "anon" and host["parts"][0]["share"] == 1
		assert host["advice"] and gpu["advice"] == [] and gpu["parts"] == []
		assert gpu["full_in_s"] is None and gpu["limit_bytes"] == 8000000000 and gpu["last_bytes"] == 2000000000
	END
}

@test "the same file gives the same bytes, in any locale and any time zone" {
	"$MEMWATCH" report --json leak.csv >a
	LC_ALL=de_DE.UTF-8 TZ=Asia/Kolkata "$MEMWATCH" report --json leak.csv >b
	cmp a b
}

@test "--until judges the run as it stood then: later rows do not matter" {
	"$MEMWATCH" report --json --until 12.5 leak.csv >until.json
	awk -F, 'NR == 1 || $1 <= 12.5' leak.csv >head.csv
	"$MEMWATCH" report --json head.csv >head.json
	cmp until.json head.json
	"$MEMWATCH" report --json --until 9999 leak.csv >all.json
	"$MEMWATCH" report --json leak.csv | cmp - all.json
}

@test "several files: one line each, then the odd one out and the worst" {
	run --separate-stderr "$MEMWATCH" report level.csv leak.csv level.csv
	[ "$status" -eq 0 ]
	[ "${#lines[@]}" -eq 5 ]
	[[ "${lines[0]}" == "level.csv: host: flat. "* ]]
	[[ "${lines[1]}" == "leak.csv: host: growth. "* ]]
	[ "${lines[3]}" = "odd one out: leak.csv grows, the others do not" ]
	[ "${lines[4]}" = "worst: growth (leak.csv)" ]
	awk -F, -v OFS=, 'NR > 1 { $1 /= 2 } { print }' leak.csv >faster.csv
	run --separate-stderr "$MEMWATCH" report leak.csv faster.csv leak.csv
	[ "${lines[3]}" = "worst: growth (faster.csv)" ]
	awk -F, -v OFS=, 'NR > 1 { for (i = 2; i <= NF; i++) if ($i > 1000000) $i = sprintf("%.0f", 2 * $i) } { print }' level.csv >twice.csv
	run --separate-stderr "$MEMWATCH" report level.csv level.csv twice.csv level.csv
	[[ "${lines[4]}" == "odd one out: twice.csv came to "*"; the others lie between "*" and "* ]]
	"$MEMWATCH" report --json level.csv level.csv twice.csv | grep -q '"odd_one_out":{"file":"twice.csv","reason":"came to '
	run --separate-stderr "$MEMWATCH" report level.csv level.csv level.csv
	[[ "$output" != *"odd one out"* ]]
}

@test "several files as JSON: one document" {
	"$MEMWATCH" report --json level.csv none.csv leak.csv >all.json 2>err && return 1
	[ "$?" -eq 125 ]
	[ "$(cat err)" = "memwatch: none.csv: No such file or directory" ]
	python <<-'END'
		import json
		doc = json.load(open("all.json"))
		assert list(doc) == ["memwatch", "runs", "verdict", "odd_one_out"] and doc["verdict"] == "growth"
		assert doc["odd_one_out"] is None
		assert [r["file"] for r in doc["runs"]] == ["level.csv", "leak.csv"]
		assert [r["verdict"] for r in doc["runs"]] == ["flat", "growth"]
	END
}

@test "--fail-on: 3 when a series ends so, 0 when none does" {
	local options expected
	while read -r expected options; do
		# shellcheck disable=SC2086  # words are meant
		run "$MEMWATCH" report $options
		[ "$status" -eq "$expected" ] || { echo "report $options: $status, not $expected"; return 1; }
	done <<-'END'
		3 --fail-on growth leak.csv
		0 --fail-on growth level.csv
		3 --fail-on limit,growth level.csv leak.csv
		3 --fail-on limit leak.csv
		0 --fail-on limit --limit 100G leak.csv
		3 --fail-on limit --limit 300M level.csv
		0 --fail-on retained leak.csv
		0 leak.csv
	END
}

@test "what is above its limit does not fit, nor is it full in 0 ms" {
	"$MEMWATCH" report --limit 50M level.csv >text
	grep -qE '^host: flat\. .* Its peak of 28[67] MiB is above the limit of 50.0 MiB\.$' text
	grep -q 'It does not fit' text
	run ! grep -q 'It fits' text
	"$MEMWATCH" report --limit 50M leak.csv >text
	grep -qE '^host: growth\. .* Its peak of 34[0-9] MiB is above the limit of 50.0 MiB\.$' text
	run ! grep -qE 'is full|checkpoint' text
}

@test "--fail-on limit fails for growth exactly where checkpoints are advised" {
	local limit status words
	for limit in 345M 1G 9G 20G; do
		"$MEMWATCH" report --fail-on limit --limit $limit leak.csv >text && status=0 || status=$?
		grep -q 'Save checkpoints often' text && words=3 || words=0
		[ "$status" -eq "$words" ] || { echo "limit $limit: status $status, words for $words"; return 1; }
	done
}

@test "-r writes text and JSON by suffix, instead of standard output" {
	run "$MEMWATCH" report -r a.txt -r b.JSON leak.csv
	[ "$status" -eq 0 ]
	[ -z "$output" ]
	"$MEMWATCH" report leak.csv | cmp - a.txt
	"$MEMWATCH" report --json leak.csv | cmp - b.JSON
	"$MEMWATCH" report -r - leak.csv | cmp - a.txt
}

@test "-r tells somebody who looks on the verdict and the files; -q tells nothing" {
	on_terminal() { "$BATS_TEST_DIRNAME/on-terminal" 200 "$MEMWATCH" "$@" | tr -d '\r' >screen; }
	on_terminal report -r a.txt -r b.svg leak.csv
	grep -q '^memwatch: host: growth\. ' screen
	grep -qx 'memwatch: a.txt is written' screen
	grep -qx 'memwatch: b.svg is written' screen
	on_terminal report -r - -r a.txt leak.csv
	[ "$(grep -c 'host: growth' screen)" -eq 1 ]
	on_terminal compare -r c.svg leak.csv level.csv
	grep -q '^memwatch: The fix works: ' screen
	grep -qx 'memwatch: c.svg is written' screen
	on_terminal -q report -r a.txt leak.csv
	[ ! -s screen ]
	on_terminal -r d.txt -- true
	grep -qx 'memwatch: d.txt is written' screen
}

@test "-r holds one report" {
	run --separate-stderr "$MEMWATCH" report -r a.txt leak.csv level.csv
	[ "$status" -eq 125 ]
	[ "$stderr" = "memwatch: --report: 'a.txt' can hold the report of one FILE only" ]
}

@test "the table of epochs as text, CSV and Markdown" {
	run "$MEMWATCH" report --epochs-table leak.csv
	[ "${lines[0]}" = "epoch    duration       floor        mean        peak      change  procs        gpu0" ]
	[[ "${lines[1]}" =~ ^\ +1\ +1\.0\ s\ +286\ MiB ]]
	[[ "${lines[29]}" =~ ^\ +29\  ]]
	[[ "${lines[30]}" =~ ^\ +30\*\  ]]
	[ "${lines[31]}" = "* what came after: an epoch that had not ended, or the end of the run" ]
	[[ "${lines[32]}" == leak.csv:* ]]
	"$MEMWATCH" report --csv leak.csv >table.csv
	[ "$(head -n 1 table.csv)" = "epoch,duration_s,floor_bytes,mean_bytes,peak_bytes,floor_change_bytes,procs,gpu0_peak_bytes" ]
	[ "$(wc -l <table.csv)" -eq 30 ]
	[[ "$(sed -n 3p table.csv)" =~ ^2,1\.000,30[0-9]+,30[0-9]+,30[0-9]+,[0-9]+,2,2000000000$ ]]
	[ "$("$MEMWATCH" report --markdown leak.csv | sed -n 2p)" = "|---:|---:|---:|---:|---:|---:|---:|---:|" ]
}

@test "the first epoch is in the table, without the floor of set-up, where its end is the first sign of epochs" {
	awk -F, -v OFS=, 'NR > 1 && $2 == 0 { $2 = "" } 1' leak.csv >late.csv
	"$MEMWATCH" report --csv late.csv >table.csv
	[[ "$(sed -n 2p table.csv)" =~ ^1,[0-9.]+,,,[0-9]+,,2,2000000000$ ]]
	[[ "$(sed -n 3p table.csv)" =~ ^2,1\.000,30[0-9]+,30[0-9]+,30[0-9]+,,2,2000000000$ ]]
	awk -F, -v OFS=, 'NR > 1 && $2 < 5 { $2 = "" } 1' leak.csv >later.csv
	[[ "$("$MEMWATCH" report --csv later.csv | sed -n 2p)" == 6,* ]]
}

@test "tables of several files have their names above them" {
	"$MEMWATCH" report --epochs-table leak.csv level.csv >text
	[ "$(sed -n 1p text)" = "leak.csv:" ]
	[[ "$(sed -n 2p text)" == epoch\ * ]]
	[ "$(grep -cE '^(leak|level)\.csv:$' text)" -eq 2 ]
	[ "$(grep -cE '^(leak|level)\.csv: .*host: ' text)" -eq 2 ]
	"$MEMWATCH" report --markdown leak.csv level.csv >text
	[ "$(sed -n 1,3p text)" = "$(printf '**leak.csv**\n\n| epoch | duration | floor | mean | peak | change | procs | gpu0 |')" ]
	[ "$(grep -B1 -F '**level.csv**' text | head -n 1)" = "" ]
}

@test "a row without the figure that is judged is in no table" {
	awk -F, -v OFS=, 'NR == 155 { $5 = 900000000; $7 = "" } { print }' level.csv >hole.csv
	[ "$("$MEMWATCH" report --csv hole.csv | cut -d, -f5 | sort -n | tail -n 1)" -lt 310000000 ]
}

@test "a column that starts anew goes on counting, in all of the report" {
	sed 1d level.csv | awk -F, -v OFS=, '{ $1 += 30; print }' | cat level.csv - >twice.csv
	"$MEMWATCH" report twice.csv >text
	grep -q '^twice.csv: 60 s, 59 epochs' text
	grep -q '^epochs: 59 in the file, 1.0 s each' text
}

@test "a run without epochs has no table of them" {
	cut -d, -f1,3- leak.csv >blind.csv
	run --separate-stderr "$MEMWATCH" report --epochs-table blind.csv
	[ "$status" -eq 0 ]
	[ "$stderr" = "memwatch: blind.csv: no epoch was finished, so there is no table" ]
	[[ "${lines[0]}" == blind.csv:* ]]
}

@test "eight GPUs that leak alike get their advice once, in JSON each its own" {
	awk 'BEGIN {
		printf "elapsed_s,epoch,held_bytes"
		for (g = 0; g < 8; g++) printf ",gpu%d_bytes,gpu%d_total_bytes", g, g
		print ""
		for (i = 0; i < 300; i++) {
			printf "%d.%d00,%d,300000000", i / 10, i % 10, i / 10
			for (g = 0; g < 8; g++) printf ",%d,80000000000", 200000000 + i * 2000000
			print ""
		}
	}' >eight.csv
	"$MEMWATCH" report eight.csv >text
	[ "$(grep -c '^gpu[0-7]: growth\. ' text)" -eq 8 ]
	[ "$(grep -c '^  - ' text)" -eq 4 ]
	[ "$(grep -n '^gpu7: ' text | cut -d: -f1)" -lt "$(grep -n '^  - ' text | head -n 1 | cut -d: -f1)" ]
	"$MEMWATCH" report --json eight.csv >eight.json
	[ "$(grep -o 'hidden states' eight.json | wc -l)" -eq "$(grep -o '"name":"gpu' eight.json | wc -l)" ]
}

@test "a GPU that was never used is not talked about" {
	sed 's/2000000000,8000000000$/0,8000000000/' leak.csv >unused.csv
	"$MEMWATCH" report unused.csv >text
	! grep gpu0 text || false
	grep -q '^host: growth' text
}

@test "a closed pipe is an ordinary end" {
	local files=() ends
	for _ in $(seq 500); do files+=(level.csv); done
	"$MEMWATCH" report "${files[@]}" 2>err | head -n 1
	ends=("${PIPESTATUS[@]}")
	[ "${ends[0]}" -eq 0 ] || [ "${ends[0]}" -eq $((128 + 13)) ]
	[ ! -s err ]
}

@test "a FIFO without a writer is waited for, and that is said" {
	mkfifo rows
	start "$MEMWATCH" report rows >text 2>words
	await grep -qxF 'memwatch: rows: a FIFO: waiting for somebody to write to it' words
	cat leak.csv >rows
	wait "$pid"
	grep -q '^host: growth' text
}

@test "what a writer wrote to a FIFO and left there is read" {
	mkfifo rows
	start "$MEMWATCH" report rows >text
	reader=$pid
	await sh -c "readlink /proc/$reader/fd/* | grep -q rows"
	head -n 2 leak.csv >rows
	wait "$reader" || [ "$?" -eq 125 ]
}

@test "--markdown is Markdown without epochs, too" {
	awk 'BEGIN { print "elapsed_s,rss_bytes,held_bytes"; for (i = 0; i < 60; i++) printf "%.1f,300000000,200000000\n", i / 5 }' >level.csv
	"$MEMWATCH" report --markdown level.csv >text 2>words
	grep -q '^\*\*host: flat\.\*\* ' text
	grep -q '^| how long | 12 s, 60 samples |$' text
}
