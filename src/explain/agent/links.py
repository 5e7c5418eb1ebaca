# SPDX-License-Identifier: MIT
"""What is replaced by one that leads to it: a dict with the last dict in it, a function around the last function. No container
grows, and none of them is large."""
LINKED = (list, dict, types.FunctionType, types.MethodType, *GENERATORS)
LINKED_IDS = frozenset(map(id, LINKED))
LINK_OBJECTS = 3000  # on the way to the last one
LINKS_IN_ALL = 30000  # objects in one snapshot: some hundredths of a second
BEGUN = 1  # the figure of what may become a chain


class Links:
    """How much has come to what the program's own code holds by a name: the figures of CHAIN."""

    def __init__(self, known, ends):
        self.known, self.ends, self.left = known, ends, LINKS_IN_ALL
        self.ids, self.sizes, self.places = {}, {}, {}

    def look_at_all(self, values, place_at, holder):
        are_linked = map(LINKED_IDS.__contains__, map(id, map(type, values)))
        for which in itertools.compress(itertools.count(), are_linked):
            place = place_at(which, CHAIN)
            if memory.taken == 0 or place in memory.links:
                self.look_at(place, values[which], holder)

    def look_at(self, place, value, holder):
        self.ids[place], self.places[place] = id(value), (id(value), holder)
        size = self.more_than_last(place, value) if memory.taken > 0 else BEGUN
        if size:
            self.sizes[place] = size + (memory.sizes[place][-1] if place in memory.sizes else 0)

    def more_than_last(self, place, value):
        """Bytes; 0 if it does not lead to the last one."""
        last = self.find(value, memory.links[place]) if memory.links[place] != id(value) else None
        if last is None:
            return 0
        seen = set()
        self.measure(last, seen)
        return self.measure(value, seen)

    def measure(self, value, seen):
        size, _, looked = deep_size(value, self.known, seen, LINK_OBJECTS, self.ends)
        self.left -= looked
        return size

    def find(self, value, wanted):
        """The object with this id that another leads to; those of the program's own classes are looked at elsewhere."""
        todo, seen = collections.deque([value]), set()
        while todo and len(seen) < LINK_OBJECTS and self.left > 0:
            one = todo.popleft()
            if id(one) == wanted:
                return one
            if id(one) not in seen and self.is_followed(type(one)):
                seen.add(id(one))
                self.left -= 1
                todo.extend(kept_by(one))
        return None

    def is_followed(self, kind):
        return id(kind) not in SKIPPED_IDS and id(kind) not in self.ends and not issubclass(kind, type)
