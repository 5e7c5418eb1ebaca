# SPDX-License-Identifier: MIT
"""How much an object keeps, and by how much a container has grown."""
SAMPLE = 32  # new elements of a container that are measured
LOOKED_INTO = 1000  # longer containers are not looked into for what the collector does not list
DEEP_OBJECTS = 32000  # that are looked at for the new elements of one container: some models with their graphs
SKIPPED = (types.ModuleType, types.CodeType, types.BuiltinFunctionType)
SKIPPED_IDS = frozenset(map(id, SKIPPED))


def own_size(value):
    """By the first of its types that measures, if that is in C: the program's own code is not run."""
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
    frame that has ended, as an exception's, its variables; of what has very many elements, some."""
    kind = type(value)
    if kind is types.FunctionType:
        return [one for one in (value.__closure__, value.__defaults__, value.__kwdefaults__) if one]
    if kind is types.FrameType:
        return [] if any(value is running for running in frames()) else variables_of(value)
    if breadth_of(value) > LOOKED_INTO:
        return newest(value, SAMPLE)
    return gc.get_referents(value)


def deep_size(value, known, seen, most, ends=frozenset()):
    """(bytes, {device: bytes}, objects) of an object and what it alone leads to, so many objects at most; what is in seen is not
    counted again, nor what has one of these types, by id."""
    total, devices, todo, looked = 0, {}, [(value, 1)], 0
    while todo and looked < most:
        one, times = todo.pop()
        kind = type(one)
        if id(one) in seen or id(kind) in SKIPPED_IDS or id(kind) in ends or issubclass(kind, type):
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
            todo.extend(zip(below, itertools.repeat(times * max(1, breadth_of(one) / len(below)) if below else 1)))
    return int(total), {device: int(size) for device, size in devices.items()}, looked


class Growth:
    """A container that grew, and by what."""

    def __init__(self, value, lengths, known):
        self.value = value
        self.count = lengths[-1] - lengths[0]
        self.kind = kind_of(value)
        elements = newest(value, min(self.count, SAMPLE))
        self.of, self.detail, self.graph, self.opaque = "", "", False, False
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
        # An object of a class may hold memory that Python does not know of.
        self.opaque = measured is None and is_class_made(type(first)) and not is_standard(type(first))
        self.quick = sum((known.measure(e) or (own_size(e),))[0] for e in elements) * self.count / len(elements)

    def measure(self, known):
        """What old elements lead to as well is not new."""
        seen, left = {id(self.value)}, DEEP_OBJECTS
        for old in oldest(self.value):
            if length_of(self.value) > self.count:
                deep_size(old, known, seen, left)
        elements = newest(self.value, min(self.count, SAMPLE))
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
