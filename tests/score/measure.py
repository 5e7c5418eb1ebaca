# SPDX-License-Identifier: MIT
"""Runs build/score/prefixes and reads what it says."""
import subprocess
from collections import defaultdict
from dataclasses import dataclass


@dataclass
class Moment:
    epoch: int
    at_s: float
    end: bool
    verdict: str
    firm: bool
    slope_per_epoch: float
    slope_per_s: float
    low: float
    high: float
    weight: float
    took_us: float
    rises: bool             # undetermined, and rising still

    @property
    def growth(self):
        return self.verdict == "growth"

    @property
    def alarm(self):
        return self.growth and self.firm

    @property
    def rising(self):
        return self.growth or (self.verdict == "undetermined" and self.rises)

    @property
    def steady(self):
        return self.verdict not in ("growth", "undetermined")


def moment_of(cells):
    return Moment(int(cells[0]), float(cells[1]), cells[2] == "1", cells[3], cells[4] == "1", *map(float, cells[5:11]),
                  cells[11] == "1")


def judge(program, paths, *options):
    """-> {(path, series): [Moment]}, the last one at the end of the run"""
    done = subprocess.run([program, *options, *sorted(set(paths))], stdout=subprocess.PIPE, check=True, text=True)
    out = defaultdict(list)
    for line in done.stdout.splitlines():
        path, series, *cells = line.split("\t")
        out[path, series].append(moment_of(cells))
    return out


def of_run(answers, run):
    return answers.get((run.path, run.series), [])
