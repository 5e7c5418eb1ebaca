# SPDX-License-Identifier: MIT
"""usage: figures.py AGENT KIND: three snapshots of a program in which the figures of what grows could mislead; prints
"container or object: elements more, bytes more" of each that is named."""
import _thread
import gc
import sys
import time
import types

agent = {}
with open(sys.argv[1], encoding="utf-8") as source:
    exec(compile(source.read(), "<memwatch>", "exec"), agent)
saved = []


class ndarray:
    """In the place of NumPy's: one of texts of any length says that it has objects in it, and cannot be made a list of."""

    dtype = types.SimpleNamespace(kind="T", hasobject=True, name="StringDType128()")
    size, nbytes, shape, base = 100, 1600, (100,), None

    @property
    def flat(self):
        raise SystemError("error return without exception set")


def text_array(turn):
    saved.append((ndarray(), bytearray(100000)))


def ends_in_none(turn):
    """Elements that are None among others, the last of them only once: the length alone is more."""
    saved.extend([*(bytearray(100000) if i % 3 else None for i in range(30)), None if turn == 0 else 1])


ring, cells = [None] * 3000000, [None] * 1000


def long_ring(turn):
    ring[turn] = bytearray(600000)


def moving_cells(turn):
    """As many as before, each time elsewhere."""
    saved.append(bytearray(600000))
    for i in range(1000):
        cells[i] = bytes(1000) if i % 2 and 200 * turn <= i < 500 + 200 * turn else None


class Item:
    def __init__(self, size=None):
        self.data, self.name, self.place = size and bytearray(size), "item %d" % id(self), (size, [size])


class Slotted:
    __slots__ = ("data",)

    def __init__(self, size=None):
        self.data = size and bytearray(size)


class Shard:
    def __init__(self, first):
        self.index = {i: (i,) for i in range(first, first + 300000)}


items, others = [], []


def replaced_items(turn):
    """By as many and as large ones as before, but what one of them has is at another place in the collector's list."""
    saved.append(bytearray(100000))
    items[:] = [Slotted(100 * ((i + 8 * turn) % 64)) for i in range(20000)]
    gc.collect()


def fill(turn, size):
    for item in items[100 * turn : 100 * turn + 100]:
        item.data = bytearray(size)


def filled_among_classes(turn):
    """Of which each has some objects that need little of the time there is."""
    if not items:
        items.extend(Item() for _ in range(4000))
        for kind in (type("Kind%d" % i, (), {"__module__": "__main__"}) for i in range(200)):
            others.extend(kind() for _ in range(10))
        for one in others:
            one.values = [one]
    fill(turn, 6000)


def filled_beside_large(turn):
    """One of them has much more than the others, and does not get more."""
    if not items:
        items.extend(Slotted() for _ in range(4000))
        items[-1].data = bytearray(70000)
    fill(turn, 40000)


def attributes_in_dicts(turn):
    """Some have had their attributes asked for, which are in a dict from then on."""
    if not items:
        items.extend(Item() for _ in range(3000))
        fill(20, 40000)
    for item in items[1900 + 500 * turn :][:500]:
        vars(item)
    saved.append(bytearray(600000))


def long_dicts(turn):
    """Each is not looked into."""
    if not items:
        items.extend(Shard(300000 * i) for i in range(8))
    saved.append(bytearray(600000))


class Results:
    """Has some more attributes than at first, too few for a dict of them."""


results = Results()


def attributes(turn):
    setattr(results, "outputs_%d" % turn, bytearray(100000))


def running(gate):
    held = bytearray(100000)
    started.release()
    gate.acquire()
    return held


def running_each(gate):
    each = bytearray(100000)
    started.release()
    gate.acquire()
    return each


started, never = _thread.allocate_lock(), _thread.allocate_lock()
started.acquire()
never.acquire()


def threads(turn, run=running):
    """Of which none ends."""
    for _ in range(2):
        _thread.start_new_thread(run, (never,))
        started.acquire()


def threads_each(turn):
    threads(turn, running_each)


def sliding():
    window = [bytearray(100000) for _ in range(5)]
    while True:
        yield window.append(bytearray(100000))


batches = sliding()


def generator(turn):
    next(batches)


def slow_measuring(turn):
    """Takes longer than there is to look for a name."""
    saved.append(bytearray(100000))
    measure = agent["Growth"].measure

    def slowly(growth, known):
        measure(growth, known)
        until = time.thread_time() + 0.2
        while time.thread_time() < until:
            pass

    if turn == 2:
        agent["LOOK_S"], agent["Growth"].measure = 0.1, slowly


class Linked:
    """Leads to all the others."""

    def __init__(self, last=None):
        self.last, self.next, self.data = last, None, bytearray(100000)
        if last:
            last.next = self


class Waiting:
    def __init__(self):
        self.gate, self.data = gate, bytearray(100000)


waiting, gate = set(), [bytearray(1000000)]


def linked(turn):
    for _ in range(2):
        saved.append(Linked(saved[-1] if saved else None))


def shared_in_set(turn):
    """Each has what all of them have, which leads to them, and one of its own."""
    for _ in range(10 if turn == 0 else 2):
        one = Waiting()
        waiting.add(one)
        gate.append([one])


def small_objects(turn):
    """Of which Python's allocator gives whole pieces, and the collector needs a part."""
    saved.extend([{"step": i, "loss": i / 7, "rate": i / 9}] for i in range(5000))


def classes(turn):
    for _ in range(100):
        saved.append(type("Model", (), {"forward": lambda self: None}))


def kinds():
    return {name.replace("_", "-"): step for name, step in globals().items() if type(step) is types.FunctionType}


sys.modules["numpy"] = types.ModuleType("numpy")
sys.modules["numpy"].ndarray = ndarray
step = kinds()[sys.argv[2]]
for turn, request in enumerate((b"afresh\n", b"snapshot\n", b"snapshot\n")):
    step(turn)
    agent["answer"](request, "answer")
with open("answer", encoding="utf-8") as answer:
    for line in answer:
        words = line.rstrip("\n").split("\t")
        assert words[0] != "failed", line
        if words[0] == "name":
            print("%s: %s, %s" % (words[1], words[6], words[7]))
