#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Every trace of tests/fixtures/traces against its label: verdict, growth or not, slope.
bats_require_minimum_version 1.5.0

setup() {
    memwatch=${MEMWATCH:-$BATS_TEST_DIRNAME/../../memwatch}
    traces=$BATS_TEST_DIRNAME/../fixtures/traces
}

# field NAME: the first value of that name in the JSON on standard input
field() {
    sed -n "s/.*\"series\":\[{[^}]*\"$1\":\"\{0,1\}\([^\",]*\).*/\1/p"
}

# each FUNCTION: calls it with trace, class, growing, rate, settled_s and the trace as a file, for every label
each() {
    local bad=0 trace class growing rate settled
    while IFS=, read -r trace _ class growing rate _ settled _; do
        gzip -dc "$traces/$trace.csv.gz" >"$BATS_TEST_TMPDIR/run.csv"
        "$1" "$trace" "$class" "$growing" "$rate" "$settled" "$BATS_TEST_TMPDIR/run.csv" || bad=1
    done < <(tail -n +2 "$traces/labels.csv")
    return $bad
}

# counted: how a run was judged, one word per line: growth, open (undetermined), steady, other (a steady verdict of another
# kind), with what it is in front of it
note_verdict() {
    local said is=steady
    said=$("$memwatch" report --json "$6" | field verdict)
    [ "$2" = growth ] && is=leak
    case "|$2|" in
    *"|$said|"*) [ "$said" = growth ] || said=right ;;
    *) case $said in growth | undetermined) ;; *) said=other ;; esac ;;
    esac
    echo "$is $said" >>"$BATS_TEST_TMPDIR/verdicts"
    [ "$is $said" = "steady right" ] || [ "$is $said" = "leak growth" ] || echo "$1: is $2, said $said"
}

# share WHAT OF: how many of a hundred
share() {
    awk -v what="$1" -v of="$2" '$1 == of { n++; hits += $0 == what } END { printf "%d\n", 100 * hits / n + 0.5 }' \
        "$BATS_TEST_TMPDIR/verdicts"
}

note_slope() {
    local said
    [ "$3" = yes ] && [ "$2" = growth ] || return 0
    said=$("$memwatch" report --json "$6")
    [ "$(field verdict <<<"$said")" = growth ] || return 0
    awk -v said="$(field slope_bytes_per_epoch <<<"$said")" -v truth="$4" \
        'BEGIN { exit !(said > 0.65 * truth && said < 1.35 * truth) }' && echo right >>"$BATS_TEST_TMPDIR/slopes" && return 0
    echo "$1: grows by $4 bytes per epoch, said $(field slope_bytes_per_epoch <<<"$said")"
    echo wrong >>"$BATS_TEST_TMPDIR/slopes"
}

# moments FILE SETTLED_S: sixteen of them over the run, those since it has surely settled
moments() {
    awk -F, -v settled="$2" 'NR == 2 { first = $1 } END {
        for (i = 1; i <= 16; i++) {
            at = first + ($1 - first) * i / 16
            if (at >= 1.25 * settled)
                print at
        }
    }' "$1"
}

# Before the first epoch nothing alarms live either: there the whole of set-up may rise.
steady_once_settled() {
    local said at
    [ "$3" = no ] || return 0
    for at in $(moments "$6" "${5:-0}"); do
        said=$("$memwatch" report --json --until "$at" "$6" 2>/dev/null) || continue
        case $said in
        *'"epochs":null'* | *'"firm":false'*) continue ;;
        *'"verdict":"growth"'*)
            echo "$1: steady since ${5:-the start}, firm growth at $at s"
            return 1
            ;;
        esac
    done
}

@test "recorded runs get their verdicts: 85 in 100 leaks growth, 5 steady; 3 in 100 steady runs growth" {
    each note_verdict
    [ "$(share "leak growth" leak)" -ge 85 ]
    [ "$(share "leak other" leak)" -le 5 ]
    [ "$(share "steady growth" steady)" -le 3 ]
    [ "$(share "steady other" steady)" -le 3 ]
    [ "$(share "steady right" steady)" -ge 75 ]
}

@test "19 in 20 growing runs get their slope" {
    each note_slope
    [ "$(grep -c right "$BATS_TEST_TMPDIR/slopes")" -ge $((19 * $(grep -c wrong "$BATS_TEST_TMPDIR/slopes" || true))) ]
}

@test "no run that has settled alarms anybody" {
    each steady_once_settled
}

# judged_at TRACE SECONDS: the report as it stood then, in $output
judged_at() {
    gzip -dc "$traces/$1.csv.gz" >"$BATS_TEST_TMPDIR/run.csv"
    run -0 "$memwatch" report --json --until "$2" "$BATS_TEST_TMPDIR/run.csv"
}

# Set-up on a machine with other work: it rises for a minute, as a leak would.
@test "imports are no firm growth at any moment, though no epochs are known" {
    for trace in keras_imports_busy keras_imports_slow lightning_imports_busy lightning_fit_no_epochs; do
        gzip -dc "$traces/$trace.csv.gz" >"$BATS_TEST_TMPDIR/run.csv"
        for at in $(moments "$BATS_TEST_TMPDIR/run.csv" 0); do
            run -0 "$memwatch" report --json --until "$at" "$BATS_TEST_TMPDIR/run.csv"
            [[ $output == *'"verdict":'* ]]
            [[ $output != *'"verdict":"growth","firm":true'* ]] || { echo "$trace at $at s"; false; }
        done
    done
}

@test "a leak beside a buffer that has filled is told six epochs after it is full" {
    judged_at keras_fill_kept 26.2
    [[ $output == *'"verdict":"growth","firm":true'* ]]
}

@test "a leak in odd amounts is said after eleven epochs" {
    judged_at torch_states_kept 24.6
    [[ $output == *'"verdict":"growth"'* ]]
}

@test "the second tooth of a collector is no firm growth" {
    judged_at cycles_8th 12.0
    [[ $output == *'"verdict":'* && $output != *'"verdict":"growth","firm":true'* ]]
}

@test "what still rises is not called settled, and the sentence says when it will show" {
    judged_at keras_conv_restless 99
    [[ $output == *'"verdict":"undetermined","firm":false'* ]]
    [[ $output == *'still rising, +'*' per epoch ('*'); whether it settles will show in about '*' epochs.'* ]]
    [[ $output != *settled\ since* ]]
}

@test "a cache that filled in eleven epochs is not said to have been full in the tenth" {
    judged_at keras_cache_half 99
    [[ $output == *'"reason":"Rose to 452 MiB by 0:19 (epoch 12), settled since: 11 epochs within'* ]]
}

@test "imports are no jump before a leak" {
    judged_at lightning_kept 99
    [[ $output == *'"jump_bytes":0,'* && $output != *'before it'* ]]
}

@test "a cache that is full is settled, and what would have shown is little" {
    judged_at numpy_cache_8m 99
    [[ $output == *'"verdict":"warmup","firm":true'* && $output == *' KiB per epoch would have shown.'* ]]
}
