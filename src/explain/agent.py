# SPDX-License-Identifier: MIT
"""What grows in this process, by name: loaded by the sleeping thread of thread.py when memwatch asks.

A leak in Python is nearly always a container that is longer at every epoch's end. Each "snapshot" keeps the lengths of
all containers; the few that grew each time are the suspects, and who refers to them gives the name. What an attribute
is replaced by, ever larger, or a tensor with a graph of ever more nodes, is another object each time: it is known by
its place, which is the object that refers to it and which of its references it is.

The program waits while it is looked at, so that nothing it has dropped meanwhile is kept, and runs on while names are
looked for. Nothing that it may be about to change is held: C code fills a tuple, and NumPy resizes an array in place,
only while nobody else refers to it. So objects come by ask(), listed() and Gleaning in one call of C, in which no other
thread runs; tuples and arrays are never among what is kept.

No code of the program is run: no __len__, no property, no __class__, no metaclass. Lengths are those of the builtin
types, by their own methods; attributes are read of objects whose very type is a known one of NumPy, PyTorch, TensorFlow
or JAX, if the program has imported it. Nothing else is imported but modules of the standard library.
"""
import _thread
import array
import atexit
import bisect
import collections
import functools
import gc
import heapq
import itertools
import operator
import os
import sys
import time
import types
import weakref

__name__ = "memwatch"  # the module of its own classes, by which they are left out

OBJECTS_MAX = 20000000
STEPS = 8  # of referrers, from what grows to its name
NAMES_MAX = 12  # in an answer
SAMPLE = 32  # new elements of a container that are measured
FRONTIER = 24  # objects whose referrers are looked for at a time: each costs a comparison with every reference there is
LARGE_BYTES = 65536  # what is kept by itself, and not in a container, is looked at from this size on
NEVER = 2**64 - 1  # the length that no container exceeds
LOOKED_INTO = 1000  # longer containers are not looked into for what the collector does not list
SHORT = range(1, LOOKED_INTO + 1)
FRAMES_MAX = 200  # of a thread
SINGLES = 8  # large objects, and graphs, that are named
EVEN = 8  # times as much as in another interval is not the same growth
TRIES = 3  # to find what is at a place before the program replaces it
MANY = 20000  # lengths that are taken in at a time
AT_ONCE = 1000  # objects whose references are looked at in one call
PIECE = 4096  # objects of the collector's list
NODES_MAX = 100000  # of all graphs together, in one snapshot
LOOK_S = 2.0  # of processor time, for the names in one answer
OBJECT_S = 0.7e-6  # that a snapshot is expected to take for each object
TEXT_MAX = 160

END_S = 2.0  # for which the program's end waits at most for a snapshot to let go of its objects
TURN_S = 0.1  # for which the program's threads wait at most while they are looked at, but for one call of C
PAUSE_S = 0.001  # for which they are let in

HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE: a class statement made it, or an extension
OPTIMIZED = 0x1  # CO_OPTIMIZED: a function's frame, whose f_locals is a copy

count_elements = collections._count_elements
mro_of = type.__dict__["__mro__"].__get__
flags_of = type.__dict__["__flags__"].__get__
qualname_of = type.__dict__["__qualname__"].__get__
module_of = type.__dict__["__module__"].__get__
namespace_of = type.__dict__["__dict__"].__get__
module_dict_of = types.ModuleType.__dict__["__dict__"].__get__

LENGTHS = (
    (list, list.__len__),
    (dict, dict.__len__),
    (set, set.__len__),
    (collections.deque, collections.deque.__len__),
)
EXACT = (list, dict, set, collections.deque, collections.OrderedDict, collections.defaultdict)
EXACT_IDS = frozenset(map(id, EXACT))
LRU_CACHE = type(functools.lru_cache(maxsize=1)(id))
GENERATORS = (types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType)
GENERATOR_IDS = frozenset(map(id, GENERATORS))
CELL_IDS = GENERATOR_IDS | {id(LRU_CACHE), id(types.CellType)}
TUPLE_IDS = frozenset([id(tuple)])
LIST, DICT, PLAIN, DERIVED, OTHER = GROUPS = range(5)  # containers of these types, of other builtin ones, of one's own; the rest
DICT_IDS = frozenset([id(dict)])
SEQUENCES = (list, tuple, collections.deque, set)
PLAIN_KEYS = frozenset(map(id, (int, bool, type(None))))
# Classes of these say what the program is, and hold nothing of what it works with.
STANDARD = frozenset(getattr(sys, "stdlib_module_names", ("inspect", "typing", "functools", "weakref", "_frozen_importlib",
                                                          "_frozen_importlib_external", "enum", "re", "ast", "abc")))


class Memory:
    """What is kept from one snapshot to the next: numbers, and no object of the program."""

    def __init__(self):
        self.taken = 0
        self.ids = array.array("Q")  # of containers, with their lengths
        self.lengths = array.array("Q")
        self.rooms = array.array("Q")  # ids of those in which more is looked at than their length
        self.grown = {}  # id: its lengths so far, of containers that grew each time; from the second snapshot on
        self.counts = {}  # id of a type: how many of it so far, if ever more
        self.sizes = {}  # place: bytes so far of the large object there, if ever more
        self.holders = {}  # place of a class: how many of its objects so far, if ever more
        self.nodes = {}  # place: nodes so far of the graph that the tensor there keeps, if ever more
        self.heads = {}  # place: the number of that tensor's own node
        self.chained = None  # places where each graph has the one before in it; None: nothing has been compared

    def lengths_before(self, turn):
        """{id: length} of the containers that may have grown each time."""
        found = {i: was[-1] for i, was in self.grown.items()}
        for i in range(0, len(self.ids), MANY):
            found.update(zip(self.ids[i : i + MANY], self.lengths[i : i + MANY]))
            turn.step()
        return found


memory = Memory()
working = _thread.allocate_lock()  # while there is an answer to be found
ending = False  # the program; what is held then would never be freed


def let_end(pid=os.getpid()):
    global ending
    if os.getpid() == pid:
        ending = True
        working.acquire(timeout=END_S)


atexit.register(let_end)


class Clock:
    def __init__(self):
        self.until = time.thread_time() + LOOK_S

    def over(self):
        return ending or time.thread_time() > self.until


turns = []  # the one that is taken


def leave_in_child():
    """A child that is forked in the midst of a snapshot has no thread that would end it."""
    while turns:
        turns.pop().end()


os.register_at_fork(after_in_child=leave_in_child)


class Turn:
    """The interpreter's lock for longer than a few milliseconds: a training that went on would drop what is held here, and
    need memory for what takes its place. So its threads are let in for a moment only, but often; one that was not quick
    enough to take it asks for it itself after TURN_S. Python's collector rests meanwhile: it would go through the long lists
    that are made here, and run the program's code in this thread."""

    def __enter__(self):
        self.pause()
        self.collects = gc.get_threshold()
        gc.set_threshold(0, *self.collects[1:])
        self.rests = gc.get_threshold()
        turns.append(self)
        return self

    def __exit__(self, *_):
        turns.remove(self)
        self.end()

    def end(self):
        if gc.get_threshold() == self.rests:
            gc.set_threshold(*self.collects)
        self.give()

    def give(self):
        """As the program has set it, unless it does that now."""
        if sys.getswitchinterval() == self.set:
            sys.setswitchinterval(self.before)

    def pause(self):
        self.before = sys.getswitchinterval()
        self.hold(min(self.before, PAUSE_S))
        time.sleep(PAUSE_S)
        if sys.getswitchinterval() != self.set:
            self.before = sys.getswitchinterval()
        self.hold(TURN_S)
        self.since = time.monotonic()

    def hold(self, seconds):
        sys.setswitchinterval(seconds)
        self.set = sys.getswitchinterval()

    def step(self):
        """Between two calls of C."""
        if time.monotonic() - self.since > TURN_S / 2:
            self.give()
            self.pause()


