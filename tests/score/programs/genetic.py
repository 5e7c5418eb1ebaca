# SPDX-License-Identifier: MIT
"""Plain Python: formulas as trees of objects are bred, changed and measured; the population is of one size, its trees bounded."""
import math

from training import Training

t = Training("genetic", ["Generation %(epoch)d", "Epoch %(epoch)d/%(epochs)d best %(loss).4f"])
people, most = t.lot.choice([200, 500]), t.lot.choice([20, 40])
points = [(x / 10, math.sin(x / 10) + (x / 10) ** 2) for x in range(-10, 11, t.lot.choice([2, 4]))]
BOTH = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: max(-1e6, min(1e6, a * b)), "max": max}


class Node:
    def __init__(self, name, children=(), value=None):
        self.name, self.children, self.value = name, list(children), value

    def at(self, x):
        if self.name in BOTH:
            return BOTH[self.name](self.children[0].at(x), self.children[1].at(x))
        return x if self.name == "x" else self.value

    def copy(self):
        return Node(self.name, [c.copy() for c in self.children], self.value)

    def all(self):
        return [self] + [n for c in self.children for n in c.all()]


def grown(levels):
    if levels == 0 or t.lot.random() < 0.2:
        return Node("x") if t.lot.random() < 0.5 else Node("number", value=t.lot.uniform(-2, 2))
    return Node(t.lot.choice(list(BOTH)), [grown(levels - 1), grown(levels - 1)])


def error(tree):
    return sum((tree.at(x) - y) ** 2 for x, y in points) / len(points)


def child(ranked):
    a, b = (min(t.lot.sample(ranked, 3), key=lambda pair: pair[0])[1] for _ in range(2))
    out, part = a.copy(), t.lot.choice(b.all()).copy()
    spot = t.lot.choice(out.all())
    if t.lot.random() < 0.2:
        part = grown(2)
    spot.name, spot.children, spot.value = part.name, part.children, part.value
    return out if len(out.all()) <= most else grown(4)


population = [grown(4) for _ in range(people)]
for epoch in range(t.epochs):
    ranked = sorted(((error(tree), tree) for tree in population), key=lambda pair: pair[0])
    best = [tree for _, tree in ranked[:2]]
    population = best + [child(ranked) for _ in range(people - 2)]
    t.epoch_ended(epoch, ranked[0][0])
