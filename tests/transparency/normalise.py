# SPDX-License-Identifier: MIT
"""The one place that names what may differ between a bare and a wrapped run.

Process numbers, who sent an alarm, the variables that memwatch adds (MEMWATCH_*, PYTHONUNBUFFERED=1 for a Python command
whose output goes to a pipe or a file, and PYTHONPATH with --explain), and `_` and `W`, which are the shell's and the table's own.
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


def normalise(name, data):
    for pattern, instead in INHERENT if name != "status" else ():
        data = pattern.sub(instead, data)
    return data
