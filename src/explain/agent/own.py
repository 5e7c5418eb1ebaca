# SPDX-License-Identifier: MIT
"""What the program's own code holds by a name: a variable of a module, an attribute of its objects and classes, a local
variable, one that a function has from the function around it. Of that, anything is measured with all that it leads to, if
that is not much: a text, a tuple that is replaced by a longer one, a buffer, a table, whatever its type."""
FEW = 100  # objects of one of the program's own classes: of more, none is the one that grows
VALUE_OBJECTS = 300  # that a value leads to; what leads to more is no single thing
OBJECTS_IN_ALL = 30000  # in one snapshot: some hundredths of a second
PLAIN_VALUES = (int, float, bool, complex, type(None), types.FunctionType, types.MethodType, *EXACT, *SKIPPED)
PLAIN_VALUE_IDS = frozenset(map(id, PLAIN_VALUES))


def own_namespaces(own_kinds):
    """The dicts of the program's own modules and classes."""
    for name, module in list(sys.modules.items()):
        if is_own_module(name):
            yield module_dict_of(module)
    for kind in own_kinds:
        yield from (one for one in gc.get_referents(namespace_of(kind)) if type(one) is dict)


def with_dicts(holders):
    """And the dicts that they hold: attributes of an object may be in one, too."""
    seen = set()
    for holder in holders:
        for one in (holder, *(d for d in gc.get_referents(holder) if type(d) is dict and len(d) <= LOOKED_INTO)):
            if id(one) not in seen:
                seen.add(id(one))
                yield one


class Measuring:
    """Sizes of values, within what a snapshot may take for them."""

    def __init__(self, known, own_ids):
        self.known, self.own_ids = known, own_ids
        self.ends = own_ids | PLAIN_VALUE_IDS  # types of values that are not looked at: they are looked at elsewhere
        self.left = OBJECTS_IN_ALL

    def is_measured(self, value):
        kind = id(type(value))
        return self.left > 0 and not (kind in self.ends or kind in self.known.gleaned_ids or issubclass(type(value), type))

    def size_of(self, value):
        """Bytes; 0 of what is no single thing, or too much of one."""
        size, _, looked = deep_size(value, self.known, set(), VALUE_OBJECTS, self.own_ids)
        self.left -= looked
        return size if looked < VALUE_OBJECTS else 0

    def sizes(self, values, is_wanted):
        """(which, id, bytes) of the large ones."""
        for which, value in enumerate(values):
            size = self.size_of(value) if self.is_measured(value) and is_wanted(which) else 0
            if size >= LARGE_BYTES:
                yield which, id(value), size


def own_places(shot, known, links, turn):
    """(place, id, bytes, holder). Nobody is let in while the values of one holder are looked at: they are held for so long."""
    measuring = Measuring(known, shot.own_ids)
    few = itertools.chain.from_iterable(crowd.some for crowd in shot.crowds.values() if crowd.count <= FEW)
    cells = own_cells(shot.listed[FUNCTION]) if memory.taken == 0 or memory.cells else ()
    turn.step()
    holders = itertools.chain(own_namespaces([shot.made[i] for i in shot.own_ids]), few, cells)
    for holder in with_dicts(holders):
        values = gc.get_referents(holder)
        if id(type(holder)) in shot.own_ids and kind_of(holder) == "object":
            shot.add_containers([holder], [len(values)])
        where = functools.partial(place_of, holder, len(values))
        for which, i, size in measuring.sizes(values, lambda k: shot.is_wanted(where(k))):
            yield where(which), i, size, holder
        links.look_at_all(values, where, holder)
        del values
        turn.step()
    for frame in functions_only(frames()):
        code, pairs = frame.f_code, [] if is_library(frame.f_code.co_filename) else local_items(frame)
        names, values = [name for name, _ in pairs], [value for _, value in pairs]
        where = functools.partial(variable_place, code, names)
        for which, i, size in measuring.sizes(values, lambda k: shot.is_wanted(where(k))):
            yield where(which), i, size, frame
        links.look_at_all(values, where, frame)
        del pairs, values
        turn.step()
