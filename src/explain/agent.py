# SPDX-License-Identifier: MIT
"""What grows in this process, by name: loaded by the sleeping thread of sitecustomize.py when memwatch asks.

A leak in Python is nearly always a container that is longer at every epoch's end. Each "snapshot" keeps the lengths of
all containers; the few that grew each time are the suspects, and who refers to them gives the name. So it is with
objects that an attribute is replaced by, ever larger, and with tensors that keep a graph of ever more nodes.

No code of the program is run: no __len__, no property, no __class__, no metaclass. Lengths are those of the builtin
types, by their own methods; attributes are read of objects whose very type is a known one of NumPy, PyTorch, TensorFlow
or JAX, if the program has imported it. Nothing else is imported but modules of the standard library.
"""
import array
import collections
import functools
import gc
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
LOOKED_INTO = 1000  # longer containers are not looked into for what the collector does not list
FRAMES_MAX = 200  # of a thread
SINGLES = 8  # large objects, and graphs, that are named in one snapshot
TRIES = 3  # where an object is replaced while its name is looked for
GRAPHS = 64  # tensors whose graphs are counted
NODES_MAX = 20000
LOOK_S = 2.0  # of processor time, for the names in one answer
TEXT_MAX = 160

HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE: a class statement made it, or an extension
OPTIMIZED = 0x1  # CO_OPTIMIZED: a function's frame, whose f_locals is a copy

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
CELLS = (LRU_CACHE, types.CellType, *GENERATORS)
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
        self.grown = {}  # id: its lengths so far, of containers that grew each time; from the second snapshot on
        self.counts = {}  # id of a type: how many of it so far, if ever more
        self.sizes = {}  # id: bytes, of large objects at the last snapshot
        self.large = []  # for each snapshot but the first {name: (bytes, ...)} of those that were new in it
        self.graphs = []  # for each snapshot {name: (nodes, place)} of tensors


memory = Memory()


class Clock:
    def __init__(self):
        self.until = time.thread_time() + LOOK_S

    def over(self):
        return time.thread_time() > self.until


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
        self.tensor = known_type("torch", "Tensor")
        self.tensor_id = id(self.tensor) if self.tensor is not None else 0
        self.leaf_ids = frozenset(self.measures) - {id(str)}

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

SKIPPED = (types.ModuleType, types.FunctionType, types.CodeType, types.FrameType, types.BuiltinFunctionType)
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


def deep_size(value, known, seen):
    """(bytes, {device: bytes}) of an object and what it alone leads to; what is in seen is not counted again."""
    total, devices, todo, looked = 0, {}, [value], 0
    while todo and looked < DEEP_OBJECTS:
        one = todo.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        looked += 1
        measured = known.measure(one)
        if measured is not None:
            if measured[2] in ("", "cpu"):
                total += measured[0]
            else:
                devices[measured[2]] = devices.get(measured[2], 0) + measured[0]
            continue
        kind = type(one)
        if id(kind) in SKIPPED_IDS or issubclass(kind, type):
            continue
        total += own_size(one)
        if length_of(one) <= DEEP_OBJECTS:
            todo.extend(gc.get_referents(one))
    return total, devices


class Growth:
    """A container that grew, and by what."""

    def __init__(self, value, lengths, known):
        self.value = value
        self.count = lengths[-1] - lengths[0]
        self.kind = kind_of(value)
        elements = newest(value, min(self.count, SAMPLE))
        self.of, self.detail, self.device, self.graph = "", "", "", False
        self.bytes, self.devices = 0, {}
        self.weak = False
        if elements:
            self.look_at(elements, known)

    def look_at(self, elements, known):
        first = elements[0] if self.kind != "list" else elements[-1]
        measured = known.measure(first)
        self.of = type_name(type(first))
        self.weak = issubclass(type(first), weakref.ref)
        if measured is not None:
            self.detail, self.device = measured[1], measured[2]
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


def slot_of(holder, value):
    """The name of the slot of an object that holds this value; None."""
    for kind in mro_of(type(holder)):
        for name, member in list(namespace_of(kind).items()):
            if type(member) is types.MemberDescriptorType:
                try:
                    if member.__get__(holder) is value:
                        return name
                except Exception:
                    continue
    return None


def key_of(holder, value):
    for key, held in list(dict.items(holder)):
        if held is value:
            return (key,)
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


