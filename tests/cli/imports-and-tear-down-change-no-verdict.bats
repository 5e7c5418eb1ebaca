#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# A run is judged from where training begins to where it ends: what an interpreter gives back as it exits, and what imports
# took, are in no verdict, no first and last value and no date.
load helper

TRACES=$ROOT/tests/fixtures/traces

# trained: standard input without the rows after the last epoch's end and without the column of epochs
trained() {
	awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; e = at["epoch"]; print; next }
		$e != "" && $e > last { kept = n; last = $e }
		{ $e = ""; row[++n] = $0 }
		END { for (i = 1; i <= kept; i++) print row[i] }'
}

# torn_down SHARE...: standard input and a row every 200 ms more with that share of what the last one held
torn_down() {
	awk -F, -v OFS=, -v shares="$*" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		{ print }
		END { n = split(shares, share, " ")
			split("rss_bytes anon_bytes held_bytes", falls, " ")
			for (f = 1; f <= 3; f++) if (falls[f] in at) was[f] = $at[falls[f]]
			for (i = 1; i <= n; i++) {
				$1 = sprintf("%.3f", $1 + 0.2)
				for (f in was) $at[falls[f]] = was[f] == "" ? "" : int(was[f] * share[i])
				print
			} }'
}

# said FILE: verdict and last value of the host. "Rising" is one thing to a reader, whether it outweighs settling by now (growth,
# not firm) or not (undetermined, still rising): a dip of the training that falls into its end may change its weight.
said() {
	"$MEMWATCH" report --json "$1" | sed -nE '
		s/"verdict":"growth","firm":false/"verdict":"rising","firm":false/
		s/"verdict":"undetermined"(.*"reason":"[^"]*still rising)/"verdict":"rising"\1/
		s/.*"name":"host","verdict":"([a-z]*)".*"last_bytes":([0-9]*),"peak.*/\1 \2/p' | head -n 1
}

# least: the least that standard input held in its last five rows, of which one alone may be a spike
least() {
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ row[NR] = "held_bytes" in at && $at["held_bytes"] != "" ? $at["held_bytes"] : $at["anon_bytes"] + $at["shmem_bytes"] }
		END { for (i = NR - 4; i <= NR; i++) if (least == "" || row[i] < least) least = row[i]; printf "%.0f\n", least }'
}

@test "what is given back in the last seconds is judged as if it had not been" {
	local trace before after held seconds shares bad=0 runs=0
	for trace in "$TRACES"/{keras,torch,pl,tfdata,replay,sk,joblib}_*.csv.gz; do
		gzip -dc "$trace" | trained >run.csv
		seconds=$(tail -n 1 run.csv | cut -d. -f1)
		[[ "$seconds" =~ ^[0-9]+$ && "$seconds" -ge 20 ]] || continue # no epochs, or hardly more than imports
		before=$(said run.csv)
		held=$(least <run.csv)
		for shares in "1 .96 .96 .9 .9 .9 .8" ".98 .98 .98 .98 .9 .9 .9 .9 .9 .85"; do
			# shellcheck disable=SC2086  # words are meant
			torn_down $shares <run.csv >ends.csv
			after=$(said ends.csv)
			runs=$((runs + 1))
			[ "${after% *}" = "${before% *}" ] && [ "${after#* }" -gt $((held * 97 / 100)) ] ||
				{ echo "$(basename "$trace"): $before, at least $held, with its end $after"; bad=$((bad + 1)); }
		done
	done
	echo "$bad of $runs"
	[ "$runs" -gt 40 ]
	[ "$bad" -eq 0 ]
}

# training: when the first epoch of standard input began, and the least and the most that was held in it and the next two;
# nothing if that was at its first row
training() {
	awk -F, 'function cell(name) { return name in at ? $at[name] : 0 }
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ e = cell("epoch"); held = cell("held_bytes") }
		!held { held = cell("anon_bytes") + cell("shmem_bytes") + cell("swap_bytes") }
		e == "" { before = 1; next }
		!before { exit }
		t == "" { t = $1; first = e; least = held; most = held }
		e > first + 2 { exit }
		{ if (held < least) least = held; if (held > most) most = held }
		END { if (t != "") printf "%.3f %.0f %.0f\n", t, least, most }'
}

@test "the first value and every date are the training's, not those of imports" {
	local trace first onset t least most bad=0 runs=0
	for trace in "$TRACES"/*.csv.gz; do
		gzip -dc "$trace" >run.csv
		read -r t least most < <(training <run.csv) || continue
		runs=$((runs + 1))
		"$MEMWATCH" report --json run.csv >run.json
		first=$(sed -n 's/.*"name":"host".*"first_bytes":\([0-9]*\),.*/\1/p' run.json | head -n 1)
		onset=$(sed -n 's/.*"name":"host".*"onset_s":\([0-9.]*\),"onset_e.*/\1/p' run.json | head -n 1)
		awk -v first="$first" -v onset="${onset:-$t}" -v t="$t" -v least="$least" -v most="$most" \
			'BEGIN { exit !(first >= least * 0.99 && first <= most * 1.01 && onset >= t) }' ||
			{ echo "$(basename "$trace"): $first at first, of $least to $most; onset $onset, training from $t"; bad=1; }
	done
	[ "$runs" -gt 40 ]
	[ "$bad" -eq 0 ]
}

@test "imports are told as a span, not as an instant" {
	gzip -dc "$TRACES/sk_linear.csv.gz" >run.csv
	"$MEMWATCH" report run.csv | grep -qE '^host: reservation\. \+83\.9 MiB while the program started, until 3\.0 s, flat since: 14 epochs'
}
