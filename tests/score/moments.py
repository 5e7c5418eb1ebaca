# SPDX-License-Identifier: MIT
"""A run judged at many moments of its life: when is growth called for good, does a steady run ever raise an alarm?"""
import math
import random
from concurrent.futures import ThreadPoolExecutor

import traces

EPOCHS_AFTER_ONSET = [1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 75, 100, 150, 200]


def epoch_ends(trace):
    """{epochs finished: moment it was first seen}"""
    ends = {}
    for t, e in zip(trace.time, trace.epoch):
        if t is not None and e is not None:
            ends.setdefault(int(e), t)
    return ends


def points(label):
    """[(epochs after the onset, moment)]; without epochs the time is cut into as many pieces as there were epochs."""
    trace = traces.load(label.path)
    ends = epoch_ends(trace)
    first, last = trace.time[0], trace.time[-1]
    onset = label.onset_s if label.onset_s is not None else ends.get(min(ends, default=0) + 1, first)
    if len(ends) > 3:
        begun = max([e for e, t in ends.items() if t <= onset + 1e-9], default=min(ends))
        return [(k, ends[begun + k] + 0.001) for k in EPOCHS_AFTER_ONSET if begun + k in ends]
    left = max(1.0, (label.epochs or 10) * (last - onset) / max(1e-9, last - first))
    return [(k, onset + (last - onset) * k / left) for k in EPOCHS_AFTER_ONSET if k < left]


def alarms(answer):
    return bool(answer) and answer.get("verdict") == "growth" and answer.get("firm", True) is True


def history(label, method):
    """[(epochs after the onset, alarm?)], the last one for the whole run. Before a run has settled, growth is true."""
    trace = traces.load(label.path)
    seen = [(k, alarms(method(trace, t).get(label.series))) for k, t in points(label)
            if label.growing or label.settled_s is None or t >= label.settled_s]
    return seen + [(label.epochs or math.inf, alarms(method(trace, None).get(label.series)))]


def delay(seen):
    """Epochs until the alarm that stays."""
    found = math.inf
    for k, alarm in reversed(seen):
        if not alarm:
            break
        found = min(found, k)
    return found


def follow(labels, method, sample, jobs):
    """-> delays of the growing series, how many steady ones ever alarmed, how many there were"""
    pick = random.Random(7)
    growing = [l for l in labels if l.growing]
    steady = [l for l in labels if l.growing is False]
    for part in (growing, steady):
        pick.shuffle(part)
    with ThreadPoolExecutor(jobs) as pool:
        delays = list(pool.map(lambda l: delay(history(l, method)), growing[:sample]))
        alarmed = list(pool.map(lambda l: any(a for _, a in history(l, method)), steady[:sample]))
    return delays, sum(alarmed), len(alarmed)
