# SPDX-License-Identifier: MIT
"""Runs whose truth is known: each a sum of parts that training programs show. The same seed gives the same files.

A run is a plan (how many epochs, rows in each) and a list of parts, each a function of the position in epochs. A leak is
drawn against the noise of the floors, so that an ideal observer could see it."""
import csv
import math
import os
import random

MIB = 1 << 20
PAGE = 4096
PER_KIND = 8


def log_uniform(rng, low, high):
    return math.exp(rng.uniform(math.log(low), math.log(high)))


class Plan:
    """When rows are taken, and where in the training each lies: x below 0 is set-up."""

    def __init__(self, rng):
        self.epochs = int(log_uniform(rng, 10, 160))
        self.rows = max(1, int(min(log_uniform(rng, 1, 120), 4000 / self.epochs)))
        self.every_s = rng.choice([0.1, 0.2, 0.5, 1, 5])
        self.attached = rng.random() < 0.2
        self.base = rng.randint(1, 30) if self.attached else 0
        setup = 0 if self.attached else max(8, self.rows // 3)
        self.x = [-1 + i / setup for i in range(setup)]
        for epoch in range(self.epochs):
            rows = max(1, round(self.rows * max(0.5, rng.gauss(1, 0.08))))
            self.x += [epoch + (i + 0.3) / rows for i in range(rows)]
        self.x.append(self.epochs + 0.01)
        self.level = log_uniform(rng, 100 * MIB, 20000 * MIB)


# --- parts: each makes a function of x (bytes above the level)

def steps(rng, p, late=False):
    at = [rng.uniform(1.5 if late else 0, 0.7 * p.epochs if late else 1.5) for _ in range(rng.randint(1, 2))]
    size = [p.level * log_uniform(rng, 0.02, 0.4) for _ in at]
    return lambda x: sum(s for a, s in zip(at, size) if x >= a)


def late_steps(rng, p):
    return steps(rng, p, True)


def release(rng, p):
    at, size = rng.uniform(0.2, 0.6) * p.epochs, p.level * rng.uniform(0.15, 0.5)
    return lambda x: -size if x >= at else 0


def warm_exponential(rng, p):
    size, tau = p.level * log_uniform(rng, 0.05, 1), rng.uniform(0.05, 0.2) * p.epochs
    return lambda x: size * (1 - math.exp(-max(0, x) / tau))


def warm_logarithm(rng, p):
    size, start = p.level * log_uniform(rng, 0.02, 0.1), log_uniform(rng, 0.05, 0.5)
    return lambda x: size * math.log1p(max(0, x) / start) / math.log1p(p.epochs / start)


def fill(rng, p):
    size, full = p.level * log_uniform(rng, 0.05, 1), rng.uniform(0.15, 0.5) * p.epochs
    return lambda x: size * min(1, max(0, x) / full)


def cache(rng, p):
    size = p.level * log_uniform(rng, 0.1, 2)
    return lambda x: size * min(1, max(0, x))


def teeth(rng, p):
    size, period = p.level * log_uniform(rng, 0.03, 0.4), rng.uniform(0.2, 0.9)
    return lambda x: size * ((x / period) % 1) if x >= 0 else 0


def long_teeth(rng, p):
    size, period = p.level * log_uniform(rng, 0.05, 0.4), rng.uniform(0.04, 0.12) * max(25, p.epochs)
    return lambda x: size * ((x / period) % 1) if x >= 0 else 0


def evaluation(rng, p):
    size, width, every = p.level * log_uniform(rng, 0.03, 0.5), rng.uniform(0.1, 0.5), rng.randint(1, 5)
    return lambda x: size if x >= 0 and int(x) % every == 0 and x % 1 > 1 - width else 0


def other_epochs(rng, p):
    size, every = p.level * log_uniform(rng, 0.03, 0.3), rng.randint(2, 5)
    return lambda x: size if x >= 0 and int(x) % every == 0 else 0


# --- leaks: where each begins, and how much is kept by x when one unit is kept per epoch

def leak_always(rng, p):
    return 0, lambda x: max(0, x)


def leak_at_ends(rng, p):
    return 0, lambda x: max(0, math.floor(x))


def leak_every(rng, p):
    every = rng.randint(2, max(2, min(8, p.epochs // 8)))
    return 0, lambda x: every * max(0, math.floor(x / every))


def leak_late(rng, p):
    at = rng.uniform(0.3, 0.6) * p.epochs
    return at, lambda x: max(0, x - at)


STEADY = {"level": [], "early steps": [steps], "late steps": [late_steps], "release": [release], "cache": [cache],
          "exponential": [warm_exponential], "logarithm": [warm_logarithm], "fill": [fill], "teeth": [teeth],
          "long teeth": [long_teeth], "evaluation": [evaluation], "other epochs": [other_epochs],
          "warm-up and teeth": [warm_exponential, teeth], "steps and evaluation": [late_steps, evaluation]}
LEAKS = {"leak": [leak_always], "leak at ends": [leak_at_ends], "leak every k": [leak_every], "leak begins late": [leak_late],
         "leak and steps": [leak_always, late_steps], "leak and release": [leak_always, release],
         "leak and warm-up": [leak_always, warm_exponential], "leak and teeth": [leak_always, teeth],
         "leak and evaluation": [leak_at_ends, evaluation], "leak and other epochs": [leak_always, other_epochs],
         "leak and cache": [leak_every, cache]}
VERDICTS = {"level": "flat|reservation", "early steps": "reservation|flat", "late steps": "reservation", "release": "release",
            "cache": "warmup|reservation", "exponential": "warmup|reservation", "logarithm": "warmup|reservation|flat",
            "fill": "warmup|reservation"}


def noises(rng, p):
    """bytes at each row: pages, batches that come and go, and a slow drift that stays within bounds"""
    pages, drift = log_uniform(rng, 1, 60) * PAGE, p.level * log_uniform(rng, 1e-5, 2e-3)
    batch = p.level * log_uniform(rng, 1e-3, 2e-2) if rng.random() < 0.4 else 0
    slow, out, memory = 0, [], math.exp(-1 / (p.rows * log_uniform(rng, 0.3, 4)))
    for _ in p.x:
        slow = memory * slow + math.sqrt(1 - memory * memory) * rng.gauss(0, drift)
        out.append(rng.gauss(0, pages) + batch * rng.random() + slow)
    return out


def floors(p, values):
    low = {}
    for x, v in zip(p.x, values):
        if 0 <= x < p.epochs:
            low[int(x)] = min(v, low.get(int(x), v))
    return [low[k] for k in sorted(low)]


def typical_move(values):
    moves = sorted(abs(b - a) for a, b in zip(values, values[1:]))
    return moves[3 * len(moves) // 4]


def spread(values):
    mean = sum(values) / len(values)
    return max(PAGE, math.sqrt(sum((v - mean) ** 2 for v in values) / len(values)))


def leak_rate(rng, p, onset, noise, values):
    n = p.epochs - onset
    noise_bytes = max(spread(floors(p, noise)), typical_move(floors(p, values)))
    visible = 12 * noise_bytes / math.sqrt(n * (n * n - 1) / 12)
    return max(75 * 1024, 1.5e-4 * p.level, visible) * log_uniform(rng, 1, 30)


def set_up(rng):
    """imports in lumps; 1 when all is there"""
    parts = sorted(rng.random() for _ in range(5))
    return lambda x: 1 if x >= 0 else 0.03 + 0.97 * sum(x + 1 > a for a in parts) / 5


def make_run(rng, parts, leak):
    p, rate = Plan(rng), 0
    noise, up = noises(rng, p), set_up(rng)
    made = [part(rng, p) for part in parts]
    values = [sum(f(x) for f in made) + n for x, n in zip(p.x, noise)]
    if leak:
        onset, kept = leak(rng, p)
        rate = leak_rate(rng, p, onset, noise, values)
        values = [v + rate * kept(x) for v, x in zip(values, p.x)]
    return p, [max(PAGE, (p.level + v) * up(x)) for v, x in zip(values, p.x)], rate


def write(path, rng, p, values):
    told = rng.random() < 0.8       # else nobody knows of epochs
    with open(path, "w", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(["elapsed_s", "epoch", "procs", "rss_bytes", "anon_bytes", "file_bytes", "shmem_bytes", "swap_bytes"])
        for i, (x, v) in enumerate(zip(p.x, values)):
            epoch = int(x) + p.base if told and x >= 0 else ""
            anon = int(v) // PAGE * PAGE
            out.writerow(["%.3f" % (i * p.every_s), epoch, 1, anon + 80 * MIB, anon, 80 * MIB, 0, 0])


def make(folder, seed, per_kind=PER_KIND):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "labels.csv"), "w", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(["trace", "series", "class", "growing", "rate_bytes_per_epoch", "epochs", "family"])
        for kind, parts in [*STEADY.items(), *LEAKS.items()]:
            for i in range(per_kind):
                rng = random.Random("%s %d %d" % (kind, seed, i))
                leak = parts[0] if kind in LEAKS else None
                p, values, rate = make_run(rng, parts[1:] if leak else parts, leak)
                name = "%s_%d_%d" % (kind.replace(" ", "-"), seed, i)
                write(os.path.join(folder, name + ".csv"), rng, p, values)
                out.writerow([name, "host", "growth" if leak else VERDICTS.get(kind, "cyclic|warmup|reservation"),
                              "yes" if leak else "no", "%.0f" % rate if leak else "", p.epochs, kind])
