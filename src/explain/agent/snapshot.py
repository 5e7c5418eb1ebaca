# SPDX-License-Identifier: MIT
"""One look at all objects."""
NEVER = 2**64 - 1  # the figure that no container exceeds
AT_ONCE = 1000  # objects whose references are looked at in one call
# Classes of these say what the program is, and hold nothing of what it works with.
STANDARD = frozenset(getattr(sys, "stdlib_module_names", ("inspect", "typing", "functools", "weakref", "_frozen_importlib",
                                                          "_frozen_importlib_external", "enum", "re", "ast", "abc")))

count_elements = collections._count_elements


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


def groups_of(made, derived):
    """{id of a type: its group} of what is looked at in the collector's list."""
    groups = dict.fromkeys(itertools.chain(made, CELL_IDS), OTHER)
    groups.update(dict.fromkeys(derived, DERIVED))
    groups.update({id(kind): {list: LIST, dict: DICT}.get(kind, PLAIN) for kind in EXACT})
    groups[id(types.FunctionType)] = FUNCTION
    return groups


class Snapshot:
    """One look at all objects; holds them until it lets go of them. The first keeps what each is like; the next look only at
    what may have grown since."""

    def __init__(self, known):
        changing = (frozenset,) if known.array is None else (frozenset, known.array)
        self.tuple_ids = frozenset(classes_from(tuple))
        self.changing = self.tuple_ids.union(*map(classes_from, changing))
        self.made = {i: kind for i, kind in classes_from(object).items()
                     if i not in self.changing and is_class_made(kind) and not is_standard(kind)}
        self.agents = frozenset(map(id, (Way, Names, Growth, Single, Known, Memory, Clock, Snapshot, Gleaning, Graphs, Measuring,
                                         Crowd, Held, Census, Links)))
        self.ids, self.figures = array.array("Q"), array.array("d")  # of containers, in the first
        self.before = {}  # {id: figure}, in the next
        self.grown = {}  # id: (container, its figure)
        self.rooms = array.array("Q")  # ids of those that had what is known by its place, in the first
        self.looked_into = frozenset(memory.rooms)
        self.classes = frozenset(place.of for place in memory.sizes if place.what == ALL_OF)
        self.counts = {}  # id of a type: its objects, of those that are listed and no plain container
        self.places = {}  # place: (id of the object there, its holder)
        self.sizes, self.nodes = {}, {}  # place: bytes of a large object, nodes of a graph
        self.heads, self.chained = {}, set()  # place: the number of a graph's first node; graphs that have the last ones in them
        self.holders = {}  # place of a class or a function: how many of its objects or calls have a large one there
        self.variables = set()  # ids of large objects that have been counted
        self.links = {}  # place: the id of what may be replaced by one that leads to it
        self.each = {}  # place of a class of which some are looked at: see Memory
        self.unlisted = {}  # id: a dict that the collector does not list
        self.own_ids = frozenset(i for i, kind in self.made.items() if is_own_module(module_of(kind)))
        self.crowds = {}  # id of one of the program's own classes: its objects, or some of them
        self.functions = self.program = None
        derived = frozenset(itertools.chain.from_iterable(classes_from(base) for base, _ in LENGTHS)) - EXACT_IDS
        self.moment = time.monotonic_ns()
        self.objects, self.listed = listed(groups_of(self.made, derived))

    def look(self, known, turn):
        """A few at a time: what they are is in the processor's cache then when their references are asked for."""
        self.before = memory.figures_before(turn)
        for group, those in enumerate(self.listed[:FUNCTION]):
            those = iter(those)
            for _ in range(0, len(self.listed[group]), AT_ONCE):
                self.look_at(list(itertools.islice(those, AT_ONCE)), group, known)
                turn.step()
        self.look_at_functions(known)
        unlisted = list(self.unlisted.values())
        for i in range(0, len(unlisted), AT_ONCE):
            self.look_at(unlisted[i : i + AT_ONCE], DICT, known)
            turn.step()
        links = Links(known, self.own_ids)
        for place, value_id, size, holder in own_places(self, known, links, turn):
            self.take_size(place, value_id, holder, size)
            memory.cells = memory.cells or type(holder) is types.CellType
        self.look_at_classes()
        for place, where, size, holders in crowd_places(self, known, turn):
            self.places[place], self.sizes[place], self.holders[place] = where, size, holders
        self.links = links.ids
        self.sizes.update(links.sizes)
        self.places.update(links.places)

    def look_at(self, some, group, known):
        if group >= DERIVED:
            self.count_kinds(some)
        if group <= DERIVED:
            some = self.take_lengths(some, group)
        some = self.worth_looking(some, group)
        if some:
            self.look_below(some, known)

    def count_kinds(self, some):
        kinds = list(map(id, map(type, some)))
        count_elements(self.counts, kinds)
        own = {kind: [] for kind in self.own_ids.intersection(kinds)}
        if own:
            are_own = list(map(own.__contains__, kinds))
            lists = map(own.__getitem__, itertools.compress(kinds, are_own))
            collections.deque(map(list.append, lists, itertools.compress(some, are_own)), 0)
        for kind, objects in own.items():
            self.crowds.setdefault(kind, Crowd()).add(objects)

    def take_lengths(self, some, group):
        """Those of these containers that are neither empty nor too long to be looked into."""
        lengths = list(map(length_of if group == DERIVED else len, some))
        some, lengths = list(itertools.compress(some, lengths)), list(filter(None, lengths))
        self.add_containers(some, figures_of(some, lengths) if group == LIST else lengths)
        if lengths and max(lengths) > LOOKED_INTO:
            return list(itertools.compress(some, map(LOOKED_INTO.__ge__, lengths)))
        return some

    def add_containers(self, containers, figures):
        """What is empty has not grown, nor will it have grown each time."""
        if memory.taken == 0:
            self.ids.extend(map(id, containers))
            self.figures.extend(figures)
            return
        was = list(map(self.before.get, map(id, containers), itertools.repeat(NEVER)))
        more = list(map(operator.lt, was, figures))
        if True in more:
            for one, figure in zip(itertools.compress(containers, more), itertools.compress(figures, more)):
                self.grown[id(one)] = one, figure

    def worth_looking(self, some, group):
        """Where something was found the first time, and objects of classes of which all are looked at."""
        if memory.taken == 0:
            return some
        there = map(self.looked_into.__contains__, map(id, some))
        if group >= DERIVED and self.classes:
            there = map(operator.or_, there, map(self.classes.__contains__, map(id, map(type, some))))
        return list(itertools.compress(some, there))

    def is_wanted(self, place):
        return memory.taken == 0 or place in memory.sizes

    def look_below(self, holders, known):
        """Dicts of what is no container are not in the collector's list before 3.14; bytes, arrays and tensors of some
        kinds never."""
        counts = []
        gleaned = glean(lambda: references(holders), known, lambda: refill(counts, counts_of(holders)))
        self.take(gleaned, holders, known, counts, lambda k, which: place_of(holders[k], counts[k], which))

    def look_at_functions(self, known):
        """Default arguments and attributes, and the variables of functions that run."""
        own = self.own_functions()
        defaults = [f.__defaults__ for f in own if f.__defaults__]
        for lists in (lambda: map(list, defaults), lambda: references(own)) if own else ():
            self.add_unlisted(glean(lists, known).unlisted())
        self.look_at_variables(functions_only(frames()), known)

    def look_at_variables(self, running, known):
        names = []
        gleaned = glean(lambda: local_values(running), known, lambda: itertools.chain(
            refill(names, map(list, map(keys_of, map(locals_of, running)))), forgotten(running)))
        self.take(gleaned, running, known, list(map(len, names)), lambda k, which: variable_place(running[k].f_code, names[k], which))

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
        if value_id in sizes:
            self.take_size(place, value_id, holder, sizes[value_id])
        self.places[place] = value_id, holder
        if value_id in graphs:
            self.nodes[place] = 0

    def take_size(self, place, value_id, holder, size):
        """A function may run many times at once, in as many threads: what one of its variables has in all of them is one figure."""
        if type(holder) is types.FrameType and place in self.sizes:
            more = value_id not in self.variables
            size, self.holders[place] = self.sizes[place] + more * size, self.holders.get(place, 1) + more
        elif type(holder) is types.FrameType:
            self.holders[place] = 1
        self.variables.add(value_id)
        self.places[place], self.sizes[place] = (value_id, holder), size

    def look_at_classes(self):
        """Where the holder is another, too, as the state of a dataclass that is replaced, or one of a chain: what all objects of
        a class hold at this place."""
        largest = {}
        for place, size in list(self.sizes.items()):
            value_id, holder = self.places[place]
            if id(type(holder)) in self.made:
                every = Place((id(type(holder)), place.which, ALL_OF, 0))
                self.sizes[every] = self.sizes.get(every, 0) + size
                self.holders[every] = self.holders.get(every, 0) + 1
                if size > largest.get(every, 0):
                    largest[every], self.places[every] = size, (value_id, holder)

    def value_at(self, place):
        """What is there now, which may be another already; None. In one call of C: the program may be about to replace it."""
        holder, which = self.places[place][1], place.which
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
        self.crowds = self.unlisted = self.grown = self.ids = self.figures = self.before = self.places = None

    def own_functions(self):
        if self.program is None:
            self.program = list(own_functions())
        return self.program

    def functions_with_cell(self):
        if self.functions is None:
            self.functions = [f for f in listed({id(types.FunctionType): OTHER})[1][OTHER] if f.__closure__]
        return self.functions
