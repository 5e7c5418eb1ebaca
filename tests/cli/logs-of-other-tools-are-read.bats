#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Every log of tests/fixtures/logs, its figures read a second time by a few lines of Python; and what is said of damage.
load helper

LOGS=$ROOT/tests/fixtures/logs

# figures TOOL FILE: the tool, then seconds, series and bytes of each sample
figures()
{
	python3 - "$@" <<'PYTHON'
import datetime, re, sys

tool, path = sys.argv[1:]
lines = [line.split() for line in open(path) if line.strip()]
at = {}  # time -> bytes


def add(when, amount):
    at[when] = at.get(when, 0) + amount


def clock(text):
    h, m, s = text.split(":")
    return int(h) * 3600 + int(m) * 60 + int(s)


def kib(text):
    scale = {"m": 1024, "M": 1024, "g": 1024**2}.get(text[-1])
    return float(text[:-1]) * scale * 1024 if scale else float(text) * 1024


if tool == "mprof":
    for words in lines:
        if words[0] == "MEM":
            now = float(words[2])
            add(now, round(float(words[1]) * 2**20))
        elif words[0] == "CHLD":
            add(now, round(float(words[2]) * 2**20))
    origin = min(at)
    if at[origin] < 2**20:
        del at[origin]
elif tool == "psrecord":
    for words in lines[1:]:
        cells = words[0].split(",") if len(words) == 1 else words
        at[float(cells[0])] = float(cells[3 if len(words) == 1 else 2]) * 2**20
elif tool == "pidstat":
    for words in lines:
        if "PID" in words or "TGID" in words:
            names = [w for w in words if w != "#"]
        elif "Average:" not in words and re.match(r"[0-9]+(:|$)", words[0]) and "RSS" in names and "-" not in words[2]:
            when = clock(words[0]) if ":" in words[0] else int(words[0])
            add(when, kib(words[names.index("RSS")]))
elif tool == "prmon":
    for words in lines[1:]:
        at[int(words[0])] = (int(words[2]) + int(words[4])) * 1024
elif tool == "syrupy":
    for words in lines[1:]:
        if words[6] != "0":
            add(clock(words[2]), int(words[6]) * 1024)
elif tool == "top":
    for words in lines:
        if words[0] == "top":
            now = clock(words[2])
        elif words[0].isdigit():
            add(now, kib(words[5]))
elif tool == "atop":
    for words in lines:
        add(int(words[2]), int(words[11]) * 1024)
elif tool == "nvidia-smi":
    for words in open(path).read().splitlines()[1:]:
        cells = words.split(", ")
        when = datetime.datetime.strptime(cells[0], "%Y/%m/%d %H:%M:%S.%f").timestamp()
        add(when, int(cells[-1].split()[0]) * 2**20)
elif tool == "nvidia-smi pmon":
    for words in lines:
        if words[0] == "0":
            add(0, int(words[7]) * 2**20)
elif tool == "docker stats":
    when = -1
    for words in lines:
        if words[0] == "CONTAINER":
            when += 1
        else:
            number, unit = re.match(r"([0-9.]+)(\D+)", words[3]).groups()
            add(when, float(number) * {"MiB": 2**20, "GiB": 2**30}[unit])
start = 0 if tool == "psrecord" else origin if tool == "mprof" else min(at)
print(tool)
for when in sorted(at):
    print(f"{when - start:.3f} {'gpu0_bytes' if 'nvidia' in tool else 'host'} {at[when]:.0f}")
PYTHON
}

# as_python TOOL FILE...: the same tool, as many samples, times within a millisecond, figures within a byte
as_python()
{
	local tool=$1 file
	shift
	for file; do
		paste -d '|' <(figures "$tool" "$LOGS/$file") <("$ROOT/${BUILD:-build}/tests/logdump" "$LOGS/$file") >both
		awk -F'|' -v file="$file" '
			function off(a, b) { return a > b ? a - b : b - a }
			NR == 1 { bad = $1 != $2; next }
			{ split($1, must, " "); split($2, is, " ") }
			must[2] != is[2] || off(must[1], is[1]) > 0.0015 || off(must[3], is[3]) > 1 { print file ": " $0; bad = 1 }
			END { exit bad || NR < 2 }' both
	done
}

