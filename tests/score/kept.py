# SPDX-License-Identifier: MIT
"""Runs that record.py drew and recorded: leaks found, how soon, and what is said of ordinary programs."""
import csv
import functools
import math

import measure
from figures import quantile

SHARE_LEAST = 0.1       # percent of the level per epoch: of smaller leaks nothing is asked


def has_heap(run):
    return has_readings(run.path)


@functools.cache
def has_readings(path):
    with open(path, newline="") as f:
        return any(row.get("heap_used_bytes") for row in csv.DictReader(f))


def epochs_until_firm(run, moments):
    """From the leak's first epoch, or the recording's, to the alarm; never: infinite"""
    alarm = next((m for m in moments if m.alarm and m.epoch > run.start_epoch), None)
    return alarm.epoch - run.start_epoch if alarm else math.inf


def false_alarms(run, moments):
    return [m for m in moments if m.alarm and m.epoch > run.settled_epoch]


def percent(part, whole):
    return "-" if not whole else "%.1f %%" % (100 * part / whole)


def row_of(name, runs, answers):
    judged = [(r, measure.of_run(answers, r)) for r in runs]
    judged = [(r, ms) for r, ms in judged if ms and r.leak is not None]
    leaks = [(r, ms) for r, ms in judged if r.leak and (r.share_percent or 0) >= SHARE_LEAST]
    plain = [(r, ms) for r, ms in judged if not r.leak]
    delays = [epochs_until_firm(r, ms) for r, ms in leaks]
    median, late = (quantile(delays, q) for q in (0.5, 0.9))
    return [name, len(leaks), percent(sum(map(math.isfinite, delays)), len(leaks)),
            percent(sum(ms[-1].growth for _, ms in leaks), len(leaks)), percent(sum(ms[-1].steady for _, ms in leaks), len(leaks)),
            *("-" if x is None else "never" if math.isinf(x) else "%.0f" % x for x in (median, late)),
            len(plain), percent(sum(bool(false_alarms(r, ms)) for r, ms in plain), len(plain)),
            percent(sum(ms[-1].rising for _, ms in plain), len(plain))]


HEAD = ["", "leaks", "firm", "growth at the end", "called steady", "epochs, median", "90 %", "ordinary", "ever alarmed", "left rising"]


def rows(runs, answers):
    """One row for the half that is open, one for the sealed one, one for each family; runs of other allocators apart"""
    known = [r for r in runs if has_heap(r)]
    out = [HEAD, row_of("open families", [r for r in known if not r.sealed], answers),
           row_of("sealed families", [r for r in known if r.sealed], answers), row_of("all", known, answers),
           row_of("heaps not known", [r for r in runs if not has_heap(r)], answers)]
    return out + [row_of("  " + f, [r for r in known if r.family == f], answers) for f in sorted({r.family for r in known})]


def misses(runs, answers):
    for r in runs:
        ms = measure.of_run(answers, r)
        if not ms or r.leak is None:
            continue
        if r.leak and (r.share_percent or 0) >= SHARE_LEAST and math.isinf(epochs_until_firm(r, ms)):
            yield "%s: %.2f %% per epoch, never firm; %s at the end" % (r.name, r.share_percent, ms[-1].verdict)
        alarms = false_alarms(r, ms) if not r.leak else []
        if not r.leak and (alarms or ms[-1].rising):
            yield "%s: ordinary, %s" % (r.name, "alarmed in epoch %d" % alarms[0].epoch if alarms else "left rising")
