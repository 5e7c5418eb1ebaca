# SPDX-License-Identifier: MIT
"""Labels, traces, and memwatch as a method that judges a trace."""
import csv
import gzip
import io
import json
import math
import os
import subprocess
from dataclasses import dataclass
from functools import lru_cache

VERDICTS = {"leak": "growth", "jump": "reservation", "plateau": "reservation", "warm-up": "warmup",
            "sawtooth": "cyclic", "steady": "flat", "ambiguous": "undetermined"}


@dataclass
class Label:
    trace: str
    path: str
    series: str
    classes: list           # right verdicts, the usual one first
    growing: bool           # None: not scored
    rate_per_epoch: float
    rate_per_s: float
    epochs: float
    onset_s: float
    settled_s: float
    cause: str


def to_number(text):
    try:
        return float(text)
    except (TypeError, ValueError):
        return None


def to_bool(text):
    return {"1": True, "yes": True, "true": True, "0": False, "no": False, "false": False}.get((text or "").lower())


def series_name(text):
    text = (text or "host").strip()
    text = text[:-len("_bytes")] if text.endswith("_bytes") else text
    return "host" if text in ("rss", "") else text


def path_of(folder, trace):
    for end in ("", ".csv", ".csv.gz"):
        if os.path.exists(os.path.join(folder, trace + end)):
            return os.path.join(folder, trace + end)
    raise SystemExit("score.py: %s: no such trace in %s" % (trace, folder))


def label_of(folder, row):
    names = [c.strip() for c in (row.get("class") or "").split("|") if c.strip()]
    classes = list(dict.fromkeys(VERDICTS.get(c, c) for c in names))
    growing = to_bool(row.get("growing"))
    if classes[:1] == ["undetermined"] and growing:
        growing = None      # true, but nobody could know
    label = Label(row["trace"], path_of(folder, row["trace"]), series_name(row.get("series")), classes, growing,
                  to_number(row.get("rate_bytes_per_epoch")), to_number(row.get("rate_bytes_per_s")),
                  to_number(row.get("epochs")), to_number(row.get("onset_s")), to_number(row.get("settled_s")),
                  row.get("cause") or row.get("family") or "")
    if label.rate_per_epoch and label.rate_per_s is None:
        label.rate_per_s = label.rate_per_epoch / epoch_seconds(label.path)
    if classes == ["flat"] and came_up(label):
        label.classes = ["reservation", "flat"]     # set-up seen, then level: two words for one thing
    return label


def labels(folder, split=None):
    with open(os.path.join(folder, "labels.csv"), newline="") as f:
        return [label_of(folder, r) for r in csv.DictReader(f) if not split or r.get("split") == split]


class Trace:
    """Columns of numbers, None where a cell is empty."""

    def __init__(self, path):
        self.path = path
        opener = gzip.open if path.endswith(".gz") else open
        with opener(path, "rb") as f:
            self.text = f.read()
        rows = csv.reader(io.StringIO(self.text.decode("utf-8", "replace")))
        head = next(rows, [])
        rows = [r for r in rows if len(r) == len(head)]
        self.columns = {name: [to_number(r[i]) for r in rows] for i, name in enumerate(head)}
        self.time = self.columns.get("elapsed_s", [])
        self.epoch = self.columns.get("epoch", [None] * len(self.time))

    def values(self, series):
        """What is judged: for the host what cannot be given back for free, else RSS."""
        if series != "host":
            return self.columns.get(series + "_bytes", [])
        def sums(names):
            present = [self.columns[n] for n in names if n in self.columns]
            return [None if cells[0] is None else sum(c or 0 for c in cells) for cells in zip(*present)]
        for names in (["held_bytes"], ["anon_bytes", "shmem_bytes", "swap_bytes"], ["rss_bytes", "swap_bytes"]):
            column = self.columns.get(names[0])
            if column and any(v is not None for v in column):
                return sums(names)
        return []

    def points(self, series, until=None):
        """(time, epoch, value) of every row that has a value, up to a moment."""
        return [p for p in zip(self.time, self.epoch, self.values(series))
                if p[0] is not None and p[2] is not None and (until is None or p[0] <= until)]

    def names(self):
        gpus = [c[:-6] for c in self.columns
                if c.startswith("gpu") and c.endswith("_bytes") and not c.endswith("_total_bytes")]
        return ["host"] + gpus


@lru_cache(maxsize=256)
def load(path):
    return Trace(path)


def epoch_seconds(path):
    """Mean length of an epoch."""
    trace = load(path)
    seen = [(t, e) for t, e in zip(trace.time, trace.epoch) if t is not None and e is not None]
    if not seen or seen[-1][1] <= seen[0][1]:
        return math.inf
    begin = next(t for t, e in seen if e > seen[0][1])
    end = next(t for t, e in seen if e == seen[-1][1])
    return max(1e-9, end - begin) / max(1, seen[-1][1] - seen[0][1] - 1)


def came_up(label):
    trace = load(label.path)
    column = trace.columns.get("rss_bytes" if label.series == "host" else label.series + "_bytes", [])
    values = [v for v in column if v is not None]
    return bool(values) and values[0] < 0.7 * sorted(values)[len(values) // 2]


def memwatch(binary):
    """The method under test: `memwatch report --json`, fed on standard input."""
    def judge(trace, until):
        command = [binary, "report", "--json", "-"]
        if until is not None:
            command += ["--until", "%.3f" % until]
        done = subprocess.run(command, input=trace.text, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
        try:
            return {s["name"]: s for s in json.loads(done.stdout)["series"]}
        except (ValueError, KeyError):
            return {}
    return judge
