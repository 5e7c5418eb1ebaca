# SPDX-License-Identifier: MIT
"""Epochs at memwatch's pace: each lasts until the CSV that PACE names has some rows more."""
import os
import time

ROWS = 8
_seen = 0


def rows():
    try:
        with open(os.environ["PACE"], "rb") as csv:
            return csv.read().count(b"\n")
    except FileNotFoundError:
        return 0


def epoch_ends(number, total, least=ROWS):
    """Prints the line of an epoch's end, once enough of it has been sampled."""
    global _seen
    while "PACE" in os.environ and rows() < _seen + least:
        time.sleep(0.005)
    _seen = rows() if "PACE" in os.environ else 0
    print("Epoch %d/%d - loss: 0.5" % (number, total), flush=True)
