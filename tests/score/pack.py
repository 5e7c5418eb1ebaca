#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Packs recordings of record.py into one archive with their labels: tests/score/pack.py INTO FOLDER...

All of them where they fit into --bytes, else as many as do, chosen by lot and never by how they are judged. The columns
that no verdict needs are left out. The same recordings give the same archive.
"""
import argparse
import csv
import io
import lzma
import os
import random
import tarfile

import corpus

LEFT_OUT = {"time", "pss_bytes", "available_bytes"}


def thinned(path):
    with open(path, newline="") as f:
        rows = list(csv.reader(f))
    keep = [i for i, name in enumerate(rows[0]) if name not in LEFT_OUT]
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([r[i] for i in keep] for r in rows if len(r) == len(rows[0]))
    return out.getvalue().encode()


def packed(runs):
    """runs: [(labels' row, bytes of the trace)]"""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for label, trace in sorted(runs, key=lambda run: (run[0]["family"], run[0]["trace"])):
            entry = tarfile.TarInfo(label["trace"] + ".csv")
            entry.size = len(trace)
            tar.addfile(entry, io.BytesIO(trace))
    return lzma.compress(out.getvalue(), preset=9)


def load(folders):
    for folder in folders:
        with open(os.path.join(folder, "labels.csv"), newline="") as f:
            for row in csv.DictReader(f):
                yield row, thinned(os.path.join(folder, row["trace"] + ".csv"))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("into")
    p.add_argument("folders", nargs="+")
    p.add_argument("--bytes", type=int, default=6 << 20)
    args = p.parse_args()
    runs = list(load(args.folders))
    random.Random("memwatch selection").shuffle(runs)
    data = packed(runs)
    while len(data) > args.bytes:
        runs = runs[:len(runs) * args.bytes // len(data)]
        data = packed(runs)
    os.makedirs(args.into, exist_ok=True)
    with open(os.path.join(args.into, corpus.ARCHIVE), "wb") as f:
        f.write(data)
    runs.sort(key=lambda run: run[0]["trace"])
    with open(os.path.join(args.into, "labels.csv"), "w", newline="") as f:
        out = csv.DictWriter(f, runs[0][0].keys(), lineterminator="\n")
        out.writeheader()
        out.writerows(label for label, _ in runs)
    print("%d runs, %d bytes" % (len(runs), len(data)))


if __name__ == "__main__":
    main()
