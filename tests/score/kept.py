# SPDX-License-Identifier: MIT
"""Runs that record.py drew and recorded: leaks found, how soon, and what is said of ordinary programs."""
import csv
import functools
import math

import measure
from figures import percent, quantile

SHARE_LEAST = 0.1       # percent of the level per epoch: of smaller leaks nothing is asked
EPOCHS_WARM = 4         # after the start
READINGS_LEAST = 8      # for a slope
ENDS_EARLY = 12         # epochs after the start in which most leaks should be told
ENDS_READ = 0.75        # of these ends


def has_heap(run):
    return has_readings(run.path)


@functools.cache
def has_readings(path):
    with open(path, newline="") as f:
        return any(row.get("heap_used_bytes") for row in csv.DictReader(f))


@functools.cache
def is_read_at_most_ends(run_path, start):
    """Where epochs are short, the budget leaves some ends out"""
    with open(run_path, newline="") as f:
        rows = [(int(row["epoch"]), row.get("heap_used_bytes")) for row in csv.DictReader(f) if row["epoch"]]
    early = {epoch for epoch, _ in rows if start < epoch <= start + ENDS_EARLY}
    return len({epoch for epoch, used in rows if used and epoch in early}) >= ENDS_READ * len(early)


def is_every_fifth(run):
    return run.kind == "every5"


def epochs_until_firm(run, moments):
    """From the leak's first epoch, or the recording's, to the alarm; never: infinite"""
    alarm = next((m for m in moments if m.alarm and m.epoch > run.start_epoch), None)
    return alarm.epoch - run.start_epoch if alarm else math.inf


def false_alarms(run, moments):
    return [m for m in moments if m.alarm and m.epoch > run.settled_epoch]


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
    """One row for the half that is open, one for the sealed one, for all and what keeps a leak from being told soon, one for
    each family; runs of other allocators apart"""
    known = [r for r in runs if has_heap(r)]
    out = [HEAD, row_of("open families", [r for r in known if not r.sealed], answers),
           row_of("sealed families", [r for r in known if r.sealed], answers), row_of("all", known, answers),
           row_of("  read at most ends", [r for r in known if is_read_at_most_ends(r.path, r.start_epoch)], answers),
           row_of("  leaks in every epoch", [r for r in known if not is_every_fifth(r)], answers),
           row_of("  both", [r for r in known if is_read_at_most_ends(r.path, r.start_epoch) and not is_every_fifth(r)], answers),
           row_of("heaps not known", [r for r in runs if not has_heap(r)], answers)]
    return out + [row_of("  " + f, [r for r in known if r.family == f], answers) for f in sorted({r.family for r in known})]


def slope(points):
    """Theil and Sen's: the median over all pairs"""
    pairs = [(b - a) / (y - x) for i, (x, a) in enumerate(points) for y, b in points[i + 1:] if y > x]
    return quantile(pairs, 0.5)


def roughness(values):
    """By how much rises differ from the usual one, three of four of them"""
    rises = [b - a for a, b in zip(values, values[1:])]
    return quantile([abs(r - quantile(rises, 0.5)) for r in rises], 0.75) if rises else 0


def point(row, passing, untouched):
    kept = int(row["held_bytes"]) - int(row["heap_free_bytes"])
    return int(row["epoch"]), int(row["heap_used_bytes"]) - passing, kept - passing + untouched


def readings(run):
    """[(epoch, heap in use, all that the program keeps)] from the fourth epoch on after the leak began; without what comes
    and goes within an epoch where that is told and makes them smoother"""
    with open(run.path, newline="") as f:
        rows = [r for r in csv.DictReader(f) if r["epoch"] and r["heap_used_bytes"]]
    rows = [r for r in rows if int(r["epoch"]) >= run.start_epoch + EPOCHS_WARM]
    points = [point(r, 0, 0) for r in rows]
    lasting = [point(r, int(r["heap_passing_bytes"]), int(r["heap_untouched_bytes"])) for r in rows if r.get("heap_passing_bytes")]
    if 4 * len(lasting) < 3 * len(points) or roughness([u for _, u, _ in lasting]) >= roughness([u for _, u, _ in points]) / 2:
        return points
    return lasting


def read_rates(runs):
    """What the readings themselves say, whoever judges: heap in use of ordinary runs, and how right the rate of leaks is"""
    plain, errors = [], []
    for r in runs:
        points = readings(r)
        if r.leak is None or len(points) < READINGS_LEAST or (r.leak and r.share_percent < SHARE_LEAST):
            continue
        if r.leak:
            errors.append(abs(slope([(e, kept) for e, _, kept in points]) / r.rate - 1))
        else:
            plain.append(abs(slope([(e, used) for e, used, _ in points])) / 1024)
    return plain, errors


def said_rates(runs, answers):
    """-> errors of the rates that are said at the end, and how many of them lie within their bounds"""
    said = [(r, measure.of_run(answers, r)[-1]) for r in runs if r.leak and r.rate and measure.of_run(answers, r)]
    said = [(r, m) for r, m in said if m.growth and m.slope_per_epoch and (r.share_percent or 0) >= SHARE_LEAST]
    return [abs(m.slope_per_epoch / r.rate - 1) for r, m in said], sum(m.low <= r.rate <= m.high for r, m in said)


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
