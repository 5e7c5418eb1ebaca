# SPDX-License-Identifier: MIT
"""What the many objects of one of the program's own classes hold together, each a little: items of a dataset that load what
they need and keep it, a chain of states. Some of them are measured for all. Which ones is a matter of their ids alone, so that
the next snapshot looks at the same ones again: what they hold more is growth, and not another choice."""
SAMPLED = 2000  # objects of a class at least, if there are so many; fewer than twice as many
FIRST_NAMES = 8  # in a dict, one of which is enough to tell whose attributes they are
CROWD = 8  # objects of a class, from which on they are looked at together
HELD_BYTES = 512  # what holds less is not counted among the ever more that hold something
SMALL_OBJECTS = 40  # that a value leads to; what leads to more is no single thing
CROWD_OBJECTS = 20000  # in one snapshot, for all classes: some hundredths of a second
QUICK_VALUES = 10  # references that take as long as one object
SURE = 3  # standard errors, beyond which a rise is none by chance
ALL = 1 << 36  # ids, of which all but the last four bits differ, are spread over so many numbers
SPREAD = 0x9E3779B1  # by the golden ratio: neighbours go far apart
SMALL_IDS = frozenset(map(id, (int, float, bool, type(None), types.FunctionType, types.MethodType)))


def spread(objects):
    return map((ALL - 1).__and__, map(SPREAD.__mul__, map(id, objects)))


def spread_of(one):
    return id(one) * SPREAD & ALL - 1


class Crowd:
    """Objects of one class as they come: each, then those in the lower half of all numbers, in the lowest quarter."""

    def __init__(self):
        self.count, self.some, self.limit = 0, [], ALL

    def add(self, objects):
        self.count += len(objects)
        self.some.extend(objects if self.limit == ALL else self.chosen(objects))
        while len(self.some) >= 2 * SAMPLED:
            self.limit //= 2
            self.some = list(self.chosen(self.some))

    def chosen(self, objects):
        return itertools.compress(objects, map(self.limit.__gt__, spread(objects)))


class Held:
    """What is at one place of each object of a class."""

    def __init__(self):
        self.sizes = {}  # the number of an object: bytes
        self.most = 0
        self.place = None  # of the largest: (id of the value, its holder)

    def add(self, number, value_id, holder, size):
        self.sizes[number] = size
        if size > self.most:
            self.most, self.place = size, (value_id, holder)


class Census:
    """The sizes of what the objects of a crowd hold; what several lead to counts once."""

    def __init__(self, known, ends, kind, most):
        self.known, self.ends, self.left = known, ends, most
        self.namespaces = list(map(namespace_of, mro_of(kind)))
        self.seen, self.held = set(), {}
        self.limit = ALL  # objects with a lower number have been looked at

    def look_at_all(self, crowd, turn):
        """Or at as many as may be: those with the lowest numbers."""
        self.limit = crowd.limit
        for one in sorted(crowd.some, key=spread_of):
            found = list(self.values_of(one))
            if self.left <= 0:
                self.limit = spread_of(one)
                break
            for at, *what in found:
                self.held.setdefault(at, Held()).add(spread_of(one), *what)
            turn.step()

    def values_of(self, one):
        """((which, offset), id of a value, its holder, bytes); not of a long container of one's own, which is looked at as one."""
        if breadth_of(one) > LOOKED_INTO:
            return
        attributes, offset = self.attributes_of(one)
        for holder, start in ((one, 0), (attributes, offset)):
            values = gc.get_referents(holder) if holder is not None else ()
            self.left -= 1 + len(values) // QUICK_VALUES
            for which, value in enumerate(values):
                size = self.size_of(value) if value is not attributes else 0
                # A large one of its own is looked at by itself: see Snapshot.look_at_classes().
                if size and not (holder is one and size >= LARGE_BYTES and id(type(value)) in self.known.gleaned_ids):
                    yield (which, start), id(value), holder, size
                if self.left <= 0:
                    return

    def attributes_of(self, one):
        """(The dict of its attributes, which of its references that is); None if it has none, or too many in it."""
        for which, value in enumerate(gc.get_referents(one)):
            if type(value) is dict and len(value) <= LOOKED_INTO and self.has_attributes_of(one, value):
                return value, which
        return None, 0

    def has_attributes_of(self, one, names):
        """Whether these are the attributes of an object. Asking for its __dict__ would make one: so it is asked for one of them
        that no class defines."""
        try:
            for name, value in list(itertools.islice(dict.items(names), FIRST_NAMES)):
                if type(name) is str and not any(name in namespace for namespace in self.namespaces):
                    return object.__getattribute__(one, name) is value
        except Exception:
            pass
        return False

    def size_of(self, value):
        if id(type(value)) in SMALL_IDS or self.left <= 0:
            return 0
        size, _, looked = deep_size(value, self.known, self.seen, SMALL_OBJECTS, self.ends)
        self.left -= looked
        return size if looked < SMALL_OBJECTS else 0


def risen(now, before, scale):
    """By how much all have risen, from figures of some by their number; 0 if that may be by the choice of those."""
    steps = [now.get(i, 0) - before.get(i, 0) for i in now.keys() | before.keys()]
    more, error = scale * sum(steps), math.sqrt(scale * (scale - 1) * sum(step * step for step in steps))
    return int(more) if more > SURE * error else 0


def holders_in(sizes):
    return {number: size >= HELD_BYTES for number, size in sizes.items()}


def below(limit, sizes):
    return {number: size for number, size in sizes.items() if number < limit}


def first_figures(held, limit):
    """(bytes, holders) of all objects of a class"""
    return int(sum(held.sizes.values()) * ALL / limit), int(sum(holders_in(held.sizes).values()) * ALL / limit)


def next_figures(place, held, limit):
    """The same, if it has risen since the last snapshot, of what was looked at in both."""
    then, numbers, sizes = memory.each[place]
    common = min(limit, then)
    now, before, scale = below(common, held.sizes), below(common, dict(zip(numbers, sizes))), ALL / common
    size, holders = risen(now, before, scale), risen(holders_in(now), holders_in(before), scale)
    return memory.sizes[place][-1] + size if size else 0, memory.holders.get(place, (0,))[-1] + holders


def crowd_places(shot, known, turn):
    """(place, (id of a value, its holder), bytes, holders). Small crowds first: what they leave is for the others."""
    wanted = frozenset(place.of for place in memory.sizes if place.what == SOME_OF)
    crowds = [(kind, crowd) for kind, crowd in shot.crowds.items()
              if crowd.count >= CROWD and (memory.taken == 0 or kind in wanted)]
    crowds.sort(key=lambda pair: len(pair[1].some))
    left = CROWD_OBJECTS
    for i, (kind, crowd) in enumerate(crowds):
        share = left // (len(crowds) - i)
        census = Census(known, shot.own_ids, shot.made[kind], share)
        census.look_at_all(crowd, turn)
        left -= share - max(0, census.left)
        for (which, offset), held in census.held.items():
            place = Place((kind, which, SOME_OF, offset))
            if shot.is_wanted(place):
                size, holders = next_figures(place, held, census.limit) if memory.taken else first_figures(held, census.limit)
                if size >= LARGE_BYTES:
                    shot.each[place] = census.limit, array.array("Q", held.sizes), array.array("Q", held.sizes.values())
                    yield place, held.place, size, holders