# --- looking at objects without letting the program see it


def ask(call, arguments=()):
    """What a call of the collector's returns, one by one; it is called when the first is asked for."""
    return itertools.chain.from_iterable(itertools.starmap(call, (arguments,)))


is_none = functools.partial(operator.is_, None)


def refill(to, what):
    """The same once more, if need be."""
    return itertools.chain(map(list.clear, (to,)), fill(to, what))


def fill(to, what):
    """Puts it there when it is this step's turn; nothing comes of it."""
    return itertools.starmap(to.extend, ((what,),))


def last_piece(box, call):
    """Of the list in box, again and again."""
    return map(call, itertools.chain.from_iterable(itertools.repeat(box)), itertools.repeat(slice(-PIECE, None)))


def from_pieces(pieces):
    """What they have, one by one, until there is none; the None at the end leads past the last."""
    return itertools.chain.from_iterable(itertools.chain(itertools.takewhile(len, pieces), ((None,),)))


def listed(groups):
    """How many objects the collector has, and those whose type's id is in groups: a deque for each group. The collector's list
    is taken down from its end by pieces, which are let go while they are in the processor's cache: each is looked at, then
    taken."""
    box, count, found, nowhere = [], [], [collections.deque() for _ in GROUPS], collections.deque(maxlen=0)
    targets = {i: found[group] for i, group in groups.items()}
    looked_at = from_pieces(last_piece(box, operator.getitem))
    taken = zip(last_piece(box, operator.getitem), last_piece(box, operator.delitem))
    collections.deque(itertools.chain(
        fill(box, itertools.starmap(gc.get_objects, ((),))), fill(count, map(len, box)),
        map(collections.deque.append, map(targets.get, map(id, map(type, looked_at)), itertools.repeat(nowhere)),
            from_pieces(map(operator.itemgetter(0), taken)))), 0)
    return count[0], found


def key_of(holder, value_id):
    """(key,) under which a dict has this value; None."""
    keys = itertools.compress(dict.keys(holder), map(value_id.__eq__, map(id, dict.values(holder))))
    return next(zip(keys), None)


def references(holders):
    """Lists of what they refer to, not before they are asked for. One for all of them, where it has to be made: Python's
    collector begins to work when there are many new ones."""
    return holders if type(holders[0]) is list else itertools.starmap(gc.get_referents, (holders,))


def counts_of(holders):
    """How many references each has, likewise."""
    return map(len, holders if type(holders[0]) is list else map(gc.get_referents, holders))


def refers_to(holder, ids):
    """Which of these ids a holder refers to."""
    return frozenset(ids).intersection(map(id, ask(gc.get_referents, (holder,))))


locals_of = operator.attrgetter("f_locals")
values_of = operator.methodcaller("values")
keys_of = operator.methodcaller("keys")
items_of = operator.methodcaller("items")
LIVE_LOCALS = sys.version_info >= (3, 13)  # no copy of them is left in the frame
# Modules that run Python functions for each line, and give a frame's f_locals back to it.
TRACERS = ("bdb", "pydevd", "profile", "trace", "coverage")


def forgotten(frames):
    """Empties what asking for their variables has left in them, which would keep what the functions have long dropped; unless
    the program has asked for it too. Nothing but None comes of it."""
    if LIVE_LOCALS or any(name in sys.modules for name in TRACERS):
        return ()
    own = [f for f in frames if f.f_trace is None and sys.getrefcount(f.f_locals) <= 2]
    return map(dict.clear, map(locals_of, own))


def functions_only(frames):
    """The variables of others are those of a module or a class."""
    return [f for f in frames if f.f_code.co_flags & OPTIMIZED]


def local_values(frames):
    """The variables of each of these functions, in lists, not before they are asked for."""
    return map(list, map(values_of, map(locals_of, frames)))


def variables_of(frame):
    """What a function's variables are."""
    frames = functions_only((frame,))
    values = list(itertools.chain.from_iterable(local_values(frames)))
    collections.deque(forgotten(frames), 0)
    return values


def local_names(frame):
    """{id of a value: its name} of a function's variables."""
    frames = functions_only((frame,))
    pairs = itertools.chain.from_iterable(map(items_of, map(locals_of, frames)))
    return dict(filter(None, itertools.chain(with_ids(pairs), forgotten(frames))))


def with_ids(pairs):
    """(id of a value, its name) for (name, value)"""
    one, two = itertools.tee(pairs)
    return zip(map(id, map(operator.itemgetter(1), one)), map(operator.itemgetter(0), two))


numel_of = operator.methodcaller("numel")
element_size_of = operator.methodcaller("element_size")
grad_fn_of = operator.attrgetter("grad_fn")


class Gleaning:
    """What lists of references have of interest, found in one call of C: dicts, of which the collector does not list all,
    large objects, and tensors with a graph."""

    def __init__(self, lists, known, torch_ids, then):
        self.dicts = []
        self.large = []  # (id, bytes)
        self.graphs = []  # id
        self.others = []  # tensors that only Python code measures
        self.hits, self.kinds = [], []
        self.ids, self.flags = [], []  # of the hits; for each reference whether it is one
        box = []
        kinds = map(id, map(type, itertools.chain.from_iterable(box)))
        steps = [
            fill(box, lists),
            then,
            fill(self.flags, map(known.gleaned_ids.__contains__, kinds)),
            fill(self.hits, itertools.compress(itertools.chain.from_iterable(box), self.flags)),
            fill(self.ids, map(id, self.hits)),
            fill(self.kinds, map(id, map(type, self.hits))),
            fill(self.dicts, self.those(DICT_IDS)),
            self.sized(known.bulk_ids, map(sys.getsizeof, self.those(known.bulk_ids))),
            fill(self.others, self.those(known.tensor_ids)),
        ]
        if torch_ids:
            sizes = map(operator.mul, map(numel_of, self.those(torch_ids)), map(element_size_of, self.those(torch_ids)))
            graphs = map(operator.not_, map(is_none, map(grad_fn_of, self.those(torch_ids))))
            steps += [self.sized(torch_ids, sizes),
                      fill(self.graphs, itertools.compress(map(id, self.those(torch_ids)), graphs))]
        steps += [map(list.clear, (box, self.hits))]
        collections.deque(itertools.chain.from_iterable(steps), 0)

    def those(self, ids):
        return itertools.compress(self.hits, map(ids.__contains__, self.kinds))

    def sized(self, ids, sizes):
        known = []
        found = itertools.compress(zip(map(id, self.those(ids)), known), map(LARGE_BYTES.__le__, known))
        return itertools.chain(fill(known, sizes), fill(self.large, found))

    def unlisted(self):
        return list(itertools.filterfalse(gc.is_tracked, self.dicts))

    def where(self, ids, counts):
        """(which holder, which of its references, id) of those hits, by how many references each holder has."""
        ends = list(itertools.accumulate(counts))
        wanted = list(map(ids.__contains__, self.ids))
        at = list(itertools.compress(itertools.compress(itertools.count(), self.flags), wanted))
        holders = list(map(bisect.bisect_right, itertools.repeat(ends), at))
        begins = map(operator.sub, map(ends.__getitem__, holders), map(counts.__getitem__, holders))
        return list(zip(holders, map(operator.sub, at, begins), itertools.compress(self.ids, wanted)))


