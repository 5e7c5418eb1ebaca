# SPDX-License-Identifier: MIT
"""Labelled recordings from several folders, their families, and the half of the families that is kept sealed."""
import csv
import gzip
import os
import random
import re
import shutil
import tarfile
from dataclasses import dataclass

HERE = os.path.dirname(os.path.abspath(__file__))
SEAL = "memwatch, first lot"
ARCHIVE = "runs.tar.xz"


@dataclass
class Run:
    name: str
    path: str
    series: str
    family: str
    leak: bool              # None: nobody could know, not scored
    classes: list
    rate: float
    settled_s: float
    share_percent: float = None     # of the level, per epoch
    start_epoch: int = 0            # finished when the leak begins, or when the recording does
    settled_epoch: int = 0          # before it a run that settles could not be told from one that grows
    by_lot: bool = False            # recorded by record.py
    kind: str = ""                  # how a leak is kept, of a run by lot
    sealed: bool = False


def number(text):
    try:
        return float(text)
    except (TypeError, ValueError):
        return None


def family_rows():
    with open(os.path.join(HERE, "families.csv"), newline="") as f:
        return [(re.compile(r["trace"]), r["family"]) for r in csv.DictReader(f)]


def family_of(row, rows):
    if row.get("family"):
        return row["family"]
    return next((family for pattern, family in rows if pattern.match(row["trace"])), row["trace"].split("_")[0])


def truth(row):
    classes = (row.get("class") or "").split("|")
    grows = (row.get("growing") or "").lower()
    if classes[0] == "growth" and grows not in ("no", "0"):
        return True
    if grows in ("no", "0"):
        return False
    return None


def unpack(path, into):
    """Plain CSV files, so that one process can read all of them."""
    if not path.endswith(".gz"):
        return path
    out = os.path.join(into, os.path.basename(path)[:-len(".gz")])
    if not os.path.exists(out) or os.path.getmtime(out) < os.path.getmtime(path):
        with gzip.open(path, "rb") as src, open(out, "wb") as dst:
            shutil.copyfileobj(src, dst)
    return out


def unpack_all(folder, into):
    """Many runs lie in one archive, which packs them three times as small -> where they are."""
    archive = os.path.join(folder, ARCHIVE)
    if not os.path.exists(archive):
        return folder
    out = os.path.join(into, os.path.basename(os.path.abspath(folder)))
    stamp = os.path.join(out, "unpacked")
    if not os.path.exists(stamp) or os.path.getmtime(stamp) < os.path.getmtime(archive):
        with tarfile.open(archive) as tar:
            tar.extractall(out, filter="data") if hasattr(tarfile, "data_filter") else tar.extractall(out)
        with open(stamp, "w"):
            pass
    return out


def path_of(folder, trace):
    for end in ("", ".csv", ".csv.gz"):
        path = os.path.join(folder, trace + end)
        if os.path.isfile(path):
            return path
    raise SystemExit("score: %s: no such trace in %s" % (trace, folder))


def series_name(text):
    text = re.sub("_bytes$", "", (text or "host").strip())
    return "host" if text in ("rss", "") else text


def is_sealed(family):
    """Half of the families, by lot: looked at when something is finished, never while it is made."""
    return random.Random(SEAL + family).random() < 0.5


def seal(runs):
    for r in runs:
        r.sealed = is_sealed(r.family)
    return runs


def load(folders, scratch):
    """One run per name and series; the first folder that has it counts."""
    os.makedirs(scratch, exist_ok=True)
    rows, found = family_rows(), {}
    for folder in folders:
        traces = unpack_all(folder, scratch)
        with open(os.path.join(folder, "labels.csv"), newline="") as f:
            for row in csv.DictReader(f):
                key = (row["trace"], series_name(row.get("series")))
                if key in found:
                    continue
                path = unpack(path_of(traces, row["trace"]), scratch)
                found[key] = Run(row["trace"], path, key[1], family_of(row, rows), truth(row),
                                 (row.get("class") or "").split("|"), number(row.get("rate_bytes_per_epoch")),
                                 number(row.get("settled_s")), number(row.get("share_percent")),
                                 int(max(number(row.get("start")) or 0, number(row.get("late")) or 0)), int(number(row.get("settled")) or 0),
                                 bool(row.get("allocator")), row.get("kind") or "")
    return seal(list(found.values()))
