# SPDX-License-Identifier: MIT
"""When epochs truly ended: one line of wall-clock seconds each, in the file that TRUTH names."""
import os
import time


def epoch_ended():
    with open(os.environ["TRUTH"], "a", encoding="ascii") as f:
        f.write("%.3f\n" % time.time())