def glean(lists, known, then=tuple):
    """With what is to be known of the same moment. A tensor that cannot say how large it is must not hide the others."""
    try:
        return Gleaning(lists(), known, known.torch_ids, then())
    except Exception:
        return Gleaning(lists(), known, frozenset(), then())


# --- what may be asked of an object without running the program's code


def module_value(module, name):
    """Of a module that is there already; None without."""
    found = sys.modules.get(module)
    if found is None or not issubclass(type(found), types.ModuleType):
        return None
    return module_dict_of(found).get(name)


def known_type(module, name):
    found = module_value(module, name)
    return found if issubclass(type(found), type) else None


def measure_array(value):
    """NumPy: an array that is a view keeps the whole of what it looks at."""
    whole, ndarray = value, type(value)
    for _ in range(4):
        if type(whole.base) is not ndarray:
            break
        whole = whole.base
    return whole.nbytes, "%s %s" % (value.dtype.name, shape_text(value.shape)), ""


def measure_torch(value):
    return value.numel() * value.element_size(), "%s %s" % (
        str(value.dtype).replace("torch.", ""), shape_text(tuple(value.shape))), str(value.device)


def measure_tensorflow(value):
    count = 1
    for n in value.shape:
        count *= n
    device = "gpu:" + value.device.rpartition(":")[2] if "GPU" in value.device else "cpu"
    return count * value.dtype.size, "%s %s" % (value.dtype.name, shape_text(tuple(value.shape))), device


def measure_jax(value):
    device = next(iter(value.devices()))
    return value.nbytes, "%s %s" % (value.dtype.name, shape_text(value.shape)), "%s:%d" % (device.platform, device.id)


def measure_bytes(value):
    return sys.getsizeof(value), "", ""


def shape_text(shape):
    return "x".join(map(str, shape)) if len(shape) else "scalar"


class Known:
    """The types that may be measured, as of now: {id of the type: how}."""

    def __init__(self):
        self.measures = {id(t): measure_bytes for t in (bytes, bytearray, str, array.array)}
        for module, name, how in (
            ("numpy", "ndarray", measure_array),
            ("torch", "Tensor", measure_torch),
            ("torch.nn.parameter", "Parameter", measure_torch),
            ("tensorflow.python.framework.ops", "EagerTensor", measure_tensorflow),
            ("tensorflow.python.ops.resource_variable_ops", "ResourceVariable", measure_tensorflow),
            ("jax._src.array", "ArrayImpl", measure_jax),
        ):
            found = known_type(module, name)
            if found is not None:
                self.measures[id(found)] = how
        self.array = known_type("numpy", "ndarray")
        self.tensor = known_type("torch", "Tensor")
        self.tensor_id = id(self.tensor) if self.tensor is not None else 0
        # Of these the size that Python gives is that of the data; of a view it is not, but what it looks at is one itself.
        self.bulk_ids = frozenset(i for i, how in self.measures.items() if how in (measure_bytes, measure_array)) - {id(str)}
        self.torch_ids = frozenset(i for i, how in self.measures.items() if how is measure_torch)
        self.tensor_ids = frozenset(self.measures) - self.bulk_ids - self.torch_ids - {id(str)}
        self.gleaned_ids = self.bulk_ids | self.torch_ids | self.tensor_ids | DICT_IDS

    def measure(self, value):
        """(bytes, "float32 3000x50", device), or None if it is nothing known."""
        how = self.measures.get(id(type(value)))
        if how is None:
            return None
        try:
            return how(value)
        except Exception:  # a tensor of a kind without storage, one that was deleted
            return 0, "", ""

    def graph_of(self, value):
        """The node that computed a tensor, which keeps all those before it; None without."""
        if id(type(value)) != self.tensor_id:
            return None
        try:
            return value.grad_fn
        except Exception:
            return None


def referrers_of(values, changing, below, above, inside):
    """Who refers to these into below, but for what may be changing; (id, ids of elements) of the tuples that do into inside,
    and who refers to those into above. In one call of C."""
    box, kinds, tuples, higher = [], [], [], []
    steady = map(operator.not_, map(changing.__contains__, kinds))
    above_kinds = map(id, map(type, higher))
    collections.deque(itertools.chain(
        fill(box, ask(gc.get_referrers, values)),
        fill(kinds, map(id, map(type, box))),
        fill(below, itertools.compress(box, steady)),
        fill(tuples, itertools.compress(box, map(TUPLE_IDS.__contains__, kinds))),
        fill(inside, zip(map(id, tuples), map(list, map(map, itertools.repeat(id), tuples)))),
        fill(higher, itertools.chain.from_iterable(itertools.starmap(gc.get_referrers, filter(None, (tuples,))))),
        fill(above, itertools.compress(higher, map(operator.not_, map(changing.__contains__, above_kinds)))),
        map(list.clear, (box, tuples, higher))), 0)


def length_of(value):
    kind = type(value)
    if id(kind) in EXACT_IDS:
        return len(value)
    for base, length in LENGTHS:
        if issubclass(kind, base):
            return length(value)
    return 0


def kind_of(value):
    for base, _ in LENGTHS:
        if issubclass(type(value), base):
            return base.__name__
    return "object"


def type_name(kind):
    name = qualname_of(kind)
    return clean(name.replace("<locals>.", "")) if type(name) is str else "?"


def is_class_made(kind):
    return bool(flags_of(kind) & HEAP_TYPE)


def clean(text):
    return "".join(c if c.isprintable() else "?" for c in text[:TEXT_MAX])


def newest(value, count):
    """The last elements of a container, keys of a dict among them; of a set, any. One call of C each: nobody changes it
    meanwhile."""
    kind = kind_of(value)
    try:
        if kind == "list":
            return list.__getitem__(value, slice(-count, None))
        if kind == "deque":
            return list(itertools.islice(collections.deque.__reversed__(value), count))
        if kind == "set":
            return list(itertools.islice(set.__iter__(value), count))
        return list(itertools.islice(reversed(dict.values(value)), count))
    except RuntimeError:
        return []


def newest_keys(value, count):
    if kind_of(value) != "dict":
        return []
    try:
        return list(itertools.islice(reversed(dict.keys(value)), count))
    except RuntimeError:
        return []


def oldest(value):
    kind = kind_of(value)
    try:
        if kind == "list":
            return list.__getitem__(value, slice(0, 1))
        if kind == "deque":
            return list(itertools.islice(collections.deque.__iter__(value), 1))
        if kind == "dict":
            return list(itertools.islice(iter(dict.values(value)), 1))
    except RuntimeError:
        pass
    return []


# --- how much an object keeps

SKIPPED = (types.ModuleType, types.CodeType, types.BuiltinFunctionType)
SKIPPED_IDS = frozenset(map(id, SKIPPED))
DEEP_OBJECTS = 4000  # that are looked at for one element


def own_size(value):
    kind = type(value)
    if is_class_made(kind):
        return object.__sizeof__(value)
    try:
        return sys.getsizeof(value)
    except Exception:
        return 0