class Names:
    """Who refers to objects, step by step, until each has a name that a person finds in the source."""

    def __init__(self, own, clock):
        self.own = own  # ids of what the agent itself holds objects in
        self.clock = clock
        self.modules = self.find_modules()
        self.locals = {}  # id of a value: (name, code)
        self.find_locals()

    def find_modules(self):
        found = {}
        for name, module in list(sys.modules.items()):
            if type(name) is str and issubclass(type(module), types.ModuleType):
                found.setdefault(id(module_dict_of(module)), name)
        return found

    def find_locals(self):
        for frame in frames():
            for name, value in frame_locals(frame).items():
                self.locals.setdefault(id(value), (name, frame.f_code))

    def find(self, values, unlisted=()):
        """{id of a value: (name, place)} of those that have one within STEPS. unlisted: dicts that may refer to them and
        are not in the collector's list."""
        found = {}
        # Each way: (object reached, its way down to the value as text, the objects of that way, the value's id)
        ways = [(v, "", (), id(v)) for v in values]
        for _ in range(STEPS):
            ways = [w for w in ways if w[3] not in found]
            if not ways or self.clock.over():
                break
            ways = self.step(ways, found, unlisted)
        return found

    def step(self, ways, found, unlisted):
        objects = {}
        for way in ways:
            objects.setdefault(id(way[0]), way[0])
        reached = list(objects.values())[:FRONTIER]
        self.own.update((id(ways), id(objects), id(reached)))
        holders = gc.get_referrers(*reached)
        holders.extend(unlisted)
        best, further = {}, []
        self.own.update((id(holders), id(best), id(further)))
        self.own.update(map(id, ways))
        for way in ways:
            here = self.locals.get(id(way[0]))
            if here is not None:
                offer(best, way[3], (3, "%s%s, local of %s()" % (here[0], way[1], clean(code_name(here[1]))),
                                     code_place(here[1])))
        by_id = {}
        for way in ways:
            by_id.setdefault(id(way[0]), []).append(way)
            self.own.add(id(by_id[id(way[0])]))
        self.own.add(id(by_id))
        for holder in holders:
            if id(holder) in self.own or self.clock.over():
                continue
            for held in held_of(holder, by_id):
                for way in by_id[id(held)]:
                    self.relate(holder, way, best, further)
        for target, (_, name, place) in best.items():
            found[target] = (clean(name), place)
        return further[: 4 * FRONTIER]

    def relate(self, holder, way, best, further):
        """One who refers to what has been reached: it gives the name, or is the next to be asked for."""
        value, text, path, target = way
        kind = type(holder)
        if issubclass(kind, dict):
            key = key_of(holder, value)
            if key is None:
                return
            module = self.modules.get(id(holder))
            if module is None and type(holder.get("__name__") if kind is dict else None) is str and "__builtins__" in holder:
                module = holder["__name__"]
            if module is not None:
                name = key[0] if type(key[0]) is str else "?"
                if not name.startswith("__") or not text:
                    offer(best, target, (0 if module == "__main__" else 2, "%s.%s%s" % (module, name, text), ""))
                return
            further.append((holder, key_text(key[0]) + text, ((holder, key[0], text),) + path, target))
        elif kind is types.FunctionType:
            self.relate_function(holder, way, best)
        elif kind is LRU_CACHE:
            self.relate_cache(holder, way, best, further)
        elif id(kind) in GENERATOR_IDS:
            relate_generator(holder, way, best)
        elif issubclass(kind, type):
            self.relate_class(holder, way, best)
        elif kind is types.CellType:
            further.append((holder, text, ((holder, None, text),) + path, target))
        elif issubclass(kind, SEQUENCES):
            further.append((holder, "[...]" + text if kind is not tuple else text, ((holder, None, text),) + path, target))
        elif is_class_made(kind):
            self.relate_instance(holder, way, best, further)
        elif kind is types.MethodType or kind is functools.partial:  # what it is bound to
            further.append((holder, text, ((holder, None, text),) + path, target))

    def relate_instance(self, holder, way, best, further):
        value, text, path, target = way
        attributes = attributes_of(holder)
        if attributes is not None and attributes is value and path:
            _, key, rest = path[0]
            if type(key) is str:
                offer(best, target, (1, "%s.%s%s" % (type_name(type(holder)), key, rest), ""))
            return
        key = key_of(attributes, value) if attributes is not None else None
        name = key[0] if key is not None and type(key[0]) is str else slot_of(holder, value)
        if name is not None:
            offer(best, target, (1, "%s.%s%s" % (type_name(type(holder)), name, text), ""))
        else:
            further.append((holder, text, ((holder, None, text),) + path, target))

    def relate_class(self, holder, way, best):
        value, text, path, target = way
        if path and any(one is value for one in gc.get_referents(namespace_of(holder))):
            _, key, rest = path[0]
            offer(best, target, (1, "%s.%s%s" % (type_name(holder), key, rest), ""))

    def relate_function(self, holder, way, best):
        value, text, path, target = way
        code = holder.__code__
        cell = path[1][0] if len(path) > 1 else None
        if value is holder.__closure__ and type(cell) is types.CellType:
            for name, one in zip(code.co_freevars, value):
                if one is cell:
                    offer(best, target, (2, "%s%s, closure of %s()" % (name, path[1][2], function_name(holder)), code_place(code)))
        elif value is holder.__defaults__ and path:
            offer(best, target, (2, "a default argument of %s()%s" % (function_name(holder), path[0][2]), code_place(code)))
        elif value is holder.__kwdefaults__ and path:
            offer(best, target, (2, "a default argument of %s()%s" % (function_name(holder), path[0][2]), code_place(code)))
        elif path and value is holder.__dict__:
            offer(best, target, (2, "%s.%s%s" % (function_name(holder), path[0][1], path[0][2]), code_place(code)))

    def relate_cache(self, holder, way, best, further):
        value, text, path, target = way
        wrapped = attributes_of(holder).get("__wrapped__")
        if type(wrapped) is types.FunctionType and length_of(value) >= 0 and kind_of(value) == "dict":
            offer(best, target, (1, "the lru_cache of %s()%s" % (function_name(wrapped), text), code_place(wrapped.__code__)))


