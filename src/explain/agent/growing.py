# SPDX-License-Identifier: MIT
"""What has grown from one snapshot to the next, in the lines of an answer."""
NAMES_MAX = 12  # in an answer
SINGLES = 8  # large objects, and graphs, that are named
NAMELESS = "", "", False
PART = 200  # of what has grown most: what has grown by less is not looked for
EVEN = 8  # times as much as in another interval is not the same growth


def keep_grown(shot):
    """Figures of the containers that have grown each time; from the second snapshot on there are few."""
    memory.ids, memory.figures = shot.ids, shot.figures
    memory.grown = {i: (*memory.grown.get(i, (shot.before[i],)), now) for i, (_, now) in shot.grown.items()}


def more_each_time(before, now):
    """{key: figures so far} of those that are more than at the last snapshot."""
    if memory.taken == 0:
        return {key: (n,) for key, n in now.items()}
    return {key: was + (now[key],) for key, was in before.items() if now.get(key, 0) > was[-1]}


def keep_figures(shot):
    memory.counts = more_each_time(memory.counts, {i: n for i, n in shot.counts.items() if i in shot.made})
    memory.sizes = more_each_time(memory.sizes, shot.sizes)
    memory.each = {place: what for place, what in shot.each.items() if place in memory.sizes}
    memory.holders = more_each_time(memory.holders, shot.holders)
    memory.nodes = more_each_time(memory.nodes, shot.nodes)
    memory.links = shot.links
    memory.heads = shot.heads
    if memory.taken > 0:
        memory.chained = shot.chained if memory.chained is None else memory.chained & shot.chained


def follow(shot, figures):
    """Looking for names may have given an object a __dict__, to which its attributes have moved. Of those of a class of which
    some are looked at it makes no difference."""
    for place in list(figures):
        value_id, holder = shot.places[place]
        if place.what == SOME_OF or id(type(holder)) not in shot.made or refers_to(holder, {value_id}):
            continue
        attributes = attributes_of(holder) or {}
        ids = list(map(id, ask(gc.get_referents, (attributes,))))
        if value_id in ids:
            moved = Place((id(attributes), ids.index(value_id), place.what, 0))
            figures[moved] = figures.pop(place)
            memory.rooms.append(id(attributes))
            if place in memory.links:
                memory.links[moved] = memory.links.pop(place)
            if place in memory.heads:
                memory.heads[moved] = memory.heads.pop(place)
                memory.chained |= {moved} if place in memory.chained else set()


def is_even(figures):
    """Batches of any length are larger twice in a row by chance, and by more one time than the other."""
    steps = [b - a for a, b in zip(figures, figures[1:])]
    return max(steps) <= EVEN * min(steps)


def growing_containers(values, known):
    grown = [Growth(one, memory.grown[id(one)], known) for one in values]
    grown = [g for g in grown if g.of and not g.weak]
    grown.sort(key=lambda g: (g.graph, g.quick), reverse=True)
    for g in grown[:NAMES_MAX]:
        g.measure(known)
    return grown


def join_alike(grown, everyone, names):
    """Many in one container, all of which grow, are one: under its name. everyone: {id: Growth}."""
    told, joined = set(), []
    for g in grown:
        name, place, own = names.found.get(id(g.value), NAMELESS)
        alike, key = names.alike.get(id(g.value), ((), ""))
        before, found, after = name.rpartition(key) if key else ("", "", "")
        if id(g.value) not in told:
            joined.append(g)
            if found and not g.devices:
                g.take_in([everyone[i] for i in alike if i in everyone])
                names.found[id(g.value)] = before + "[...]" + after, place, own
                told.update(alike)
    return joined


def container_lines(grown, names, held_bytes):
    """But one that nobody is seen to refer to is a part of the object that has grown by as much: a StringIO's, in C."""
    for g in grown:
        if id(g.value) not in names and 2 * held_bytes >= g.bytes:
            continue
        name, place, own = names.get(id(g.value), NAMELESS)
        for device, size in [("", g.bytes), *g.devices.items()]:
            if size or not g.devices:
                yield ("name", name, g.kind, g.of, g.detail, device, g.count, size, int(g.graph), 0, place, int(own),
                       int(g.opaque))