def kept_by(value):
    """What an object leads to that it may be alone to keep: of a function what it closes over and its default arguments, of a
    frame that has ended, as an exception's, its variables; of what has very many elements, some."""
    kind = type(value)
    if kind is types.FunctionType:
        return [one for one in (value.__closure__, value.__defaults__, value.__kwdefaults__) if one]
    if kind is types.FrameType:
        return [] if any(value is running for running in frames()) else variables_of(value)
    if length_of(value) > LOOKED_INTO:
        return newest(value, SAMPLE)
    return gc.get_referents(value)


def deep_size(value, known, seen):
    """(bytes, {device: bytes}) of an object and what it alone leads to; what is in seen is not counted again."""
    total, devices, todo, looked = 0, {}, [(value, 1)], 0
    while todo and looked < DEEP_OBJECTS:
        one, times = todo.pop()
        kind = type(one)
        if id(one) in seen or id(kind) in SKIPPED_IDS or issubclass(kind, type):
            continue
        seen.add(id(one))
        looked += 1
        size, _, device = known.measure(one) or (own_size(one), "", None)
        if device in ("", "cpu", None):
            total += size * times
        else:
            devices[device] = devices.get(device, 0) + size * times
        if device is None:
            below = kept_by(one)
            todo.extend(zip(below, itertools.repeat(times * max(1, length_of(one) / len(below)) if below else 1)))
    return int(total), {device: int(size) for device, size in devices.items()}


class Growth:
    """A container that grew, and by what."""

    def __init__(self, value, lengths, known):
        self.value = value
        self.count = lengths[-1] - lengths[0]
        self.kind = kind_of(value)
        elements = newest(value, min(self.count, SAMPLE))
        self.of, self.detail, self.graph = "", "", False
        self.bytes, self.devices = 0, {}
        self.weak = False
        if elements:
            self.look_at(elements, known)

    def look_at(self, elements, known):
        first = elements[0] if self.kind != "list" else elements[-1]
        measured = known.measure(first)
        self.of = type_name(type(first))
        self.weak = issubclass(type(first), weakref.ref) and (type(first) is not weakref.ref or first.__callback__ is None)
        if measured is not None:
            self.detail = measured[1]
        self.graph = known.graph_of(first) is not None
        self.quick = sum((known.measure(e) or (own_size(e),))[0] for e in elements) * self.count / len(elements)

    def measure(self, known):
        """What old elements lead to as well is not new."""
        seen = {id(self.value)}
        for old in oldest(self.value):
            if length_of(self.value) > self.count:
                deep_size(old, known, seen)
        elements = newest(self.value, min(self.count, SAMPLE))
        for e in elements + newest_keys(self.value, min(self.count, SAMPLE)):
            size, devices = deep_size(e, known, seen)
            self.bytes += size
            for device, n in devices.items():
                self.devices[device] = self.devices.get(device, 0) + n
        scale = self.count / max(1, len(elements))
        own = own_size(self.value) / max(1, length_of(self.value))
        self.bytes = int(self.bytes * scale + own * self.count)
        self.devices = {d: int(n * scale) for d, n in self.devices.items()}


# --- names

def attributes_of(value):
    """The __dict__ of an object by its type's own getter; None without one, or if the program has put another in its
    place."""
    for kind in mro_of(type(value)):
        getter = namespace_of(kind).get("__dict__")
        if getter is not None:
            break
    if type(getter) is not types.GetSetDescriptorType:
        return None
    try:
        found = getter.__get__(value)
    except Exception:
        return None
    return found if type(found) is dict else None


def slot_of(holder, value_id):
    """The name of the slot of an object that holds this value; None."""
    for kind in mro_of(type(holder)):
        for name, member in list(namespace_of(kind).items()):
            if type(member) is types.MemberDescriptorType:
                try:
                    if value_id in map(id, map(member.__get__, (holder,))):
                        return name
                except Exception:
                    continue
    return None


def key_text(key):
    if type(key) is str:
        return "[%r]" % clean(key[:40])
    if id(type(key)) in PLAIN_KEYS:
        return "[%r]" % (key,)
    return "[...]"


def code_place(code):
    return "%s:%d" % (clean(os.path.basename(code.co_filename)), code.co_firstlineno)


def function_name(function):
    return clean(function.__qualname__.replace("<locals>.", ""))


class Way:
    """How a value is reached: from an object, by a text such as "['loss'][...]"."""

    def __init__(self, target, value_id, value, text="", key=None, rest="", below=None):
        self.target = target  # the id of what is to be named
        self.id, self.value = value_id, value  # of the object reached; value None: it must not be held
        self.text = text  # from it down to the target
        self.key, self.rest = key, rest  # the first step of that, if the object is a dict, and what follows
        self.below = below  # the way that it goes on

    def up(self, holder, text, key=None):
        return Way(self.target, id(holder), holder, text + self.text, key, self.text, self)

    def up_tuple(self, tuple_id):
        return Way(self.target, tuple_id, None, self.text, None, self.text, self)


