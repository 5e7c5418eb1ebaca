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

verdict_is_right() {
    local said
    said=$("$memwatch" report --json "$6" | field verdict)
    if [ "$2" = undetermined ]; then
        [ -n "$said" ] && [ "$said" != growth ] && return 0
    else
        case "|$2|" in *"|$said|"*) return 0 ;; esac
    fi
    echo "$1: is $2, said $said"
    return 1
}

slope_is_right() {
    local said
    [ "$3" = yes ] && [ "$2" = growth ] || return 0
    said=$("$memwatch" report --json "$6" | field slope_bytes_per_epoch)
    awk -v said="$said" -v truth="$4" 'BEGIN { exit !(said > 0.65 * truth && said < 1.35 * truth) }' && return 0
    echo "$1: grows by $4 bytes per epoch, said $said"
    return 1
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

@test "every recorded run gets its verdict" {
    each verdict_is_right
}

@test "every growing run gets its slope" {
    each slope_is_right
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

@test "a leak in odd amounts after a first epoch that took nothing is told after eleven epochs" {
    judged_at torch_states_kept 24.6
    [[ $output == *'"verdict":"growth","firm":true'* ]]
}

@test "the second tooth of a collector is no firm growth" {
    judged_at cycles_8th 12.0
    [[ $output == *'"verdict":'* && $output != *'"verdict":"growth","firm":true'* ]]
}

@test "what rises like a heap is not called settled, and is not firm" {
    judged_at keras_kept_2nd 31.9
    [[ $output == *'"verdict":"warmup","firm":false'* ]]
    [[ $output == *'Still rising: +'*', unevenly, as a young heap does before it settles; a leak cannot be ruled out yet.'* ]]
    [[ $output != *settled\ since* ]]
}

@test "a cache that filled in eleven epochs is not said to have been full in the tenth" {
    judged_at keras_cache_half 99
    [[ $output == *'"reason":"Rose to 452 MiB by 0:19 (epoch 12), settled since: 11 epochs within'* ]]
}

# The moment at which each was wrong once, and what it is then.
@test "no verdict is given for a moment that the next epochs take back" {
    while read -r trace at verdict firm; do
        judged_at "$trace" "$at"
        [[ $output == *"\"verdict\":\"$verdict\",\"firm\":$firm"* ]] || { echo "$trace at $at s: not $verdict, firm $firm"; false; }
    done <<-END
		grown_then_leak 18.1 reservation false
		keras_resumed 10.4 reservation true
		cycles_2nd_kept 10.3 warmup false
		made_leak_late_rows 99 growth true
		keras_imports_busy 24.8 undetermined false
	END
}

@test "imports are no jump before a leak" {
    judged_at lightning_kept 99
    [[ $output == *'"jump_bytes":0,'* && $output != *'before it'* ]]
}

@test "what would have shown is said only where it is little: a cache had just filled by 8 MiB per epoch" {
    for at in 14 15 16; do
        judged_at numpy_cache_8m "$at"
        [[ $output == *'settled since'* && $output != *'would have shown'* ]]
    done
    judged_at numpy_cache_8m 99
    [[ $output == *'Growth above 58.6 KiB per epoch would have shown.'* ]]
}