@test "mprof: sums, children apart, decorated functions, attached" {
	as_python mprof mprof_leak.dat mprof_once.dat mprof_forky_C.dat mprof_forky_C_pss.dat mprof_forky_M.dat mprof_func.dat mprof_attach.dat
}

@test "psrecord: text and CSV" {
	as_python psrecord psrecord_forky.txt psrecord_leak.txt psrecord_once.csv
}

@test "pidstat: with and without -h, seconds, other tables, threads, output between its lines" {
	as_python pidstat pidstat_r.txt pidstat_r_h.txt pidstat_r_h_e1.txt pidstat_r_h_seconds.txt pidstat_human.txt pidstat_u_r_h.txt \
		pidstat_u_r.txt pidstat_threads.txt pidstat_all.txt
}

@test "prmon, syrupy, top, atop" {
	as_python prmon prmon_leak.txt prmon_once.txt prmon_forky.txt
	as_python syrupy syrupy.log
	as_python top top.txt top_two.txt
	as_python atop atop_PRM.txt
}

@test "nvidia-smi and docker stats, as documented" {
	as_python nvidia-smi nvidia_smi_compute_apps_documented.csv
	as_python "nvidia-smi pmon" nvidia_smi_pmon_documented.txt
	as_python "docker stats" docker_stats_documented.txt
}

@test "nvidia-smi: each documented variant" {
	awk '/^#/ { n++; next } { print >"variant" n }' "$LOGS/nvidia_smi_compute_apps_variants_documented.txt"
	run -125 --separate-stderr "$MEMWATCH" report variant1
	says "memwatch: variant1: no samples"
	cat variant1 variant2 >with_header
	"$MEMWATCH" report --json with_header | grep -q '"name":"gpu0".*"peak_bytes":136319074304,'
	"$MEMWATCH" report --json variant3 | grep -q '"name":"gpu0".*"peak_bytes":24475860992,'
	run -125 --separate-stderr "$MEMWATCH" report variant4
	says "memwatch: variant4: no samples: no row has a figure of memory"
}

@test "verdicts are those of the programs: a leak, a reservation" {
	run --separate-stderr "$MEMWATCH" report "$LOGS/mprof_leak.dat" "$LOGS/mprof_once.dat"
	[[ "${lines[0]}" == *"mprof_leak.dat (mprof): host: growth. "* ]]
	[[ "${lines[1]}" == *"mprof_once.dat (mprof): host: reservation. "* ]]
}

@test "a log comes by a pipe as well" {
	diff <("$MEMWATCH" report - <"$LOGS/mprof_leak.dat" | tail -n +2) <("$MEMWATCH" report "$LOGS/mprof_leak.dat" | tail -n +2)
	diff <(head -c 1000000 "$LOGS/mprof_leak.dat" | "$MEMWATCH" report - | tail -n +2) <("$MEMWATCH" report "$LOGS/mprof_leak.dat" | tail -n +2)
}

@test "what cannot be judged is said in one line" {
	run -125 --separate-stderr "$MEMWATCH" report "$LOGS/prmon_leak.json"
	says "memwatch: $LOGS/prmon_leak.json: prmon's summary, in which there are no samples: give the file of its --filename"
	run -125 --separate-stderr "$MEMWATCH" report "$LOGS/pidstat_r_h_e.txt"
	says "memwatch: $LOGS/pidstat_r_h_e.txt: no samples: in every row the process had ended (RSS 0)"
	iconv -t UTF-16 "$LOGS/nvidia_smi_compute_apps_documented.csv" >wide.csv
	run -125 --separate-stderr "$MEMWATCH" report wide.csv
	says "memwatch: wide.csv: text in UTF-16: iconv -f UTF-16 -t UTF-8 makes it readable"
	gzip -c "$LOGS/mprof_leak.dat" >log.gz
	run -125 --separate-stderr "$MEMWATCH" report log.gz
	says "memwatch: log.gz: compressed: zcat makes it readable"
}

@test "psrecord that measured the shell is told of" {
	run --separate-stderr "$MEMWATCH" report "$LOGS/psrecord_leak.txt"
	# shellcheck disable=SC2154
	[ "$stderr" = "memwatch: $LOGS/psrecord_leak.txt: never more than 3 MiB: psrecord has measured the shell that started the command, not the command" ]
}