class Names:
    """Who refers to objects, step by step, until each has a name that a person finds in the source."""

    def __init__(self, shot, clock):
        self.shot = shot
        self.own = {id(globals())}  # ids of what the agent itself holds objects in
        self.clock = clock
        self.passing = {}  # names by a library's local variable: good where there is no other
        self.found = {}  # id of a target: (name, place)
        self.ways = []
        self.own_codes = None
        self.locals = self.find_locals()

    def find_locals(self):
        found = {}
        for frame in frames():
            code = frame.f_code
            for value_id, name in local_names(frame).items():
                found.setdefault(value_id, (name, code))
        return found

    def leave_out(self, *holders):
        self.own.update(map(id, holders))

    def begin_with(self, values):
        self.ways += [Way(id(v), id(v), v) for v in values]

    def begin_above(self, pairs):
        """The same of objects that are not held, but whose places are known: (id, place) each."""
        best = {}
        for i, place in pairs:
            holder = self.shot.places[place][1]
            if type(holder) is types.FrameType:
                self.offer_local(Way(i, i, None), place[1], holder.f_code, best)
            else:
                self.relate(holder, Way(i, self.still_at(place), None), best, self.ways)
        self.take(best)

    def still_at(self, place):
        """The id of what is there: what has been looked at may have been replaced since. Attributes of an object may have moved
        instead."""
        for _ in range(TRIES):
            value_id, holder = self.shot.places[place]
            if id(type(holder)) not in EXACT_IDS or refers_to(holder, {value_id}):
                break
            self.shot.value_at(place)
        return self.shot.places[place][0]

    def find(self, steps=STEPS):
        """{id of a value: (name, place)} of those that have one."""
        for _ in range(steps):
            self.ways = [w for w in self.ways if w.target not in self.found]
            if not self.ways or self.clock.over():
                break
            self.ways = self.step(self.ways)
        return {**self.passing, **self.found}

    def take(self, best):
        for target, (_, name, place) in best.items():
            self.found[target] = (clean(name), place)

    def step(self, ways):
        by_id, best, further = {}, {}, []
        for way in ways:
            by_id.setdefault(way.id, []).append(way)
        ids = frozenset(itertools.islice(by_id, FRONTIER))
        self.offer_locals(ways, best)
        self.leave_out(by_id, ways, self.ways, vars(self), *by_id.values(), *map(vars, ways))
        for holder, reached in self.holders([by_id[i][0].value for i in ids], by_id):
            if id(holder) in self.own or self.clock.over():
                continue
            for i in refers_to(holder, reached.keys()):
                for way in reached[i]:
                    self.relate(holder, way, best, further)
        for way in ways:
            self.relate_functions(way, best)
        self.take(best)
        return further[: 4 * FRONTIER]

    def holders(self, values, by_id):
        """(holder, {id: ways of what it may refer to}): who refers to these, and to the tuples that do. A tuple that somebody
        else refers to is complete."""
        below, above, inside = [], [], []
        self.leave_out(values, below, above, inside)
        referrers_of(values, self.shot.changing, below, above, inside)
        tuples = {}
        for i, elements in inside:
            ways = [w.up_tuple(i) for e in by_id.keys() & elements for w in by_id[e]]
            if ways:
                tuples[i] = ways
        return itertools.chain(zip(below, itertools.repeat(by_id)), zip(above, itertools.repeat(tuples)))

    def offer_locals(self, ways, best):
        for way in ways:
            here = self.locals.get(way.id)
            if here is None:
                continue
            self.offer_local(way, *here, best)

    def offer_local(self, way, variable, code, best):
        name, place = local_text(variable, way.text, code), code_place(code)
        if is_library(code.co_filename):
            self.passing.setdefault(way.target, (clean(name), place))
        else:
            offer(best, way.target, (3, name, place))

    def relate(self, holder, way, best, further):
        """One who refers to what has been reached: it gives the name, or is the next to be asked for."""
        kind = type(holder)
        if id(kind) in self.shot.agents:
            return
        if issubclass(kind, dict):
            self.relate_dict(holder, way, best, further)
        elif kind is types.FunctionType:
            if way.key is not None and way.id == id(holder.__dict__):
                name = "%s.%s%s" % (function_name(holder), way.key, way.rest)
                offer(best, way.target, (2, name, code_place(holder.__code__)))
        elif kind is LRU_CACHE:
            relate_cache(holder, way, best)
        elif id(kind) in GENERATOR_IDS:
            relate_generator(holder, way, best)
        elif issubclass(kind, type):
            if way.key is not None and refers_to(namespace_of(holder), {way.id}):
                offer(best, way.target, (1, "%s.%s%s" % (type_name(holder), way.key, way.rest), ""))
        elif kind is types.CellType or kind is types.MethodType or kind is functools.partial:
            further.append(way.up(holder, ""))
        elif issubclass(kind, SEQUENCES):
            further.append(way.up(holder, "" if kind is tuple else "[...]"))
        elif is_class_made(kind):
            self.relate_instance(holder, way, best, further)

    def relate_dict(self, holder, way, best, further):
        key = key_of(holder, way.id)
        if key is None:
            return
        module = module_with(holder)
        if module is None:
            further.append(way.up(holder, key_text(key[0]), key[0]))
        elif type(key[0]) is str:
            offer(best, way.target, (0 if module == "__main__" else 2, "%s.%s%s" % (module, key[0], way.text), ""))

    def relate_instance(self, holder, way, best, further):
        name, rest = slot_of(holder, way.id) or self.attribute_of(holder, way.id), way.text
        attributes = attributes_of(holder) if name is None else None
        if attributes is not None and id(attributes) == way.id:
            name, rest = way.key, way.rest
        elif attributes is not None:
            name = (key_of(attributes, way.id) or (None,))[0]
        if type(name) is str:
            offer(best, way.target, (1, "%s.%s%s" % (type_name(type(holder)), name, rest), ""))
        elif attributes is None or id(attributes) != way.id:
            further.append(way.up(holder, ""))

    def attribute_of(self, holder, value_id):
        """The name of an attribute that code of the program speaks of and no class defines. Asking for __dict__ instead would
        make one for good in CPython 3.11 and 3.12, and move all attributes."""
        namespaces = list(map(namespace_of, mro_of(type(holder))))
        codes = [one.__code__ for names in namespaces for one in list(names.values()) if type(one) is types.FunctionType]
        for name in dict.fromkeys(itertools.chain.from_iterable(code.co_names for code in codes + self.codes())):
            if any(name in names for names in namespaces):
                continue
            try:
                if value_id in map(id, map(object.__getattribute__, (holder,), (name,))):
                    return name
            except Exception:
                continue
        return None

    def codes(self):
        """Of functions that run, and of the program's own."""
        if self.own_codes is None:
            self.own_codes = [frame.f_code for frame in frames()] + [f.__code__ for f in self.shot.own_functions()]
        return self.own_codes

    def relate_functions(self, way, best):
        """Closures and default arguments are in tuples of functions."""
        if way.value is None or way.target in best:
            return
        for function in self.shot.functions_with_cell() if type(way.value) is types.CellType else self.shot.own_functions():
            cells, code = function.__closure__ or (), function.__code__
            defaults = function.__defaults__ or ()
            named = function.__kwdefaults__
            if type(way.value) is types.CellType:
                for name, cell in zip(code.co_freevars, cells):
                    if cell is way.value:
                        text = "%s%s, closure of %s()" % (name, way.below.text, function_name(function))
                        offer(best, way.target, (2, text, code_place(code)))
            elif any(one is way.value for one in defaults) or named is way.value and named is not None:
                text = "a default argument of %s()%s" % (function_name(function), way.text)
                offer(best, way.target, (2, text, code_place(code)))


def module_with(names):
    """The name of the module, or of the code that was run by exec(), whose variables are in this dict; None."""
    name = names.get("__name__") if type(names) is dict else None
    if type(name) is not str:
        return None
    module = sys.modules.get(name)
    is_its_own = issubclass(type(module), types.ModuleType) and module_dict_of(module) is names
    return name if is_its_own or "__builtins__" in names else None


def local_text(name, text, code):
    return "%s%s, local of %s()" % (name, text, clean(code_name(code)))


def relate_cache(holder, way, best):
    wrapped = (attributes_of(holder) or {}).get("__wrapped__")
    if type(wrapped) is types.FunctionType and type(way.value) is dict:
        text = "the lru_cache of %s()%s" % (function_name(wrapped), way.text)
        offer(best, way.target, (1, text, code_place(wrapped.__code__)))


def relate_generator(holder, way, best):
    frame = getattr(holder, "gi_frame", None) or getattr(holder, "cr_frame", None) or getattr(holder, "ag_frame", None)
    name = local_names(frame).get(way.id) if frame is not None else None
    if name is not None:
        offer(best, way.target, (2, local_text(name, way.text, frame.f_code), code_place(frame.f_code)))


def offer(best, target, name):
    if target not in best or name[:2] < best[target][:2]:
        best[target] = name


def code_name(code):
    return getattr(code, "co_qualname", code.co_name).replace("<locals>.", "")


# --- a snapshot


def classes_from(base):
    """It and all that derive from it, by id: without asking one for its hash."""
    found, todo = {id(base): base}, [base]
    while todo:
        for kind in type.__subclasses__(todo.pop()):
            if id(kind) not in found:
                found[id(kind)] = kind
                todo.append(kind)
    return found


def is_standard(kind):
    module = module_of(kind)
    return type(module) is str and (module == __name__ or module.partition(".")[0] in STANDARD)


def place_of(holder, which, count):
    """(id of the holder, which of its references); of a generator from its end, where its variables are: the first change when
    they are asked for."""
    return id(holder), which - count if id(type(holder)) in GENERATOR_IDS else which


def groups_of(made, derived):
    """{id of a type: its group} of what is looked at in the collector's list."""
    groups = dict.fromkeys(itertools.chain(made, CELL_IDS), OTHER)
    groups.update(dict.fromkeys(derived, DERIVED))
    groups.update({id(kind): {list: LIST, dict: DICT}.get(kind, PLAIN) for kind in EXACT})
    return groups