def relate_generator(holder, way, best):
    value, text, _, target = way
    frame = getattr(holder, "gi_frame", None) or getattr(holder, "cr_frame", None) or getattr(holder, "ag_frame", None)
    if frame is None:
        return
    for name, held in frame_locals(frame).items():
        if held is value:
            offer(best, target, (2, "%s%s, local of %s()" % (name, text, clean(code_name(frame.f_code))),
                                 code_place(frame.f_code)))


def offer(best, target, name):
    if target not in best or name[:2] < best[target][:2]:
        best[target] = name


def held_of(holder, by_id):
    """Those of the objects in question that a holder refers to."""
    return {id(one): one for one in gc.get_referents(holder) if id(one) in by_id}.values()


def code_name(code):
    return getattr(code, "co_qualname", code.co_name).replace("<locals>.", "")


# Modules that run Python functions for each line, and give a frame's f_locals back to it: left alone.
TRACERS = ("bdb", "pydevd", "profile", "trace", "coverage")


def frame_locals(frame):
    """A copy of a function's variables. Before 3.13 reading them leaves a copy in the frame, which would keep what the
    function has long dropped: emptied, unless the program has asked for it too."""
    if not frame.f_code.co_flags & OPTIMIZED:
        return {}
    seen = frame.f_locals
    copied = dict(seen)
    if type(seen) is dict and frame.f_trace is None and sys.getrefcount(seen) <= 3:
        if not any(name in sys.modules for name in TRACERS):
            seen.clear()
    return copied


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


def of_types(objects, ids):
    """Those whose type has one of these ids: in C, 100 ns each."""
    return list(itertools.compress(objects, map(ids.__contains__, map(id, map(type, objects)))))


class Snapshot:
    """One look at all objects; holds them until it is dropped."""

    def __init__(self, known):
        made = {i: kind for i, kind in classes_from(object).items() if is_class_made(kind) and not is_standard(kind)}
        derived = frozenset(itertools.chain.from_iterable(classes_from(base) for base, _ in LENGTHS)) - EXACT_IDS
        objects = gc.get_objects()
        self.moment = time.monotonic_ns()
        self.objects = len(objects)
        self.too_many = self.objects > OBJECTS_MAX
        if self.too_many:
            return
        holders = of_types(objects, EXACT_IDS | derived | made.keys() | set(map(id, CELLS)))
        functions = of_types(objects, {id(types.FunctionType)})
        del objects
        self.made = made
        self.counts = collections.Counter(map(id, map(type, holders)))
        self.tensors = of_types(holders, {known.tensor_id})
        self.containers = of_types(holders, EXACT_IDS)
        subclassed = of_types(holders, derived)
        self.holders, self.functions = holders, functions
        self.look_below(known)
        self.lengths = array.array("Q", map(len, self.containers))
        self.lengths.extend(map(length_of, subclassed))
        self.containers.extend(subclassed)
        self.ids = array.array("Q", map(id, self.containers))

    def look_again(self, known):
        """The leaves alone, as of now."""
        containers, self.containers = self.containers, of_types(self.holders, EXACT_IDS)
        self.look_below(known)
        self.containers = containers

    def look_below(self, known):
        """Dicts of what is no container are not in the collector's list before 3.14, arrays and bytes never."""
        long = list(itertools.compress(self.containers, map(LOOKED_INTO.__lt__, map(len, self.containers))))
        holders = self.holders
        if long:
            long = frozenset(map(id, long))
            holders = list(itertools.compress(holders, map(operator.not_, map(long.__contains__, map(id, holders)))))
        below = gc.get_referents(*holders)
        below.extend(itertools.chain.from_iterable(f.__defaults__ for f in self.functions if f.__defaults__))
        for frame in frames():
            below.extend(frame_locals(frame).values())
        found = {id(one): one for one in of_types(below, known.leaf_ids | {id(dict)})}
        del below
        self.unlisted = [one for one in found.values() if type(one) is dict and not gc.is_tracked(one)]
        self.containers.extend(self.unlisted)
        leaves = {i: one for i, one in found.items() if type(one) is not dict}
        short = [one for one in self.unlisted if len(one) <= LOOKED_INTO]
        leaves.update((id(one), one) for one in of_types(gc.get_referents(*short), known.leaf_ids))
        self.leaves = list(leaves.values())


