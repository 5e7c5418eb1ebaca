# SPDX-License-Identifier: MIT
"""The one place that names what may differ between a bare and a wrapped run.

Process numbers, who sent an alarm, the variables that memwatch adds (MEMWATCH_*, PYTHONUNBUFFERED=1 for a Python command
whose output goes to a pipe or a file, and PYTHONPATH with --explain), and `_` and `W`, which are the shell's and the table's own;
signals 32 and 33, which the C library takes for itself with a program's first thread, such as the one of --explain.
"""
import re

INHERENT = (
    (re.compile(rb"^env (MEMWATCH_[A-Z_]*=.*|PYTHONUNBUFFERED=1|PYTHONPATH=/tmp/memwatch-[^:\n]*|[_W]=.*)\n", re.M), b""),
    (re.compile(rb"^ready \d+$", re.M), b"ready"),
    (re.compile(rb"^\[(\d+)\] \d+\r$", re.M), b"[\\1] pid\r"),       # bash: "[1] 4711"
    (re.compile(rb"^\[\d+\]\+  Done .*\r\n", re.M), b""),          # bash tells of a job's end sooner or later, or not at all
    (re.compile(rb"^got 14 code 128 ", re.M), b"got 14 code 0 "),    # an alarm set before the exec is passed on by kill()
    (re.compile(rb"(: line \d+:) +\d+ "), b"\\1 pid "),             # bash: "line 1:  4711 Killed", as wide as five digits
)

LIBC_SIGNALS = 3 << 31


def without_libc_signals(match):
    return b"%s%016x" % (match[1], int(match[2], 16) & ~LIBC_SIGNALS)


def normalise(name, data):
    data = re.sub(rb"^(SigIgn:\s*)([0-9a-f]{16})$", without_libc_signals, data, flags=re.M)
    for pattern, instead in INHERENT if name != "status" else ():
        data = pattern.sub(instead, data)
    return data