class Snapshot:
    """One look at all objects; holds them until it lets go of them. The first keeps what each is like; the next look only at
    what may have grown since."""

    def __init__(self, known):
        changing = (tuple, frozenset) if known.array is None else (tuple, frozenset, known.array)
        self.changing = frozenset(itertools.chain.from_iterable(map(classes_from, changing)))
        self.made = {i: kind for i, kind in classes_from(object).items()
                     if i not in self.changing and is_class_made(kind) and not is_standard(kind)}
        self.agents = frozenset(map(id, (Way, Names, Growth, Single, Known, Memory, Clock, Snapshot, Gleaning, Graphs)))
        self.ids, self.lengths = array.array("Q"), array.array("Q")  # of containers, in the first
        self.before = {}  # {id: length}, in the next
        self.grown = {}  # id: (container, its length)
        self.rooms = array.array("Q")  # ids of those that had what is known by its place, in the first
        self.looked_into = frozenset(memory.rooms)
        self.classes = frozenset(place[0] for place in memory.sizes if place[-1] == "all")
        self.counts = {}  # id of a type: its objects, of those that are listed and no plain container
        self.places = {}  # place: (id of the object there, its holder)
        self.sizes, self.nodes = {}, {}  # place: bytes of a large object, nodes of a graph
        self.heads, self.chained = {}, set()  # place: the number of a graph's first node; graphs that have the last ones in them
        self.holders = {}  # place of a class: how many of its objects have a large one there
        self.unlisted = {}  # id: a dict that the collector does not list
        self.functions = self.program = None
        derived = frozenset(itertools.chain.from_iterable(classes_from(base) for base, _ in LENGTHS)) - EXACT_IDS
        self.moment = time.monotonic_ns()
        self.objects, self.listed = listed(groups_of(self.made, derived))

    def look(self, known, turn):
        """A few at a time: what they are is in the processor's cache then when their references are asked for."""
        self.before = memory.lengths_before(turn)
        for group, those in enumerate(self.listed):
            those = iter(those)
            for _ in range(0, len(self.listed[group]), AT_ONCE):
                self.look_at(list(itertools.islice(those, AT_ONCE)), group, known)
                turn.step()
        self.look_at_functions(known)
        unlisted = list(self.unlisted.values())
        for i in range(0, len(unlisted), AT_ONCE):
            self.look_at(unlisted[i : i + AT_ONCE], DICT, known)
            turn.step()
        self.look_at_classes()

    def look_at(self, some, group, known):
        if group >= DERIVED:
            kinds = list(map(id, map(type, some)))
            count_elements(self.counts, kinds)
            some = self.worth_looking(some, kinds)
        if group <= DERIVED:
            lengths = list(map(length_of if group == DERIVED else len, some))
            some, lengths = list(itertools.compress(some, lengths)), list(filter(None, lengths))
            self.add_containers(some, lengths)
            if lengths and max(lengths) > LOOKED_INTO:
                some = list(itertools.compress(some, map(LOOKED_INTO.__ge__, lengths)))
            if group < DERIVED:
                some = self.worth_looking(some)
        if some:
            self.look_below(some, known)

    def add_containers(self, containers, lengths):
        """What is empty has not grown, nor will it have grown each time."""
        if memory.taken == 0:
            self.ids.extend(map(id, containers))
            self.lengths.extend(lengths)
            return
        was = list(map(self.before.get, map(id, containers), itertools.repeat(NEVER)))
        more = list(map(operator.lt, was, lengths))
        if True in more:
            for one, length in zip(itertools.compress(containers, more), itertools.compress(lengths, more)):
                self.grown[id(one)] = one, length

    def worth_looking(self, some, kinds=()):
        """Where something was found the first time, and objects of classes of which all are looked at."""
        if memory.taken == 0:
            return some
        there = map(self.looked_into.__contains__, map(id, some))
        if not self.classes.isdisjoint(kinds):
            there = map(operator.or_, there, map(self.classes.__contains__, kinds))
        return list(itertools.compress(some, there))

    def look_below(self, holders, known):
        """Dicts of what is no container are not in the collector's list before 3.14; bytes, arrays and tensors of some
        kinds never."""
        counts = []
        gleaned = glean(lambda: references(holders), known, lambda: refill(counts, counts_of(holders)))
        self.take(gleaned, holders, known, counts, lambda k, which: place_of(holders[k], which, counts[k]))

    def look_at_functions(self, known):
        """Default arguments, and the variables of functions that run."""
        defaults = [f.__defaults__ for f in self.own_functions() if f.__defaults__]
        self.add_unlisted(glean(lambda: map(list, defaults), known).unlisted())
        self.look_at_variables(functions_only(frames()), known)

    def look_at_variables(self, running, known):
        """The place of one is (id of the code, its name)."""
        names = []
        gleaned = glean(lambda: local_values(running), known, lambda: itertools.chain(
            refill(names, map(list, map(keys_of, map(locals_of, running)))), forgotten(running)))
        self.take(gleaned, running, known, list(map(len, names)), lambda k, which: (id(running[k].f_code), names[k][which]))

    def add_unlisted(self, dicts):
        self.unlisted.update(zip(map(id, dicts), dicts))

    def take(self, gleaned, holders, known, counts, place_of):
        unlisted = gleaned.unlisted()
        self.add_unlisted(unlisted)
        sizes = dict(gleaned.large)
        for one in gleaned.others:
            size = known.measure(one)[0]
            if size >= LARGE_BYTES:
                sizes[id(one)] = size
        graphs = frozenset(gleaned.graphs)
        if sizes or graphs or unlisted and memory.taken == 0:
            found = gleaned.where(frozenset(itertools.chain(map(id, unlisted), sizes, graphs)), counts)
            self.rooms.extend(map(id, map(holders.__getitem__, frozenset(map(operator.itemgetter(0), found)))))
            for k, which, value_id in found if sizes or graphs else ():
                if value_id in sizes or value_id in graphs:
                    self.take_place(place_of(k, which), value_id, holders[k], sizes, graphs)

    def take_place(self, place, value_id, holder, sizes, graphs):
        self.places[place] = value_id, holder
        if value_id in sizes:
            self.sizes[place] = sizes[value_id]
        if value_id in graphs:
            self.nodes[place] = 0

    def look_at_classes(self):
        """Where the holder is another, too, as the state of a dataclass that is replaced, or one of a chain: what all objects of
        a class hold, at the place (id of the class, which reference, "all")."""
        largest = {}
        for place, size in list(self.sizes.items()):
            value_id, holder = self.places[place]
            if id(type(holder)) in self.made:
                every = id(type(holder)), place[1], "all"
                self.sizes[every] = self.sizes.get(every, 0) + size
                self.holders[every] = self.holders.get(every, 0) + 1
                if size > largest.get(every, 0):
                    largest[every], self.places[every] = size, (value_id, holder)

    def value_at(self, place):
        """What is there now, which may be another already; None. In one call of C: the program may be about to replace it."""
        holder, which = self.places[place][1], place[1]
        if type(holder) is types.FrameType:
            value = next(map(operator.methodcaller("get", which), map(locals_of, (holder,))))
            collections.deque(forgotten((holder,)), 0)
        else:
            which += next(counts_of([holder])) if which < 0 else 0
            value = next(itertools.islice(itertools.chain.from_iterable(references([holder])), max(which, 0), None), None)
        self.places[place] = id(value), holder
        return value

    def leave_out(self, *holders):
        """What the agent itself has made."""
        for one in holders:
            self.grown.pop(id(one), None)

    def let_go(self):
        """Of all objects. The lists have themselves among them: nobody else would free them soon."""
        for those in self.listed:
            those.clear()
        self.unlisted = self.grown = self.ids = self.lengths = self.before = self.places = None

    def own_functions(self):
        if self.program is None:
            self.program = list(own_functions())
        return self.program

    def functions_with_cell(self):
        if self.functions is None:
            self.functions = [f for f in listed({id(types.FunctionType): OTHER})[1][OTHER] if f.__closure__]
        return self.functions


