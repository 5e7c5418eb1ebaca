# SPDX-License-Identifier: MIT
"""How much an object keeps, and by how much a container has grown."""
SAMPLE = 32  # new elements of a container that are measured
LOOKED_INTO = 1000  # longer containers are not looked into for what the collector does not list
DEEP_OBJECTS = 32000  # that are looked at for the new elements of one container: some models with their graphs
PIECE_BYTES = 16
COLLECTED_HEAD = 16  # bytes
NEIGHBOURS = 3200  # elements of a container that are known not to be what another one keeps
SKIPPED = (types.ModuleType, types.CodeType)
SKIPPED_IDS = frozenset(map(id, SKIPPED))


# In C, as of the module in C: the program may have put another in its place.
TEXT_STREAM = module_value("_io", "StringIO")
tell_of = namespace_of(TEXT_STREAM).get("tell") if type(TEXT_STREAM) is type else None
TEXT_STREAMS = (TEXT_STREAM,) if type(tell_of) is types.MethodDescriptorType else ()


def written_to(stream):
    """Up to its position, which is its end but where it is read: it has nothing that says more and makes no copy of it."""
    try:
        return tell_of(stream)
    except Exception:  # it is closed
        return 0


def own_size(value):
    """With what comes before it where the collector follows it, and in whole pieces of those that Python's allocator gives."""
    head = COLLECTED_HEAD if flags_of(type(value)) & COLLECTED else 0
    return -(-(head + said_size(value)) // PIECE_BYTES) * PIECE_BYTES


def said_size(value):
    """By the first of its types that measures, if that is in C: the program's own code is not run. A StringIO does not: what has
    been written to it, of which a character takes a byte at least."""
    if issubclass(type(value), TEXT_STREAMS):
        return object.__sizeof__(value) + written_to(value)
    for kind in mro_of(type(value)):
        measure = namespace_of(kind).get("__sizeof__")
        if measure is not None:
            break
    try:
        return measure(value) if type(measure) is types.MethodDescriptorType else object.__sizeof__(value)
    except Exception:
        return 0


def breadth_of(value):
    return len(value) if type(value) is tuple or type(value) is frozenset else length_of(value)


def kept_by(value):
    """What an object leads to that it may be alone to keep: of a function what it closes over and its default arguments, of a
    class its attributes, of a frame that has ended, as an exception's, its variables; of what has very many elements, some."""
    kind = type(value)
    if kind is types.FunctionType:
        return [one for one in (value.__closure__, value.__defaults__, value.__kwdefaults__) if one]
    if issubclass(kind, type):
        return gc.get_referents(namespace_of(value))
    if kind is types.FrameType:
        return [] if any(value is running for running in frames()) else variables_of(value)
    if breadth_of(value) > LOOKED_INTO:
        return newest(value, SAMPLE)
    return gc.get_referents(value)


def deep_size(value, known, seen, most, ends=frozenset()):
    """(bytes, {device: bytes}, objects) of an object and what it alone leads to, so many objects at most; what is in seen is not
    counted again, nor what has one of these types, by id, nor classes but for the object itself."""
    total, devices, todo, looked = 0, {}, [(value, 1)], 0
    while todo and looked < most:
        one, times = todo.pop()
        kind = type(one)
        if id(one) in seen or id(kind) in SKIPPED_IDS or id(kind) in ends or issubclass(kind, type) and one is not value:
            continue
        seen.add(id(one))
        looked += 1
        size, _, device = known.measure(one) or (own_size(one), "", None)
        if device in ("", "cpu", None):
            total += size * times
        else:
            devices[device] = devices.get(device, 0) + size * times
        below, breadth = (kept_by(one), breadth_of(one)) if device is None else known.elements_of(one)
        todo.extend(zip(below, itertools.repeat(times * max(1, breadth / len(below)) if below else 1)))
    return int(total), {device: int(size) for device, size in devices.items()}, looked


class Growth:
    """A container that grew, and by what."""

    def __init__(self, value, figures, known):
        self.value = value
        self.count, self.end = grown_by(value, figures)
        self.kind = kind_of(value).replace("object", "dict")  # that of its attributes
        elements = last_before(value, self.end, min(self.count, SAMPLE)) if self.count > 0 else ()
        self.of, self.detail, self.graph, self.opaque = "", "", False, False
        self.bytes, self.devices = 0, {}
        self.weak = False
        if elements:
            self.look_at(elements, known)

    def look_at(self, elements, known):
        newest_first = elements if self.kind != "list" else elements[::-1]
        first = next(itertools.filterfalse(is_none, newest_first), None)
        measured = known.measure(first)
        self.of = type_name(type(first))
        self.weak = issubclass(type(first), weakref.ref) and (type(first) is not weakref.ref or first.__callback__ is None)
        if measured is not None:
            self.detail = measured[1]
        self.graph = known.graph_of(first) is not None
        # An object of a class may hold memory that Python does not know of.
        self.opaque = measured is None and is_class_made(type(first)) and not is_standard(type(first))
        self.quick = sum((known.measure(e) or (own_size(e),))[0] for e in elements) * self.count / len(elements)

    def all_bytes(self):
        return self.bytes + sum(self.devices.values())

    def take_in(self, others):
        """Those that grow beside it, of which it is one; what was measured of it is so of them."""
        count = sum(g.count for g in others)
        scale = sum(g.quick for g in others) / self.quick if self.quick else count / self.count
        self.count, self.bytes = count, int(self.bytes * scale)

    def measure(self, known):
        """What old elements lead to as well is not new; what is an element itself is not kept by another one."""
        elements = last_before(self.value, self.end, min(self.count, SAMPLE))
        olds = oldest(self.value, len(elements)) if length_of(self.value) > self.count else []
        seen, left = {id(self.value), *map(id, newest(self.value, NEIGHBOURS))}, DEEP_OBJECTS
        for old in olds:
            seen.discard(id(old))
            deep_size(old, known, seen, left)
        seen.difference_update({*map(id, elements)}.difference(map(id, olds)))
        keys = newest_keys(self.value, min(self.count, SAMPLE))
        for i, e in enumerate(keys + elements):
            size, devices, looked = deep_size(e, known, seen, left // (len(keys) + len(elements) - i))
            left -= looked
            self.bytes += size
            for device, n in devices.items():
                self.devices[device] = self.devices.get(device, 0) + n
        scale = self.count / max(1, len(elements))
        own = own_size(self.value) / max(1, length_of(self.value))
        self.bytes = int(self.bytes * scale + own * self.count)
        self.devices = {d: int(n * scale) for d, n in self.devices.items()}
