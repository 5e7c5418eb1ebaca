# SPDX-License-Identifier: MIT
"""usage: hostile.py EPOCHS: a leak among objects that end the program if any code of theirs is run by somebody else."""
import io
import os
import sys
import threading
import weakref

sys.dont_write_bytecode = True
from pace import epoch_ends

MAIN = threading.get_ident()


def trap(*args, **kwargs):
    """The program itself may; another thread must not."""
    if threading.get_ident() != MAIN:
        os._exit(99)
    raise AttributeError("trap")


class HostileType(type):
    def __hash__(cls):
        return trap()

    def __eq__(cls, other):
        return trap()

    def __len__(cls):
        return trap()

    @property
    def __name__(cls):
        return trap()

    @property
    def __module__(cls):
        return trap()

    def __getattribute__(cls, name):
        if threading.get_ident() != MAIN:
            os._exit(98)
        return type.__getattribute__(cls, name)


class Hostile(metaclass=HostileType):
    __class__ = property(trap)
    __dict__ = property(trap)
    nbytes = property(trap)
    shape = property(trap)
    __len__ = __hash__ = __eq__ = __repr__ = __str__ = __sizeof__ = __iter__ = __bool__ = __getattr__ = __del__ = trap


def members(base):
    """A container of one's own with traps for methods."""
    names = ("__len__", "__iter__", "__getitem__", "__contains__", "__eq__", "__hash__", "__repr__", "__bool__", "__reversed__",
             "__sizeof__", "values", "items", "keys", "get")
    return type("Hostile" + base.__name__, (base,), {name: trap for name in names})


class Slots:
    __slots__ = ("kept", "__dict__")
    __class__ = property(trap)


class Target:
    pass


class HostileText(io.StringIO):
    tell = getvalue = seek = read = __sizeof__ = __len__ = __iter__ = __next__ = trap


TEXT = io.StringIO
HostileList, HostileDict, text = members(list), members(dict), HostileText("x" * 100000)
kept, table, slots = HostileList(), HostileDict(), Slots()
slots.kept = []
objects = [object.__new__(Hostile) for _ in range(100)]


class HostileRef(weakref.ref):
    __callback__ = property(trap)
    __hash__ = __eq__ = __repr__ = trap


class HostileError(Exception):
    __traceback__ = args = property(trap)
    __str__ = __repr__ = __eq__ = __hash__ = __getattr__ = trap


def fail(outputs, more=object.__new__(Hostile)):
    raise HostileError


hooks, errors, references, target = [], [], [], Target()


def keep_more():
    """What is kept by functions, exceptions and weak references."""
    one = object.__new__(Hostile)
    hooks.append(lambda: one)
    references.append(HostileRef(target, lambda ref: one))
    references.append(weakref.ref(target, lambda ref: one))
    try:
        fail(object.__new__(Hostile))
    except HostileError as error:
        errors.append(error)


class HostileName(str):
    """A text that code may have as its file or name."""

    __hash__ = __eq__ = __contains__ = __getitem__ = __len__ = __iter__ = __str__ = __fspath__ = find = rfind = replace = trap


def named():
    """A function with such names, which keeps what grows by a name of its own."""
    batches = []

    def keep_batch():
        batches.append(bytearray(b"x") * 204800)

    names = {"co_filename": HostileName("/x/y.py"), "co_name": HostileName("keep_batch")}
    keep_batch.__code__ = keep_batch.__code__.replace(**names)
    keep_batch.__qualname__ = HostileName("named.keep_batch")
    return keep_batch


class Item(metaclass=HostileType):
    """One of very many: each is looked at, and its attributes, which are in a dict for some."""

    seen = property(trap)
    __class__ = property(trap)
    __len__ = __hash__ = __eq__ = __repr__ = __str__ = __sizeof__ = __iter__ = __bool__ = __getattr__ = trap

    def fill(self):
        self.data = {"data": bytearray(b"x") * 1024, "one": HostileList([object.__new__(Hostile)]), "seen": ()}


class Numbers:
    """In the place of NumPy's arrays: asked only if it is the very type."""

    dtype = flat = size = nbytes = base = shape = property(trap)
    tolist = __len__ = __iter__ = __getitem__ = trap


ring, items, keep_batch = [None] * 1000, [Item() for _ in range(5000)], named()
for item in items:
    Item.fill(item)
for item in items[:100]:
    object.__getattribute__(item, "__dict__")["seen"] = HostileDict(seen=Numbers())


def keep_in_items(epoch):
    ring[epoch] = object.__new__(Hostile)
    keep_batch()
    for item in items[100 * epoch : 100 * epoch + 100]:
        item.more = bytearray(b"x") * 1024


def keep(epoch):
    keep_more()
    keep_in_items(epoch)
    TEXT.write(text, "x" * 100)
    list.append(kept, bytearray(b"x") * 614400)
    dict.__setitem__(table, epoch, object.__new__(Hostile))
    slots.kept.append(object.__new__(Hostile))


def main():
    io.StringIO = trap  # no class at all
    epochs = int(sys.argv[1])
    for epoch in range(epochs):
        keep(epoch)
        epoch_ends(epoch + 1, epochs)
    os._exit(0)  # the interpreter's own end would run into the traps


main()