LIBRARIES = ("/site-packages/", "/dist-packages/", os.path.dirname(os.__file__) + "/", "<frozen")


def is_library(file):
    return any(part in file for part in LIBRARIES)


def own_functions():
    """Of the program's own modules and their classes: a default argument may be a memo."""
    for module in list(sys.modules.values()):
        if not issubclass(type(module), types.ModuleType):
            continue
        names = module_dict_of(module)
        file = names.get("__file__")
        if type(file) is not str or is_library(file):
            continue
        for value in list(names.values()):
            if type(value) is types.FunctionType:
                yield value
            elif issubclass(type(value), type):
                yield from (one for one in list(namespace_of(value).values()) if type(one) is types.FunctionType)


def frames():
    """Of all threads but this one, whose frame would keep itself, and all that it has, if it were held here."""
    threads = sys._current_frames()
    threads.pop(_thread.get_ident(), None)
    for frame in list(threads.values()):
        for _ in range(FRAMES_MAX):
            if frame is None:
                break
            yield frame
            frame = frame.f_back


# --- from one snapshot to the next


def keep_grown(shot):
    """Lengths of the containers that have grown each time; from the second snapshot on there are few."""
    memory.ids, memory.lengths = shot.ids, shot.lengths
    memory.grown = {i: (*memory.grown.get(i, (shot.before[i],)), now) for i, (_, now) in shot.grown.items()}


def more_each_time(before, now):
    """{key: figures so far} of those that are more than at the last snapshot."""
    if memory.taken == 0:
        return {key: (n,) for key, n in now.items()}
    return {key: was + (now[key],) for key, was in before.items() if now.get(key, 0) > was[-1]}


def keep_figures(shot):
    memory.counts = more_each_time(memory.counts, {i: n for i, n in shot.counts.items() if i in shot.made})
    memory.sizes = more_each_time(memory.sizes, shot.sizes)
    memory.holders = more_each_time(memory.holders, shot.holders)
    memory.nodes = more_each_time(memory.nodes, shot.nodes)
    memory.heads = shot.heads
    if memory.taken > 0:
        memory.chained = shot.chained if memory.chained is None else memory.chained & shot.chained


def follow(shot, figures):
    """Looking for names may have given an object a __dict__, to which its attributes have moved."""
    for place in list(figures):
        value_id, holder = shot.places[place]
        if id(type(holder)) not in shot.made or refers_to(holder, {value_id}):
            continue
        attributes = attributes_of(holder) or {}
        ids = list(map(id, ask(gc.get_referents, (attributes,))))
        if value_id in ids:
            moved = id(attributes), ids.index(value_id)
            figures[moved] = figures.pop(place)
            memory.rooms.append(id(attributes))
            if place in memory.heads:
                memory.heads[moved] = memory.heads.pop(place)
                memory.chained |= {moved} if place in memory.chained else set()


def is_even(figures):
    """Batches of any length are larger twice in a row by chance, and by more one time than the other."""
    steps = [b - a for a, b in zip(figures, figures[1:])]
    return max(steps) <= EVEN * min(steps)


def describe(value, known):
    """(type, "float32 30x50", device)"""
    return (type_name(type(value)), *(known.measure(value) or (0, "", ""))[1:])


def count_nodes(shot, known, clock):
    """Of the tensors that no other's graph leads to; the longest are kept."""
    tensors, before = {}, {}
    for place in shot.nodes:
        one = shot.value_at(place)
        tensors[id(one)] = one
        if place in memory.nodes:
            before[id(one)] = memory.heads[place], memory.nodes[place][-1]
    graphs = Graphs(clock)
    graphs.count(tensors, before, known)
    most = sorted(graphs.sizes.values(), reverse=True)[:SINGLES]
    at = {place: shot.places[place][0] for place in shot.nodes}
    shot.nodes = {place: graphs.sizes[i] for place, i in at.items() if graphs.sizes.get(i, 0) > 0 and graphs.sizes[i] >= most[-1]}
    shot.heads = {place: graphs.heads[at[place]] for place in shot.nodes}
    shot.chained = {place for place in shot.nodes if at[place] in graphs.chained}


class Graphs:
    """How many nodes the graphs of tensors have. PyTorch numbers them as they are made: below the head of a graph that was
    counted in an earlier snapshot nothing is new, so that the longest of graphs is known by what is new in it."""

    def __init__(self, clock):
        self.clock = clock
        self.owner = {}  # number of a node: the tensor whose graph it was found in
        self.kept = []  # nodes without a number, which are known by their id
        self.order = itertools.count()
        self.sizes = {}  # id of a tensor: nodes; 0 if it is a part of another's
        self.heads = {}  # id of a tensor: the number of its own node
        self.chained = set()  # tensors whose graph has that of the last snapshot in it

    def number(self, node):
        """None of a parameter's, which is a part of many graphs."""
        try:
            number = node._sequence_nr()
        except Exception:
            self.kept.append(node)
            return id(node)
        return number if number < NEVER else None

    def count(self, tensors, before, known):
        for i, one in tensors.items():
            head = known.graph_of(one)
            number = None if head is None else self.number(head)
            if number is None or number in self.owner or self.is_over():
                continue
            self.heads[i] = number
            last, nodes = before.get(i, (None, 0))
            if number == last:
                self.sizes[i] = nodes
                continue
            found = self.walk(head, i, last)
            self.sizes[i] = found + nodes if i in self.chained else found

    def is_over(self):
        return len(self.owner) > NODES_MAX or self.clock.over()

    def walk(self, head, i, last):
        """Nodes from a tensor's own down to the last one's, the oldest first: what leads down a chain, step by step, is found
        before all that hangs on it. A graph that was walked before and is a part of this one, with its head, counts here
        from now on."""
        todo, count = [], 0
        self.put(todo, head)
        while todo and len(self.owner) <= NODES_MAX:
            number, _, node = heapq.heappop(todo)
            if number == last:
                self.chained.add(i)
            elif last is not None and number < last and not self.kept:
                continue
            elif number in self.owner:
                other = self.owner[number]
                if other != i and number == self.heads[other]:
                    count, self.sizes[other] = count + self.sizes[other], 0
            else:
                self.owner[number] = i
                count += 1
                self.put_next(todo, node)
        return count

    def put(self, todo, node):
        number = self.number(node)
        if number is not None:
            heapq.heappush(todo, (number, next(self.order), node))

    def put_next(self, todo, node):
        try:
            following = [one for one, _ in node.next_functions if one is not None]
        except Exception:
            return
        for one in following:
            self.put(todo, one)


# --- the answer


def growing_containers(values, known):
    grown = [Growth(one, memory.grown[id(one)], known) for one in values]
    grown = [g for g in grown if g.of and not g.weak]
    grown.sort(key=lambda g: (g.graph, g.quick), reverse=True)
    grown = grown[:NAMES_MAX]
    for g in grown:
        g.measure(known)
    return grown