# damaged FILE WORDS: read, with these words on standard error and nothing else there
damaged()
{
	run -0 --separate-stderr "$MEMWATCH" report "$1"
	[ "$stderr" = "memwatch: $1: $2" ] || { echo "$stderr"; return 1; }
}

@test "a log that is cut off" {
	for file in mprof_leak.dat psrecord_forky.txt pidstat_r_h.txt top.txt prmon_leak.txt; do
		head -c -5 "$LOGS/$file" >short
		damaged short "the last line is cut off and was left out"
	done
}

@test "a log with the output of the program in it" {
	for file in mprof_leak.dat psrecord_forky.txt pidstat_r_h.txt prmon_leak.txt top.txt; do
		awk '{ print } NR == 2 { print "Epoch 1/10 - loss: 0.5"; print "  50%|#####     | 5/10" }' "$LOGS/$file" >mixed
		line=3
		damaged mixed "2 lines are no samples and were left out, the first is line $line"
	done
}

@test "a log with NUL bytes in it, as after a crash" {
	for file in mprof_leak.dat psrecord_forky.txt prmon_leak.txt; do
		{ head -n 3 "$LOGS/$file"; head -c 100 /dev/zero; tail -n +4 "$LOGS/$file"; } >nul
		damaged nul "1 damaged row skipped, the first in line 4: NUL bytes in it"
	done
}

@test "a log of another locale, or with the line ends of Windows, is read as it is" {
	for file in pidstat_r_h.txt pidstat_human.txt top.txt; do
		sed -E '/^(top|Linux)/!s/([0-9])\.([0-9])/\1,\2/g' "$LOGS/$file" >comma
		diff <("$MEMWATCH" report --json comma) <("$MEMWATCH" report --json "$LOGS/$file")
	done
	for file in mprof_leak.dat psrecord_once.csv pidstat_r_h.txt prmon_leak.txt nvidia_smi_compute_apps_documented.csv top.txt; do
		sed 's/$/\r/' "$LOGS/$file" >crlf
		diff <("$MEMWATCH" -q report --json crlf) <("$MEMWATCH" -q report --json "$LOGS/$file")
	done
}

@test "rows that are not whole are counted" {
	sed '4s/107012/1o7/' "$LOGS/pidstat_r_h.txt" >broken
	damaged broken '1 damaged row skipped, the first in line 4: the memory is "1o7"'
}

@test "any CSV by its columns" {
	printf 'when,loss,mem\n0,1,100\n1,1,101\n2,1,102\n' >any.csv
	run -125 --separate-stderr "$MEMWATCH" report any.csv
	says "memwatch: any.csv: neither a memwatch CSV nor a log of another tool that is known (--value-col reads any CSV)"
	"$MEMWATCH" report --json --value-col mem --time-col when --unit MiB any.csv | grep -q '"duration_s":2,.*"last_bytes":106954752'
	"$MEMWATCH" report --json --value-col 3 --time-col 1 --unit MB any.csv | grep -q '"duration_s":2,.*"last_bytes":102000000'
	run -0 --separate-stderr "$MEMWATCH" report --json --value-col mem -i 5s any.csv
	[ "$stderr" = "memwatch: any.csv: no times in it: samples are taken to be 5.0 s apart (--interval)" ]
	[[ "$output" == *'"duration_s":10,'* ]]
	run -125 --separate-stderr "$MEMWATCH" report --value-col rss any.csv
	says "memwatch: any.csv: --value-col: no column 'rss' in its first line"
	run -125 --separate-stderr "$MEMWATCH" report --value-col mem --time-col t any.csv
	says "memwatch: any.csv: --time-col: no column 't' in its first line"
	run -125 --separate-stderr "$MEMWATCH" report --unit MiB any.csv
	says "memwatch: --unit: which column holds the memory? (--value-col)"
	run -125 --separate-stderr "$MEMWATCH" report --value-col mem --unit furlong any.csv
	says "memwatch: --unit: 'furlong' is none of B, KiB, MiB, GiB, TiB, kB, MB, GB, TB"
	run -125 --separate-stderr "$MEMWATCH" report --value-col mem --unit e3 any.csv
	says "memwatch: --unit: 'e3' is none of B, KiB, MiB, GiB, TiB, kB, MB, GB, TB"
}
