#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Every file that cannot be judged, or only in part, and the exact words for it.

bats_require_minimum_version 1.5.0

setup() {
    memwatch=${MEMWATCH:-$BATS_TEST_DIRNAME/../../memwatch}
    cd "$BATS_TEST_TMPDIR" || return
}

# A level run of 12 epochs: $1 rows, the rest of the line end in $2.
level_run() {
    printf 'elapsed_s,epoch,rss_bytes,anon_bytes%s\n' "$2"
    for i in $(seq 0 "$1"); do
        printf '%d.%d00,%d,%d,%d%s\n' $((i / 10)) $((i % 10)) $((i / 10)) 300000000 200000000 "$2"
    done
}

# run_report FILE...: standard output in $output, standard error in $stderr
run_report() {
    run --separate-stderr "$memwatch" report "$@"
}

# refused FILE MESSAGE: nothing can be judged
refused() {
    run_report "$1"
    [ "$status" -eq 125 ]
    [ -z "$output" ]
    [ "$stderr" = "memwatch: $1: $2" ]
}

@test "a missing file" {
    refused none.csv "No such file or directory"
}

@test "a directory" {
    refused . "Is a directory"
}

@test "a file without permission" {
    [ "$(id -u)" -ne 0 ] || command -v setpriv >/dev/null || skip "root, and no setpriv"
    level_run 5 >secret.csv
    chmod 0 secret.csv
    if [ "$(id -u)" -eq 0 ]; then
        run --separate-stderr setpriv --bounding-set=-all --inh-caps=-all --ambient-caps=-all \
            --reuid=65534 --clear-groups "$memwatch" report "$PWD/secret.csv"
        [ "$stderr" != "${stderr#*Permission denied}" ]
    else
        refused secret.csv "Permission denied"
    fi
}

@test "an empty file" {
    : >empty.csv
    refused empty.csv "empty file"
}

@test "a header and nothing else" {
    echo elapsed_s,epoch,rss_bytes >header.csv
    refused header.csv "no samples"
    printf elapsed_s,epoch,rss_bytes >header.csv
    refused header.csv "no samples"
}

@test "a binary" {
    refused "$(command -v sh)" "neither a memwatch CSV nor a log of another tool that is known (--value-col reads any CSV)"
}

@test "another CSV" {
    printf 'timestamp,name,memory.used\n1,2,3\n' >other.csv
    refused other.csv "neither a memwatch CSV nor a log of another tool that is known (--value-col reads any CSV)"
}

@test "rows but none that can be read" {
    printf 'elapsed_s,rss_bytes\nx,y\n1\n' >bad.csv
    run_report bad.csv
    [ "$status" -eq 125 ]
    # shellcheck disable=SC2154  # set by run --separate-stderr
    [ "$stderr" = 'memwatch: bad.csv: no samples: 2 damaged rows skipped, the first in line 2: elapsed_s is "x", not a number' ]
}

@test "a file cut off anywhere is judged without its last row, which is said" {
    level_run 120 >whole.csv
    size=$(stat -c %s whole.csv)
    for cut in 1 2 5 11 17 29; do
        head -c $((size - cut)) whole.csv >cut.csv
        run_report cut.csv
        [ "$status" -eq 0 ]
        [ "$stderr" = "memwatch: cut.csv: the last row is cut off and was left out" ]
        [ "${lines[0]}" = "cut.csv: 12 s, 11 epochs, 120 samples" ]
    done
    head -c $((size - 30)) whole.csv >cut.csv # a whole row
    run_report cut.csv
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    run_report --until 3 cut.csv # rows that are not read are not cut off
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
}

@test "damaged rows are skipped, counted, and the first is named" {
    level_run 120 | sed '18s/,.*/,7/; 40s/200000000/2000x/; 41s/^[^,]*/0.100/' >damaged.csv
    run_report damaged.csv
    [ "$status" -eq 0 ]
    [ "$stderr" = "memwatch: damaged.csv: 3 damaged rows skipped, the first in line 18: 2 fields instead of 4" ]
    [ "${lines[0]}" = "damaged.csv: 12 s, 12 epochs, 118 samples" ]
}