def frames():
    """Of all threads but this one."""
    here = sys._getframe().f_code.co_filename
    for frame in list(sys._current_frames().values()):
        for _ in range(FRAMES_MAX):
            if frame is None or frame.f_code.co_filename == here:
                break
            yield frame
            frame = frame.f_back


# --- from one snapshot to the next


def keep_grown(shot):
    """Lengths of the containers that have grown each time; from the second snapshot on there are few."""
    if memory.taken == 0:
        memory.ids, memory.lengths = shot.ids, shot.lengths
        return
    if memory.taken == 1:
        before = dict(zip(memory.ids, memory.lengths))
        memory.ids, memory.lengths = array.array("Q"), array.array("Q")
        memory.grown = {i: (before[i], n) for i, n in zip(shot.ids, shot.lengths) if 0 < before.get(i, n) < n}
        return
    now = {i: n for i, n in zip(shot.ids, shot.lengths) if i in memory.grown}
    memory.grown = {i: was + (now[i],) for i, was in memory.grown.items() if i in now and now[i] > was[-1]}


def keep_counts(shot):
    now = {i: n for i, n in shot.counts.items() if i in shot.made}
    if memory.taken == 0:
        memory.counts = {i: (n,) for i, n in now.items()}
    else:
        memory.counts = {i: was + (now[i],) for i, was in memory.counts.items() if now.get(i, 0) > was[-1]}


def name_large(shot, known, own, clock):
    """{name: what} of the large objects that were not there at the last snapshot, or not of this size."""
    for _ in range(TRIES):
        sized = new_large(shot, known)
        wanted = {id(one) for _, one, _ in sized}
        unlisted = [d for d in shot.unlisted if not wanted.isdisjoint(map(id, dict.values(d)))]
        own.update((id(unlisted), id(sized), *map(id, sized)))
        names = Names(own, clock).find([one for _, one, _ in sized], unlisted)
        # Replaced while its name was looked for: only the leaves, sized and this loop still hold it.
        if not any(id(one) not in names and sys.getrefcount(one) <= 4 for _, one, _ in sized) or clock.over():
            break
        shot.look_again(known)
    found = {}
    for size, one, (_, detail, device) in sized:
        name, place = names.get(id(one), ("", ""))
        if name and size > found.get(name, (0,))[0]:
            found[name] = (size, type_name(type(one)), detail, device, place)
    memory.sizes = sizes_of(shot, known)
    return found


def large_of(shot, known):
    for one in itertools.chain(shot.leaves, shot.tensors):
        measured = known.measure(one)
        if measured[0] >= LARGE_BYTES:
            yield measured[0], one, measured


def sizes_of(shot, known):
    return {id(one): size for size, one, _ in large_of(shot, known)}


def new_large(shot, known):
    sized = [s for s in large_of(shot, known) if memory.sizes.get(id(s[1])) != s[0]]
    return sorted(sized, key=lambda s: -s[0])[:SINGLES]


def name_graphs(shot, known, own, clock):
    """{name: (nodes, place)} of the tensors that keep the longest graphs."""
    graphs = graphs_of(shot.tensors, known, clock)
    own.update((id(graphs), *map(id, graphs)))
    names = Names(own, clock).find([one for _, _, one in graphs])
    found = {}
    for count, _, one in graphs:
        name, place = names.get(id(one), ("", ""))
        if name:
            found[name] = (max(count, found.get(name, (0,))[0]), place)
    return found