def container_lines(grown, names):
    for g in grown:
        name, place = names.get(id(g.value), ("", ""))
        for device, size in [("", g.bytes), *g.devices.items()]:
            if size or not g.devices:
                yield ("name", name, g.kind, g.of, g.detail, device, g.count, size, int(g.graph), 0, place)


class Single:
    """An object that is replaced by ever larger ones, or a tensor by ones with ever longer graphs."""

    def __init__(self, value_id):
        self.id = value_id
        self.bytes = self.nodes = 0
        self.holders_more = 0  # one in each of so many objects more, instead of one that gets larger
        self.of_class = True  # all places are those of classes
        self.what = ("?", "", "")
        self.places = []


def growing_singles(shot, known):
    """By what they are now; several places may have the same."""
    found = {}
    for figures, attribute in ((memory.sizes, "bytes"), (memory.nodes, "nodes")):
        rising = [(was[-1] - was[0], place) for place, was in figures.items() if is_even(was) or place in memory.chained]
        for more, place in heapq.nlargest(SINGLES, rising, key=operator.itemgetter(0)):
            value = shot.value_at(place)
            value_id = shot.places[place][0]
            single = found.setdefault(value_id, Single(value_id))
            setattr(single, attribute, max(more, getattr(single, attribute)))
            single.of_class = single.of_class and place[-1] == "all"
            if place in memory.holders:
                single.holders_more = memory.holders[place][-1] - memory.holders[place][0]
            single.places.append(place)
            single.what = describe(value, known)
    return list(found.values())


def single_lines(singles, names, kept_bytes):
    """But what containers keep is named by them, not by the class of their elements."""
    for s in singles:
        name, place = names.get(s.id, ("", ""))
        of, detail, device = s.what
        if s.nodes:
            yield ("name", name, "graph", of, "", "", 0, 0, 1, s.nodes, place)
        elif s.bytes and not (s.of_class and 2 * kept_bytes >= s.bytes):
            kind = "objects" if s.of_class and s.holders_more else "object"
            yield ("name", name, kind, of, detail, "" if device == "cpu" else device,
                   s.holders_more if kind == "objects" else 0, s.bytes, 0, 0, place)


def type_lines(shot):
    more = sorted(((was[-1] - was[0], i) for i, was in memory.counts.items() if len(was) == memory.taken), reverse=True)
    for count, i in more[:NAMES_MAX]:
        kind = shot.made[i]
        module = module_of(kind)
        yield ("type", "%s.%s" % (clean(module) if type(module) is str else "?", type_name(kind)), count)


def counter_lines():
    """What the frameworks say of their memory on a device: (framework, device, in use, reserved or -1)."""
    for ask in (torch_counters, tensorflow_counters, jax_counters):
        try:
            yield from ask()
        except Exception:
            continue


def torch_counters():
    cuda = sys.modules.get("torch.cuda")
    if cuda is None or not cuda.is_initialized():
        return
    for i in range(cuda.device_count()):
        yield ("pool", "PyTorch", "cuda:%d" % i, cuda.memory_allocated(i), cuda.memory_reserved(i))


def tensorflow_counters():
    context = module_value("tensorflow.python.eager.context", "_context")
    config = sys.modules.get("tensorflow.python.framework.config")
    if context is None or config is None or not context._initialized:
        return
    for i, _ in enumerate(config.list_logical_devices("GPU")):
        info = config.get_memory_info("GPU:%d" % i)
        yield ("pool", "TensorFlow", "gpu:%d" % i, info["current"], -1)


def jax_counters():
    jax = sys.modules.get("jax")
    if jax is None or not module_value("jax._src.xla_bridge", "_backends"):
        return
    for device in jax.local_devices():
        stats = device.memory_stats() if device.platform == "gpu" else None
        if stats:
            yield ("pool", "JAX", "gpu:%d" % device.id, stats["bytes_in_use"],
                   stats.get("pool_bytes", stats.get("bytes_reserved", -1)) or -1)


def compare(shot, known, clock):
    if shot.nodes:
        count_nodes(shot, known, clock)
    shot.leave_out(*vars(memory).values(), *vars(shot).values())
    keep_grown(shot)
    keep_figures(shot)
    if memory.taken == 0:
        memory.rooms = shot.rooms
    memory.taken += 1


class Question:
    """Who keeps what has grown? It alone is held while its names are looked for."""

    def __init__(self, shot, known, clock):
        self.known = known
        self.values = [one for one, _ in shot.grown.values()]
        self.singles = growing_singles(shot, known)
        self.names = Names(shot, clock)
        self.names.begin_above([(s.id, place) for s in self.singles for place in s.places])
        follow(shot, memory.sizes)
        follow(shot, memory.nodes)

    def lines(self):
        grown = growing_containers(self.values, self.known)
        self.names.begin_with([g.value for g in grown])
        self.names.leave_out(self.values, grown, vars(self), *map(vars, grown))
        found = self.names.find()
        kept = sum(g.bytes + sum(g.devices.values()) for g in grown)
        return [*container_lines(grown, found), *single_lines(self.singles, found, kept)]


def count_objects():
    """In one call of C, which holds them for no longer."""
    return sum(map(len, itertools.starmap(gc.get_objects, ((),))))


def too_long(limit_ms):
    """What to say of a snapshot that would take longer than that; nothing of one that would not."""
    objects = count_objects()
    expected_ms = int(objects * OBJECT_S * 1000)
    return [("objects", objects), ("later", expected_ms)] if expected_ms > limit_ms else []


def take_snapshot():
    clock, known, question = Clock(), Known(), None
    with Turn() as turn:
        shot = Snapshot(known)
        try:
            if shot.objects > OBJECTS_MAX:
                return [("refused", "%d objects, more than %d" % (shot.objects, OBJECTS_MAX))]
            shot.look(known, turn)
            compare(shot, known, clock)
            if memory.taken > 1:
                question = Question(shot, known, Clock())
        finally:
            shot.let_go()
    lines = [("objects", shot.objects), ("snapshots", memory.taken), ("moment", shot.moment)]
    return lines + question.lines() + list(type_lines(shot)) if question else lines


def write(path, lines):
    """Whole or not at all: memwatch reads it when it gets its name."""
    with open(path + ".part", "w", encoding="utf-8", errors="replace") as out:
        out.write("memwatch names 1\n")
        for line in lines:
            out.write("\t".join(map(str, line)) + "\n")
        out.write("end\n")
    os.rename(path + ".part", path)


def lines_for(request):
    """Of a request, in words."""
    global memory
    lines = []
    try:
        if request[0] == b"afresh":
            memory = Memory()
            lines += too_long(int(request[1])) if len(request) > 1 else []
        if request[0] != b"counters" and not lines:
            lines += take_snapshot()
        lines += counter_lines()
    except BaseException as failure:
        trace, line = failure.__traceback__, 0
        while trace is not None:
            trace, line = trace.tb_next, trace.tb_lineno
        lines = [("failed", "%s in line %d" % (type_name(type(failure)), line))]
        failure = trace = None
    return lines


def answer(request, path):
    """b"snapshot\n", b"afresh 300\n" (the first of a new comparison, if it takes no more milliseconds than that) or
    b"counters\n"."""
    began, worked = time.monotonic(), time.thread_time()
    with working:
        lines = [] if ending else lines_for(request.split())
    lines.append(("took", int((time.monotonic() - began) * 1000)))
    lines.append(("worked", int((time.thread_time() - worked) * 1000)))
    write(path, lines)
