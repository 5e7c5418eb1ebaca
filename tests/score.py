#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How good are the verdicts? Judges every labelled trace of a folder and compares with the labels.

    tests/score.py DIR                      memwatch against the simple methods people use
    tests/score.py DIR --live               also at many moments of each run: delay, alarms on the way
    tests/score.py DIR --min-f1 0.97 --max-false-alarms 0   exit status 1 when missed

DIR holds labels.csv (trace, series, class, growing, rate_bytes_per_epoch and, where they are there, epochs, cause,
rate_bytes_per_s, onset_s, settled_s, split) and the traces, plain or gzipped. `class` may name several verdicts joined
by `|`: each is right. Standard library only.
"""
import argparse
import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "score"))
import baselines  # noqa: E402
import figures    # noqa: E402
import moments    # noqa: E402
import traces     # noqa: E402


def percent(x):
    return "-" if x is None else "%.1f %%" % (100 * x)


def number(x, digits=3):
    if x is None:
        return "-"
    return "never" if x == float("inf") else "%.*g" % (digits, x)


def judge_all(labels, method, jobs):
    """-> {(path, series): answer or None}"""
    def one(path):
        return path, method(traces.load(path), None)
    with ThreadPoolExecutor(jobs) as pool:
        answers = dict(pool.map(one, sorted({l.path for l in labels})))
    return {(l.path, l.series): answers[l.path].get(l.series) for l in labels}


def print_table(rows, live):
    head = ["method", "precision", "recall", "F1", "false alarms", "slope error", "p90", "covered", "class F1"]
    if live:
        head += ["epochs to alarm", "p90", "ever alarmed"]
    body = []
    for name, f in rows:
        line = [name, number(f.precision), number(f.recall), number(f.f1), percent(f.false_alarms),
                percent(f.slope_error), percent(f.slope_error_p90), percent(f.coverage), number(f.macro_f1)]
        if live:
            line += [number(f.delay), number(f.delay_p90), percent(f.ever_alarmed)]
        body.append(line)
    widths = [max(len(r[i]) for r in [head] + body) for i in range(len(head))]
    for r in [head] + body:
        print("  ".join(c.ljust(w) if i == 0 else c.rjust(w) for i, (c, w) in enumerate(zip(r, widths))))


def print_details(f, misses):
    print("\nmemwatch: %d series; growing: %d found, %d missed; steady: %d right, %d false alarms (95 %%: %s to %s)" % (
        f.count, f.tp, f.fn, f.tn, f.fp, percent(f.false_alarms_low), percent(f.false_alarms_high)))
    print("growth claimed on runs too short for it: %d of %d" % (f.short_claims, f.short))
    shown = figures.CLASSES + ["undetermined", "none"]
    print("\n%-13s%s     F1" % ("truth \\ said", "".join("%13s" % c for c in shown)))
    for truth in figures.CLASSES:
        if truth in f.confusion:
            said = f.confusion[truth]
            print("%-13s%s  %.3f" % (truth, "".join("%13d" % said.get(c, 0) for c in shown), f.class_f1[truth]))
    if f.wrong:
        print("\nwrong (! = growth or not):")
    for mark, trace, series, truth, said, cause in f.wrong[:misses]:
        print("  %s %-34s %-6s is %-22s said %-13s %s" % (mark, trace, series, truth, said, cause))


def missed_goals(f, args):
    goals = [("F1", f.f1, args.min_f1, 1), ("class F1", f.macro_f1, args.min_class_f1, 1),
             ("false alarms", f.false_alarms, args.max_false_alarms, -1),
             ("covered", f.coverage, args.min_coverage, 1), ("slope error", f.slope_error, args.max_slope_error, -1),
             ("epochs to alarm", f.delay, args.max_delay, -1), ("ever alarmed", f.ever_alarmed, args.max_ever_alarmed, -1)]
    return ["%s is %s, goal %s" % (name, number(v), number(goal)) for name, v, goal, sign in goals
            if goal is not None and (v is None or sign * v < sign * goal)]


def options():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("dir")
    p.add_argument("--memwatch", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "memwatch"))
    p.add_argument("--live", action="store_true")
    p.add_argument("--sample", type=int, default=120, help="series of each kind for --live")
    p.add_argument("--no-baselines", action="store_true")
    p.add_argument("--split", help="only rows of this split")
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--misses", type=int, default=40, help="wrong verdicts to list")
    p.add_argument("--json", metavar="FILE", help="write the figures there too")
    for goal in ("min-f1", "min-class-f1", "max-false-alarms", "min-coverage", "max-slope-error", "max-delay",
                 "max-ever-alarmed"):
        p.add_argument("--" + goal, type=float)
    return p.parse_args()


def main():
    args = options()
    labels = traces.labels(args.dir, args.split)
    if not labels:
        sys.exit("score.py: %s: no labelled series" % args.dir)
    methods = [("memwatch", traces.memwatch(args.memwatch))]
    if not args.no_baselines:
        methods += baselines.ALL
    rows = []
    for name, method in methods:
        f = figures.Figures(labels, judge_all(labels, method, args.jobs))
        if args.live:
            f.add_live(*moments.follow(labels, method, args.sample, args.jobs))
        rows.append((name, f))
    print_table(rows, args.live)
    print_details(rows[0][1], args.misses)
    if args.json:
        with open(args.json, "w") as out:
            json.dump({name: f.as_dict() for name, f in rows}, out, indent=1)
    missed = missed_goals(rows[0][1], args)
    for m in missed:
        print("NOT REACHED: " + m)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