@test "where most rows are lost no verdict is certain" {
    { level_run 120 | head -n 1; level_run 120 | tail -n +2 | tac; } >backwards.csv
    level_run 120 | tail -n +2 | head -n 40 | sed 's/^/1/' >>backwards.csv
    run_report backwards.csv
    [ "$status" -eq 0 ]
    [[ "$stderr" == "memwatch: backwards.csv: "*" damaged rows skipped, the first in line 3: "* ]]
    [[ "$output" == *"ot yet certain"* || "$output" == *undetermined* ]]
}

@test "one damaged row is one row" {
    level_run 120 | sed '18s/,.*/,7/' >damaged.csv
    run_report damaged.csv
    [ "$stderr" = "memwatch: damaged.csv: 1 damaged row skipped, the first in line 18: 2 fields instead of 4" ]
}

@test "a huge line is one damaged row" {
    { level_run 60; head -c 1000000 /dev/zero | tr '\0' 9; echo; level_run 120 | tail -n 60; } >huge.csv
    run_report huge.csv
    [ "$status" -eq 0 ]
    [ "$stderr" = "memwatch: huge.csv: 1 damaged row skipped, the first in line 63: longer than 262144 bytes" ]
}

@test "DOS line ends and a byte order mark change nothing" {
    level_run 120 >unix.csv
    { printf '\357\273\277'; level_run 120 $'\r'; } >dos.csv
    run_report unix.csv
    expected=${output#unix.csv}
    run_report dos.csv
    [ -z "$stderr" ]
    [ "${output#dos.csv}" = "$expected" ]
}

@test "quoted fields, other orders and unknown columns change nothing" {
    level_run 120 >plain.csv
    awk -F, 'NR == 1 { print "note,anon_bytes,rss_bytes,epoch,elapsed_s"; next }
        { printf "\"a, \"\"b\"\"\",\"%s\",%s,\"%s\",%s\n", $4, $3, $2, $1 }' plain.csv >fancy.csv
    "$memwatch" report --json plain.csv >plain.json
    "$memwatch" report --json fancy.csv >fancy.json
    cmp plain.json fancy.json
}

@test "standard input can be judged" {
    level_run 120 >run.csv
    run_report - <run.csv
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = "-: 12 s, 12 epochs, 121 samples" ]
}

@test "nothing up to that moment" {
    printf 'elapsed_s,rss_bytes\n5.000,7\n' >late.csv
    run_report --until 3 late.csv
    [ "$status" -eq 125 ]
    [ "$stderr" = "memwatch: late.csv: no samples up to that moment" ]
}

@test "a report that cannot be written" {
    level_run 120 >run.csv
    run_report run.csv -r /nonexistent/report.json
    [ "$status" -eq 125 ]
    [ "$stderr" = "memwatch: --report: cannot write '/nonexistent/report.json': No such file or directory" ]
}

@test "a full disk" {
    [ -c /dev/full ] || skip "no /dev/full"
    level_run 120 >run.csv
    run bash -c "'$memwatch' report run.csv 2>&1 >/dev/full"
    [ "$status" -eq 125 ]
    [ "$output" = "memwatch: cannot write to standard output: No space left on device" ]
}

@test "a full disk, whatever the form of the report" {
    [ -c /dev/full ] || skip "no /dev/full"
    level_run 120 >run.csv
    for form in html json md pdf png svg txt; do
        ln -s /dev/full "full.$form"
        run --separate-stderr "$memwatch" report -r "full.$form" run.csv
        [[ $stderr == *"built without cairo"* ]] && continue
        [ "$status" -eq 125 ]
        [ "$stderr" = "memwatch: --report: cannot write 'full.$form': No space left on device" ]
    done
}

@test "one bad file among several does not spoil the others, and the status tells of it" {
    level_run 120 >run.csv
    run_report none.csv run.csv
    [ "$status" -eq 125 ]
    [ "$stderr" = "memwatch: none.csv: No such file or directory" ]
    [ "${lines[-1]}" = "worst: flat (run.csv)" ]
}