class Single:
    """An object that is replaced by ever larger ones, or a tensor by ones with ever longer graphs."""

    def __init__(self, value_id):
        self.id = value_id
        self.bytes = self.nodes = 0
        self.holders_more = 0  # one in each of so many objects or calls more, instead of one that gets larger
        self.of_class = True  # all places are those of classes
        self.of_calls = True  # all are local variables
        self.whole = False  # what it leads to is in its bytes
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
            single.of_class = single.of_class and place.what in (ALL_OF, SOME_OF)
            single.of_calls = single.of_calls and type(shot.places[place][1]) is types.FrameType
            if place in memory.holders:
                single.holders_more = memory.holders[place][-1] - memory.holders[place][0]
            single.places.append(place)
            single.what = describe(value, known)
            single.whole = id(type(value)) not in known.measures
    return list(found.values())


def kind_of_single(single):
    if single.holders_more and single.of_class:
        return "objects"
    return "calls" if single.holders_more and single.of_calls else "object"


def single_lines(singles, names, kept_bytes):
    """But what containers keep is named by them, not by the class of their elements or by what leads to them."""
    for s in singles:
        name, place, own = names.get(s.id, NAMELESS)
        of, detail, device = s.what
        if s.nodes:
            yield ("name", name, "graph", of, "", "", 0, 0, 1, s.nodes, place, int(own), 0)
        elif s.bytes and not ((s.of_class or s.whole) and 2 * kept_bytes >= s.bytes):
            kind = kind_of_single(s)
            yield ("name", name, kind, of, detail, "" if device == "cpu" else device,
                   s.holders_more if kind != "object" else 0, s.bytes, 0, 0, place, int(own), 0)


def type_lines(shot):
    more = sorted(((was[-1] - was[0], i) for i, was in memory.counts.items() if len(was) == memory.taken), reverse=True)
    for count, i in more[:NAMES_MAX]:
        kind = shot.made[i]
        module = module_of(kind)
        yield ("type", "%s.%s" % (clean(module) if type(module) is str else "?", type_name(kind)), count)


def compare(shot, known, clock):
    if shot.nodes:
        count_nodes(shot, known, clock)
    shot.leave_out(*vars(memory).values(), *vars(shot).values())
    keep_grown(shot)
    keep_figures(shot)
    if memory.taken == 0:
        memory.rooms = shot.rooms
    memory.taken += 1


def largest(those, key):
    return heapq.nlargest(1, those, key=key)


class Question:
    """Who keeps what has grown? It alone is held while its names are looked for."""

    def __init__(self, shot, known, clock):
        self.known = known
        self.values = [one for one, _ in shot.grown.values()]
        singles = growing_singles(shot, known)
        self.most = max([s.bytes for s in singles], default=0)
        self.singles = [s for s in singles if s.nodes or self.matters(s.bytes)]
        self.names = Names(shot, clock)
        self.names.weighty = {s.id for s in largest(self.singles, operator.attrgetter("bytes", "nodes"))}
        self.names.begin_above([(s.id, place) for s in self.singles for place in s.places])
        follow(shot, memory.sizes)
        follow(shot, memory.nodes)

    def matters(self, size):
        """The search for one that is not found takes longest, and nobody will read of the smallest."""
        return PART * size >= self.most

    def lines(self):
        everyone = growing_containers(self.values, self.known)
        self.most = max([self.most, *map(Growth.all_bytes, everyone[:NAMES_MAX])])
        grown = [g for g in everyone[:NAMES_MAX] if g.graph or g.opaque or self.matters(g.all_bytes())]
        self.names.begin_with([g.value for g in grown])
        self.names.growing = frozenset(id(g.value) for g in everyone)
        self.names.weighty |= {id(g.value) for g in largest(grown, Growth.all_bytes)}
        self.names.leave_out(self.values, everyone, grown, vars(self), *map(vars, everyone))
        self.names.clock = Clock()  # to measure models takes long, and without a name their bytes say nothing
        self.names.find()
        grown, found = join_alike(grown, {id(g.value): g for g in everyone}, self.names), self.names.found
        kept = sum(g.all_bytes() for g in grown if id(g.value) in found)
        held = max([s.bytes for s in self.singles if s.whole and s.id in found], default=0)
        return [*container_lines(grown, found, held), *single_lines(self.singles, found, kept)]
