# SPDX-License-Identifier: MIT
"""Plain Python: lines of a log are parsed and counted; means and variances for every page, and a window of the last lines."""
import json
from collections import defaultdict, deque

from training import Training

t = Training("counters", ["INFO epoch=%(epoch)d loss=%(loss).4f", "finished epoch %(epoch)d of %(epochs)d (deviation %(loss).4f)"])
users, pages, count = t.lot.choice([100, 1000]), t.lot.choice([20, 200]), t.lot.choice([4000, 10000])
window, as_json = deque(maxlen=t.lot.choice([500, 2000])), t.lot.random() < 0.5


class Moments:
    """Welford's"""
    __slots__ = ("n", "mean", "square")

    def __init__(self):
        self.n, self.mean, self.square = 0, 0.0, 0.0

    def add(self, x):
        self.n += 1
        gap = x - self.mean
        self.mean += gap / self.n
        self.square += gap * (x - self.mean)


def lines():
    for i in range(count):
        facts = {"user": "user-%04d" % t.lot.randrange(users), "page": "/shop/%d.html" % t.lot.randrange(pages),
                 "ms": round(t.lot.expovariate(0.01), 2), "id": "%032x" % t.lot.getrandbits(128)}
        yield json.dumps(facts) if as_json else " ".join("%s=%s" % pair for pair in facts.items())


def parsed(line):
    return json.loads(line) if as_json else dict(part.split("=", 1) for part in line.split())


by_page = defaultdict(Moments)      # over the whole run; there are only so many pages
for epoch in range(t.epochs):
    by_user, seen = defaultdict(list), {}
    for line in lines():
        facts = parsed(line)
        window.append(line)
        seen[facts["id"]] = facts
        by_page[facts["page"]].add(float(facts["ms"]))
        by_user[facts["user"]].append((facts["page"], float(facts["ms"])))
    slow = sorted(by_user, key=lambda user: -max(ms for _, ms in by_user[user]))[:20]
    spread = sum((m.square / m.n) ** 0.5 for m in by_page.values()) / len(by_page)
    t.epoch_ended(epoch, spread + len(slow) / 1e6)
