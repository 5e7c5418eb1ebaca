# SPDX-License-Identifier: MIT
"""Plain Python: gradients of scalars that know their step back, which is a cycle; garbage is collected every few epochs only."""
import gc

from training import Training

t = Training("cycles", ["Epoch %(epoch)d loss %(loss).4f", "[epoch %(epoch)d] loss: %(loss).4f"])
inputs, hidden, rows = 4, t.lot.choice([4, 8]), t.lot.choice([60, 150])
every, frozen = t.lot.choice([1, 2, 3, 5]), t.lot.random() < 0.5


class Value:
    def __init__(self, data, before=()):
        self.data, self.gradient, self.before, self.back = data, 0.0, before, None

    def __add__(self, other):
        out = Value(self.data + other.data, (self, other))

        def back():
            self.gradient += out.gradient
            other.gradient += out.gradient
        out.back = back
        return out

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other))

        def back():
            self.gradient += other.data * out.gradient
            other.gradient += self.data * out.gradient
        out.back = back
        return out

    def positive(self):
        out = Value(max(0.0, self.data), (self,))

        def back():
            self.gradient += (out.data > 0) * out.gradient
        out.back = back
        return out


def order_of(last):
    order, seen, open_ = [], set(), [(last, False)]
    while open_:
        value, done = open_.pop()
        if done:
            order.append(value)
        elif id(value) not in seen:
            seen.add(id(value))
            open_.append((value, True))
            open_.extend((b, False) for b in value.before)
    return order


def dot(row, weights):
    out = row[0] * weights[0]
    for a, b in zip(row[1:], weights[1:]):
        out = out + a * b
    return out


first = [[Value(t.lot.uniform(-0.5, 0.5)) for _ in range(inputs)] for _ in range(hidden)]
second = [Value(t.lot.uniform(-0.5, 0.5)) for _ in range(hidden)]
data = [([t.lot.random() for _ in range(inputs)], t.lot.random()) for _ in range(rows)]
gc.disable()
if frozen:
    gc.freeze()
for epoch in range(t.epochs):
    total = 0.0
    for row, wish in data:
        seen = [dot([Value(x) for x in row], w).positive() for w in first]
        gap = dot(seen, second) + Value(-wish)
        loss = gap * gap
        loss.gradient = 1.0
        for value in reversed(order_of(loss)):
            if value.back:
                value.back()
        for weight in [*second, *(w for ws in first for w in ws)]:
            weight.data -= 0.01 * weight.gradient
            weight.gradient = 0.0
        total += loss.data
    if epoch % every == every - 1:
        gc.collect()
    t.epoch_ended(epoch, total / rows)
