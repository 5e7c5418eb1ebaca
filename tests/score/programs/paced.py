# SPDX-License-Identifier: MIT
"""Runs a training slower than this machine would: epochs of about so many seconds, without burning a processor.

    paced.py SECONDS SCRIPT [ARGUMENT]...

Real epochs last seconds to hours; those of small trainings, a few hundredths. As soon as an epoch has been timed,
a thread sleeps with the interpreter locked, a few milliseconds at a time, all through the epoch.
"""
import ctypes
import re
import runpy
import sys
import threading
import time

EPOCH = re.compile(r"poch\W{0,3}\d+")
FIRST, LAST = 1, 2      # lines between which an epoch is timed
NAP_MOST_S = 0.1


class Pace:
    def __init__(self, seconds):
        self.wanted = seconds
        self.lines = []
        self.write = sys.stdout.write
        sys.stdout.write = self.see

    def see(self, text):
        if len(self.lines) <= LAST and EPOCH.search(text):
            self.lines.append(time.monotonic())
            if len(self.lines) == LAST + 1:
                self.slow_down((self.lines[LAST] - self.lines[FIRST]) / (LAST - FIRST))
        return self.write(text)

    def slow_down(self, epoch_s):
        if epoch_s < 0.8 * self.wanted:
            threading.Thread(target=self.nap, args=(epoch_s,), daemon=True).start()

    def nap(self, epoch_s):
        """Asleep for all of the epoch but the part that it needs; the interpreter changes threads every 5 ms."""
        locked_sleep = ctypes.PyDLL(None).usleep
        nap_s = min(NAP_MOST_S, sys.getswitchinterval() * (self.wanted / epoch_s - 1))
        while True:
            locked_sleep(int(nap_s * 1e6))


if __name__ == "__main__":
    Pace(float(sys.argv[1]))
    sys.argv = sys.argv[2:]
    sys.path.insert(0, sys.argv[0].rpartition("/")[0] or ".")
    runpy.run_path(sys.argv[0], run_name="__main__")
