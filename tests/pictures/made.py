#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs for pictures, as memwatch's CSV: made.py KIND >run.csv. What is drawn of each is known beforehand."""
import math
import sys

MIB = 1 << 20
HEAD = (
    "elapsed_s,time,epoch,procs,rss_bytes,anon_bytes,file_bytes,shmem_bytes,swap_bytes,pss_bytes,held_bytes,"
    "available_bytes,limit_bytes"
)


def level(kind, epoch, part, i):
    if kind in ("reservation", "gpus"):
        return 400 if epoch < 3 else 1400
    if kind == "warmup":
        return 300 + 500 * (1 - math.exp(-i / 60))
    if kind == "cyclic":
        return 500 + 300 * part
    if kind in ("heap", "kept"):
        return 400 + 15 * epoch
    if kind.startswith("million"):
        return 400 + 0.01 * epoch + 30 * part + (500 if i == 123_456 else 0)
    return 400 + 20 * epoch + 30 * part


def gpu_bytes(gpu, epoch, i):
    if i < 10:
        return 0
    return (21 << 30) if gpu < 3 else (4 << 30) + epoch * 200 * MIB


def main():
    kind = sys.argv[1]
    epochs = 10_000 if kind.startswith("million") else {"short": 2, "one": 1, "thousand": 1000}.get(kind, 30)
    rows = 100 if kind.startswith("million") else {"short": 4, "one": 1}.get(kind, 20)
    gpus = {"million": 16, "gpus": 4, "many": 64}.get(kind, 0)
    heap = kind in ("heap", "kept", "million-heap")
    heads = "".join(f",gpu{g}_bytes,gpu{g}_total_bytes" for g in range(gpus))
    print(HEAD + heads + (",heap_used_bytes,heap_free_bytes" if heap else ""))
    limit = 1100 * MIB if kind == "near" else 8 << 30
    for i in range(epochs * rows):
        epoch, at = divmod(i, rows)
        held = int((level(kind, epoch, at / rows, i) + (i * 7919 % 97) / 97) * MIB) // 4096 * 4096
        cells = [f"{i / 4:.3f}", f"{1_700_000_000 + i / 4:.3f}", "" if kind == "silent" else epoch, 1]
        cells += [held + 20 * MIB, held, 20 * MIB, 0, 0, "", held, 16 << 30, limit]
        for gpu in range(gpus):
            cells += [gpu_bytes(gpu, epoch, i), 24 << 30]
        if heap:
            free = 20 * MIB if kind == "kept" else max(held - 380 * MIB, 0)
            cells += [250 * MIB, free] if at == 0 else ["", ""]
        print(",".join(map(str, cells)))


main()
