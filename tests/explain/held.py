# SPDX-License-Identifier: MIT
"""usage: held.py AGENT: what the program drops after a snapshot is freed at once, and what it has when it ends in the middle of
one is freed at its end."""
import _thread
import contextvars
import gc
import sys
import time
import types
import weakref

agent = {}
with open(sys.argv[1], encoding="utf-8") as source:
    exec(compile(source.read(), "<memwatch>", "exec"), agent)


class Batch:
    def __init__(self):
        self.data = bytearray(200000)
        self.kept = [self.data]
        self.ring = [None] * 1000


class Item:
    """One of very many, which have their attributes in a dict or not."""

    def __init__(self, i):
        self.values = {"values": bytearray(2000)}
        if i % 2:
            vars(self)


class ndarray:
    """In the place of NumPy's: one of Python objects."""

    dtype, size, nbytes, shape, base = types.SimpleNamespace(kind="O", name="object"), 1, 8, (1,), None

    def __init__(self):
        self.kept = Batch()

    @property
    def flat(self):
        return Flat(self.kept)


class Flat:
    def __init__(self, one):
        self.one = one

    def __getitem__(self, where):
        return types.SimpleNamespace(tolist=lambda: [self.one])


sys.modules["numpy"] = types.ModuleType("numpy")
sys.modules["numpy"].ndarray = ndarray
batches, batch, items, arrays = [Batch()], Batch(), [Item(i) for i in range(5000)], [ndarray()]
gc.collect()
gc.disable()  # nothing may need the collector
for i in range(3):
    batches.append(Batch())
    batch.ring[i] = Batch()
    arrays.append(ndarray())
    for item in items[100 * i : 100 * i + 100]:
        item.more = bytearray(20000)
    batch.data = batch.data + bytes(100000)
    batch.kept.append(bytes(100000))
    agent["answer"](b"snapshot\n", "answer")
with open("answer", encoding="utf-8") as answer:
    text = answer.read()
    assert "Batch.kept" in text and "Batch.data" in text and "__main__.batches" in text, text
    assert "Batch.ring" in text and "Item.more" in text and "__main__.arrays" in text, text
gone = list(map(weakref.ref, (batch, batches[0], batch.ring[0], items[0], items[1], arrays[0], arrays[0].kept)))
del batch, batches, items, item, arrays
assert all(one() is None for one in gone)
print("let go", flush=True)

state, kept, counts = contextvars.ContextVar("state"), [None], []
state.set(kept)
(node,) = [one for one in gc.get_referrers(kept) if type(one).__name__.startswith("hamt")]
offer, agent["offer"] = agent["offer"], lambda best, target, name: counts.append((sys.getrefcount(kept), name[1]))
agent["relate_context"](node, agent["Way"](id(kept), id(kept), None), {})
agent["offer"] = offer
assert counts == [(sys.getrefcount(kept), "context variable state")], counts


class Last:
    def __del__(self, write=sys.stdout.write):
        write("freed\n")


# Holds what grows until the program ends, and is not done even then. Apart from the program's own names, which a thread would keep.
AT_WORK = """
def growing_containers(values, known):
    busy.append(True)
    while not agent["ending"]:
        time.sleep(0.001)
    time.sleep(0.05)
    return []
"""
busy, lasts = [], [Last()]
apart = {"agent": agent, "busy": busy, "time": time}
exec(AT_WORK, apart)
agent["answer"](b"afresh\n", "answer")
lasts.append(0)
agent["growing_containers"] = apart["growing_containers"]
_thread.start_new_thread(agent["answer"], (b"snapshot\n", "answer"))
while not busy:
    time.sleep(0.001)