def graphs_of(tensors, known, clock):
    """[(nodes, _, tensor)], the longest first."""
    found, heads = [], {}
    for one in tensors:
        head = known.graph_of(one)
        if head is not None and len(heads) < GRAPHS:
            heads[id(one)] = (one, head)
    for one, head in heads.values():
        if not clock.over():
            found.append((count_nodes(head), len(found), one))
    return sorted(found, reverse=True)[:SINGLES]


def count_nodes(head):
    seen, todo = {id(head): head}, [head]
    while todo and len(seen) < NODES_MAX:
        try:
            following = todo.pop().next_functions
        except Exception:
            continue
        for node, _ in following:
            if node is not None and id(node) not in seen:
                seen[id(node)] = node
                todo.append(node)
    return len(seen)


# --- the answer


def growing_containers(shot, known):
    grown = itertools.compress(shot.containers, map(memory.grown.__contains__, shot.ids))
    grown = [Growth(one, memory.grown[id(one)], known) for one in grown]
    grown = [g for g in grown if g.of and not g.weak]
    grown.sort(key=lambda g: (g.graph, g.quick), reverse=True)
    grown = grown[:NAMES_MAX]
    for g in grown:
        g.measure(known)
    return grown


def container_lines(shot, known, own, clock):
    grown = growing_containers(shot, known)
    own.update(map(id, grown))
    own.add(id(grown))
    own.update(id(vars(g)) for g in grown)
    names = Names(own, clock).find([g.value for g in grown])
    for g in grown:
        name, place = names.get(id(g.value), ("", ""))
        for device, size in [("", g.bytes), *g.devices.items()]:
            if size or not g.devices:
                yield ("name", name, g.kind, g.of, g.detail, device or ("" if g.device == "cpu" else g.device),
                       g.count, size, int(g.graph), 0, place)


def rising(history):
    """[(name, first, last)] of what has risen each time."""
    first, last = history[0], history[-1]
    for name in last:
        values = [h[name][0] for h in history if name in h]
        if len(values) == len(history) and all(a < b for a, b in zip(values, values[1:])):
            yield name, first[name], last[name]


def single_lines():
    for name, first, last in rising(memory.large) if len(memory.large) > 1 else ():
        size, of, detail, device, place = last
        more = (size - first[0]) * (memory.taken - 1) // (len(memory.large) - 1)  # also in the first interval
        yield ("name", name, "object", of, detail, "" if device == "cpu" else device, 0, more, 0, 0, place)
    for name, first, last in rising(memory.graphs):
        yield ("name", name, "graph", "Tensor", "", "", 0, 0, 1, last[0] - first[0], last[1])


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


def take_snapshot():
    clock = Clock()
    known = Known()
    shot = Snapshot(known)
    if shot.too_many:
        return [("refused", "%d objects, more than %d" % (shot.objects, OBJECTS_MAX))]
    keep_grown(shot)
    keep_counts(shot)
    own = {id(vars(shot)), id(vars(memory)), id(shot.containers), id(shot.leaves), id(shot.unlisted),
           id(shot.tensors), id(shot.holders), id(shot.functions), id(globals())}
    if memory.taken == 0:
        memory.sizes = sizes_of(shot, known)
    else:
        memory.large.append(name_large(shot, known, own, clock))
    memory.graphs.append(name_graphs(shot, known, own, clock))
    memory.taken += 1
    lines = [("objects", shot.objects), ("snapshots", memory.taken), ("moment", shot.moment)]
    if memory.taken > 1:
        lines += container_lines(shot, known, own, clock)
        lines += single_lines()
        lines += type_lines(shot)
    return lines


def write(path, lines):
    """Whole or not at all: memwatch reads it when it gets its name."""
    with open(path + ".part", "w", encoding="utf-8", errors="replace") as out:
        out.write("memwatch names 1\n")
        for line in lines:
            out.write("\t".join(map(str, line)) + "\n")
        out.write("end\n")
    os.rename(path + ".part", path)


def answer(request, path):
    """b"snapshot\n", b"afresh\n" (the first of a new comparison) or b"counters\n"."""
    global memory
    began = time.monotonic()
    lines = []
    try:
        if request == b"afresh\n":
            memory = Memory()
        if request != b"counters\n":
            lines += take_snapshot()
        lines += counter_lines()
    except BaseException as failure:
        trace, line = failure.__traceback__, 0
        while trace is not None:
            trace, line = trace.tb_next, trace.tb_lineno
        lines = [("failed", "%s in line %d" % (type_name(type(failure)), line))]
        failure = trace = None
    lines.append(("took", int((time.monotonic() - began) * 1000)))
    write(path, lines)
