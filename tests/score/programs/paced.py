# SPDX-License-Identifier: MIT
"""Runs a training slower than this machine would: epochs of about so many seconds, without burning a processor.

    paced.py SECONDS SCRIPT [ARGUMENT]...

Real epochs last seconds to hours; those of small trainings, a few hundredths. From the fourth line of an epoch on a
thread sleeps with the interpreter locked, a few milliseconds at a time, all through the epoch, longer or shorter as the
epochs before took.
"""
import ctypes
import re
import runpy
import sys
import threading
import time

EPOCH = re.compile(r"(?:poch|Generation|Round)\W{0,3}\d+")
NAP_LEAST_S, NAP_MOST_S = 0.0005, 0.1
CHANGE_MOST = 3     # from one epoch to the next
EPOCHS_LEFT_OUT = 2 # the first ones trace and compile


class Pace:
    def __init__(self, seconds):
        self.wanted_s = seconds
        self.last_line = None
        self.epochs = 0
        self.alone_s = None     # what an epoch takes without naps
        self.nap_s = 0
        self.write = sys.stdout.write
        sys.stdout.write = self.see

    def see(self, text):
        if EPOCH.search(text):
            now = time.monotonic()
            if self.last_line:
                self.epoch_took(now - self.last_line)
            self.last_line = now
        return self.write(text)

    def epoch_took(self, seconds):
        self.epochs += 1
        if self.epochs <= EPOCHS_LEFT_OUT:
            return
        if self.alone_s is None:
            self.alone_s = seconds
            if seconds < 0.8 * self.wanted_s:
                # the interpreter changes threads that often
                self.nap_s = min(NAP_MOST_S, sys.getswitchinterval() * (self.wanted_s / seconds - 1))
                threading.Thread(target=self.nap, daemon=True).start()
        elif self.nap_s:
            change = (self.wanted_s - self.alone_s) / max(1e-3, seconds - self.alone_s)
            self.nap_s *= min(CHANGE_MOST, max(1 / CHANGE_MOST, change))
            self.nap_s = min(NAP_MOST_S, max(NAP_LEAST_S, self.nap_s))

    def nap(self):
        locked_sleep = ctypes.PyDLL(None).usleep
        while True:
            if time.monotonic() - self.last_line < self.wanted_s:
                locked_sleep(int(self.nap_s * 1e6))
            else:
                time.sleep(NAP_MOST_S / 10)


if __name__ == "__main__":
    Pace(float(sys.argv[1]))
    sys.argv = sys.argv[2:]
    sys.path.insert(0, sys.argv[0].rpartition("/")[0] or ".")
    runpy.run_path(sys.argv[0], run_name="__main__")
