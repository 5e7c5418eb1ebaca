#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How good are the verdicts on programs that nobody has tried? (make score)

    tests/score/run.py [--sealed | --open] [--misses] [FOLDER]...

Folders hold labels.csv and traces. Prints, for recorded runs: what was said at the end, family by family, and with the
limit chosen on all other families; alarms at any moment of a steady run; leaks of known size added to every steady run;
whether a weight of 90 % is right in 90 of 100; then the same of generated runs. Runs that were drawn by lot and have
the heap columns (record.py) are told of apart: leaks found, how soon, and ordinary runs alarmed. Half of the families
are sealed by lot: work with --open, look at the others when something is finished. Standard library only.
"""
import argparse
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import corpus    # noqa: E402
import generate  # noqa: E402
import kept      # noqa: E402
import measure   # noqa: E402
from figures import percent, quantile  # noqa: E402

LEAKS = [0, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.03]   # of the level, per epoch
SEEDS = [11, 12, 13]
LIMITS = [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.98, 0.99]
FALSE_SHARE = 0.03      # of steady runs that may be called growth, when a limit is chosen
EPOCHS_LEAST = 8        # of runs that a leak is added to


def table(rows):
    widths = [max(len(str(r[i])) for r in rows) for i in range(len(rows[0]))]
    for r in rows:
        print("  " + "  ".join(str(c).ljust(w) if i == 0 else str(c).rjust(w) for i, (c, w) in enumerate(zip(r, widths))))


def at_end(runs, answers):
    """[(run, moment at the end)] of those that can be scored"""
    return [(r, measure.of_run(answers, r)[-1]) for r in runs if r.leak is not None and measure.of_run(answers, r)]


def counts(pairs):
    leaks, steady = [m for r, m in pairs if r.leak], [m for r, m in pairs if not r.leak]
    return [len(leaks), sum(m.growth for m in leaks), sum(m.alarm for m in leaks), sum(m.steady for m in leaks),
            len(steady), sum(m.growth for m in steady), sum(m.alarm for m in steady),
            sum(m.verdict == "undetermined" for m in steady)]


def print_families(pairs):
    print("\nAt the end of recorded runs, family by family")
    head = ["family", "leaks", "growth", "firm", "steady", "steady runs", "growth", "firm", "undetermined"]
    families = sorted({r.family for r, _ in pairs})
    total = counts(pairs)
    table([head] + [[f] + counts([p for p in pairs if p[0].family == f]) for f in families] + [["all"] + total])
    print("  growth said of %s of the leaks, %s called steady; growth said of %s of the steady runs" % (
        percent(total[1], total[0]), percent(total[3], total[0]), percent(total[5], total[4])))


def limit_for(pairs):
    """The least limit by which no more steady runs than allowed are growth."""
    steady = [m.weight for r, m in pairs if not r.leak]
    return next((l for l in LIMITS if sum(w > l for w in steady) <= FALSE_SHARE * len(steady)), LIMITS[-1])


def print_left_out(pairs):
    found = false = 0
    limits = {f: limit_for([p for p in pairs if p[0].family != f]) for f in {r.family for r, _ in pairs}}
    for r, m in pairs:
        found += r.leak and m.weight > limits[r.family]
        false += not r.leak and m.weight > limits[r.family]
    leaks = sum(r.leak for r, _ in pairs)
    print("\nLeave a family out, the limit of the weight chosen on the others (%.2f to %.2f): growth said of %s of %d leaks,"
          " of %s of %d steady runs" % (min(limits.values()), max(limits.values()), percent(found, leaks), leaks,
                                        percent(false, len(pairs) - leaks), len(pairs) - leaks))


def print_live(runs, answers, misses):
    steady = [r for r in runs if r.leak is False and measure.of_run(answers, r)]
    alarmed = {r.name: [m for m in measure.of_run(answers, r) if m.alarm] for r in steady}
    ever = [r.name for r in steady if any(m.at_s >= (r.settled_s or 0) for m in alarmed[r.name])]
    leaks = [[m for m in measure.of_run(answers, r)] for r in runs if r.leak]
    told = sorted(next(m.epoch for m in ms if m.alarm) for ms in leaks if any(m.alarm for m in ms))
    back = sum(any(m.alarm for m in ms) and any(m.steady and m.firm for m in ms[[m.alarm for m in ms].index(True):])
               for ms in leaks)
    print("\nLive, at every epoch end: firm growth at some moment on %d of %d steady runs (%s) once settled, on %d at all" % (
        len(ever), len(steady), percent(len(ever), len(steady)), sum(map(bool, alarmed.values()))))
    print("  on %d of %d leaks, by epoch %s in the median; taken back, firmly, on %d" % (
        len(told), len(leaks), told[len(told) // 2] if told else "-", back))
    if misses:
        print("  alarmed: " + ", ".join(ever))


def print_power(program, runs):
    print("\nLeaks added to steady recordings of %d epochs and more, in shares of the level per epoch" % EPOCHS_LEAST)
    steady = [r for r in runs if r.leak is False and r.series == "host"]
    rows = [["leak", "runs", "growth", "firm", "undetermined", "called steady"]]
    for leak in LEAKS:
        answers = measure.judge(program, [r.path for r in steady], "--end", "--leak", str(leak))
        last = [ms[-1] for ms in answers.values() if ms[-1].epoch >= EPOCHS_LEAST]
        rows.append(["%g %%" % (100 * leak), len(last)] + [percent(sum(map(f, last)), len(last)) for f in (
            lambda m: m.growth, lambda m: m.alarm, lambda m: m.verdict == "undetermined", lambda m: m.steady)])
    table(rows)


def print_calibration(pairs):
    print("\nCalibration: of the runs judged with such a weight of growth, so many leak")
    rows = [["weight", "runs", "leaks"]]
    for low, high in [(0, 0.1), (0.1, 0.3), (0.3, 0.5), (0.5, 0.7), (0.7, 0.9), (0.9, 0.98), (0.98, 1.01)]:
        inside = [r.leak for r, m in pairs if low <= m.weight < high]
        rows.append(["%.2f to %.2f" % (low, min(high, 1)), len(inside), percent(sum(inside), len(inside))])
    table(rows)


def generated_row(seed, pairs):
    hits = sum(m.growth and r.leak for r, m in pairs)
    false = sum(m.growth and not r.leak for r, m in pairs)
    missed = sum(r.leak and not m.growth for r, m in pairs)
    known = [(r, m) for r, m in pairs if r.leak and m.growth and r.rate and m.slope_per_epoch]
    errors = sorted(abs(m.slope_per_epoch / r.rate - 1) for r, m in known)
    inside = sum(m.low <= r.rate <= m.high for r, m in known)
    return [seed, len(pairs), "%.3f" % (2 * hits / max(1, 2 * hits + false + missed)),
            percent(false, sum(not r.leak for r, _ in pairs)), percent(errors[len(errors) // 2], 1) if errors else "-",
            percent(inside, len(known)), percent(sum(m.verdict in r.classes for r, m in pairs), len(pairs))]


def print_generated(program, scratch, misses):
    print("\nGenerated runs")
    rows = [["seed", "series", "F1", "growth said of steady", "slope error", "covered", "right verdicts"]]
    for seed in SEEDS:
        folder = os.path.join(scratch, "generated-%d" % seed)
        generate.make(folder, seed)
        runs = corpus.load([folder], scratch)
        pairs = at_end(runs, measure.judge(program, [r.path for r in runs], "--end"))
        rows.append(generated_row(seed, pairs))
        print_misses(pairs if misses else [])
    table(rows)


def print_misses(pairs):
    for r, m in pairs:
        if m.growth != r.leak:
            print("  %s: is %s, said %s, weight %.3f" % (r.name, "|".join(r.classes), m.verdict, m.weight))


def print_cost(answers):
    took = sorted(m.took_us for ms in answers.values() for m in ms)
    print("\nA judgement of a run with all its series takes %.2f ms in the median, %.2f ms in 99 of 100 cases" % (
        took[len(took) // 2] / 1e3, took[99 * len(took) // 100] / 1e3))


def print_read_rates(plain, errors):
    """Of the readings alone, from the fourth epoch on"""
    if plain:
        print("  heap in use of %d ordinary runs: %.1f KiB per epoch in the median, %.1f in 9 of 10; within 20 in %s" % (
            len(plain), quantile(plain, 0.5), quantile(plain, 0.9), percent(sum(p <= 20 for p in plain), len(plain))))
    if errors:
        print("  rate of %d leaks as read: off by %s in the median, %s in 9 of 10; within 5 %% in %s" % (
            len(errors), percent(quantile(errors, 0.5), 1), percent(quantile(errors, 0.9), 1),
            percent(sum(e <= 0.05 for e in errors), len(errors))))


def print_said_rates(errors, covered):
    if errors:
        print("  rate that is said of %d leaks: off by %s in the median, %s in 9 of 10; within its bounds in %s" % (
            len(errors), percent(quantile(errors, 0.5), 1), percent(quantile(errors, 0.9), 1), percent(covered, len(errors))))


def print_kept(program, runs, misses):
    answers = measure.judge(program, [r.path for r in runs])
    print("\nRuns recorded with the heap columns; leaks of at least %g %% of the level per epoch; epochs until growth is firm"
          % kept.SHARE_LEAST)
    table(kept.rows(runs, answers))
    for line in kept.misses(runs, answers) if misses else []:
        print("  " + line)
    print_read_rates(*kept.read_rates(runs))
    print_said_rates(*kept.said_rates(runs, answers))


def print_recorded(args, runs):
    answers = measure.judge(args.program, [r.path for r in runs])
    pairs = at_end(runs, answers)
    print_families(pairs)
    print_misses(pairs if args.misses else [])
    print_left_out(pairs)
    print_live(runs, answers, args.misses)
    print_power(args.program, runs)
    print_calibration(pairs)
    print_cost(answers)


def folders_of_fixtures():
    folders = [os.path.join(HERE, "..", "fixtures", name) for name in ("traces", "runs")]
    return [f for f in folders if os.path.exists(os.path.join(f, "labels.csv"))]


def options():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("folders", nargs="*", default=folders_of_fixtures())
    p.add_argument("--program", default="build/score/prefixes")
    p.add_argument("--scratch", default="build/score/runs")
    p.add_argument("--sealed", action="store_true", help="only the families that were sealed by lot")
    p.add_argument("--open", action="store_true", help="only the others")
    p.add_argument("--misses", action="store_true", help="name the runs that were judged wrongly")
    p.add_argument("--no-generated", action="store_true")
    return p.parse_args()


def main():
    args = options()
    runs = [r for r in corpus.load(args.folders, args.scratch)
            if (not args.sealed or r.sealed) and (not args.open or not r.sealed)]
    by_lot, others = [r for r in runs if r.by_lot], [r for r in runs if not r.by_lot]
    if by_lot:
        print_kept(args.program, by_lot, args.misses)
    if others:
        print_recorded(args, others)
    if not args.no_generated:
        print_generated(args.program, args.scratch, args.misses)


if __name__ == "__main__":
    main()
