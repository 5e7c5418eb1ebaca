# SPDX-License-Identifier: MIT
"""Who refers to what grows, step by step, until it has a name that a person finds in the source."""
STEPS = 8  # of referrers, from what grows to its name
FRONTIER = 24  # objects whose referrers are looked for at a time: each costs a comparison with every reference there is
TRIES = 3  # to find what is at a place before the program replaces it, and who refers to what
GROWING_ALIKE = 8  # containers in one, from which on they may have its name
NODE = 64  # references that a node of a context has at most
SEQUENCES = (list, tuple, collections.deque, set)
PLAIN_KEYS = frozenset(map(id, (int, bool, type(None))))


def attributes_of(value):
    """The __dict__ of an object by its type's own getter; None without one, or if the program has put another in its
    place."""
    for kind in mro_of(type(value)):
        getter = namespace_of(kind).get("__dict__")
        if getter is not None:
            break
    if type(getter) is not types.GetSetDescriptorType and type(getter) is not types.MemberDescriptorType:
        return None
    try:
        found = getter.__get__(value)
    except Exception:
        return None
    return found if type(found) is dict else None


def has_attributes(kind):
    """Whether its objects have a __dict__: those of some types of C do."""
    return any("__dict__" in namespace_of(base) for base in mro_of(kind))


def slot_of(holder, value_id):
    """The name of the slot of an object that holds this value; None."""
    for kind in mro_of(type(holder)):
        for name, member in list(namespace_of(kind).items()):
            if type(member) is types.MemberDescriptorType and name != "__dict__":
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


def field_text(kind, which):
    """Of an element of a tuple, if its class gives it a name."""
    for base in mro_of(kind):
        fields = namespace_of(base).get("_fields")
        if type(fields) is tuple:
            return ".%s" % fields[which] if which < len(fields) and type(fields[which]) is str else ""
    return ""


def is_element(holder, value_id):
    """Whether it is in a container, and not only an attribute of one of the program's own kind."""
    if id(type(holder)) in EXACT_IDS or type(holder) is tuple:
        return True
    base = next(base for base, _ in LENGTHS if issubclass(type(holder), base))
    values = dict.values(holder) if base is dict else base.__iter__(holder)
    return value_id in map(id, values)


def code_place(code):
    return "%s:%d" % (clean(os.path.basename(plain_text(code.co_filename))), code.co_firstlineno)


def function_name(function):
    return clean(plain_text(function.__qualname__).replace("<locals>.", ""))


class Way:
    """How a value is reached: from an object, by a text such as "['loss'][...]"."""

    def __init__(self, target, value_id, value, text="", key=None, rest="", below=None):
        self.target = target  # the id of what is to be named
        self.id, self.value = value_id, value  # of the object reached; value None: it must not be held
        self.text = text  # from it down to the target
        self.key, self.rest = key, rest  # the first step of that, if the object is a dict, and what follows
        self.below = below  # the way that it goes on

    def has_attribute(self):
        """Whether the object, a dict of attributes, is left by one of them, or is itself what is to be named."""
        return type(self.key) is str or self.id == self.target

    def attribute(self):
        return "__dict__" if self.id == self.target else self.key + self.rest

    def up(self, holder, text, key=None):
        return Way(self.target, id(holder), holder, text + self.text, key, self.text, self)

    def past(self, holder, text):
        """By an attribute of an object."""
        return Way(self.target, id(holder), holder, text, None, text, self)

    def up_tuple(self, tuple_id, text):
        return Way(self.target, tuple_id, None, text + self.text, None, text + self.text, self)


class Names:
    """Who refers to objects, step by step, until each has a name that a person finds in the source."""

    def __init__(self, shot, clock):
        self.shot = shot
        self.own = {id(globals())}  # ids of what the agent itself holds objects in
        self.clock = clock
        self.passing = {}  # names by a library's local variable: good where there is no other
        self.library = {}  # names by an attribute of a library's class: likewise, but better
        self.growing = frozenset()  # ids of all containers that grow
        self.alike = {}  # id of a target: (ids of those that grow beside it in one container, the text of its key there)
        self.weighty = set()  # ids of targets that matter most: of a library's object it is asked whose that is
        self.reached = set()  # (id of a target, id of an object) on ways so far
        self.found = {}  # id of a target: (name, place, own)
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
        self.take(namespace_names(values))

    def begin_above(self, pairs):
        """The same of objects that are not held, but whose places are known: (id, place) each."""
        best = {}
        for i, place in pairs:
            holder = self.shot.places[place][1]
            if type(holder) is types.FrameType:
                self.offer_local(Way(i, i, None), place.which, holder.f_code, best)
            else:
                self.relate(holder, Way(i, self.still_at(place), None), best, self.ways, self.ways)
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

    def find(self):
        """(name, place, whether it is of the program itself) of each that has one. A generator that runs is not seen by the
        collector, nor is one that rests a variable of a thread: who has no name is looked for again."""
        begin = self.ways
        for _ in range(TRIES):
            self.ways = begin
            self.follow_up()
            named = self.found.keys() | self.library.keys() | self.passing.keys()
            begin = [w for w in begin if w.target not in named]
            if not begin or self.clock.over():
                break
            self.locals = self.find_locals()
        self.found = {**self.passing, **self.library, **self.found}

    def follow_up(self):
        self.reached = {(w.target, w.id) for w in self.ways}
        for _ in range(STEPS):
            self.ways = [w for w in self.ways if w.target not in self.found]
            if not self.ways or self.clock.over():
                break
            self.ways = self.step(self.ways)

    def take(self, best):
        for target, (_, name, place, own) in best.items():
            if own or target not in self.library:
                self.found[target] = (clean(name), place, own)

    def step(self, ways):
        by_id, best, further, opaque = {}, {}, [], []
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
                    self.relate(holder, way, best, further, opaque)
        for way in ways:
            self.relate_functions(way, best)
        self.take(best)
        return self.first_reached(further + opaque)[: 4 * FRONTIER]

    def first_reached(self, ways):
        """Without those that come back to an object, or come to it again."""
        new = {}
        for way in ways:
            if (way.target, way.id) not in self.reached:
                new.setdefault((way.target, way.id), way)
        self.reached.update(new)
        return list(new.values())

    def holders(self, values, by_id):
        """(holder, {id: ways of what it may refer to}): who refers to these, and to the tuples that do. A tuple that somebody
        else refers to is complete."""
        below, above, inside = [], [], []
        self.leave_out(values, below, above, inside)
        referrers_of(values, self.shot.changing, self.shot.tuple_ids, below, above, inside)
        tuples = {}
        for i, kind, elements in inside:
            found = by_id.keys() & elements
            ways = [w.up_tuple(i, field_text(kind, elements.index(e))) for e in found for w in by_id[e]]
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
            self.passing.setdefault(way.target, (clean(name), place, False))
        else:
            offer(best, way.target, (3, name, place, True))

    def relate(self, holder, way, best, further, opaque):
        """One who refers to what has been reached: it gives the name, or is the next to be asked for; the opaque are when nobody
        else is left."""
        kind = type(holder)
        if id(kind) in self.shot.agents:
            return
        if way.id == way.target and issubclass(kind, (dict, *SEQUENCES)):
            self.note_alike(holder, way.target)
        if issubclass(kind, (dict, *SEQUENCES)) and is_element(holder, way.id):
            self.relate_container(holder, way, best, further)
        elif kind is types.FunctionType:
            if way.has_attribute() and way.id == id(holder.__dict__):
                name = "%s.%s" % (function_name(holder), way.attribute())
                offer_code(best, way.target, 2, name, holder.__code__)
        elif kind is LRU_CACHE:
            relate_cache(holder, way, best)
        elif id(kind) in GENERATOR_IDS:
            relate_generator(holder, way, best)
        elif issubclass(kind, type):
            if way.has_attribute() and refers_to(namespace_of(holder), {way.id}):
                name = "%s.%s" % (type_name(holder), way.attribute())
                offer(best, way.target, (1, name, "", is_own_module(module_of(holder))))
        elif kind is types.CellType or kind is types.MethodType or kind is functools.partial:
            further.append(way.up(holder, ""))
        elif is_class_made(kind) or has_attributes(kind):
            self.relate_instance(holder, way, best, further)
        elif kind is types.FrameType:
            if not any(holder is running for running in frames()):  # those are in self.locals
                relate_frame(holder, way, best)
        elif not relate_context(holder, way, best):
            opaque.append(way.up(holder, ""))

    def note_alike(self, holder, target):
        others = refers_to(holder, self.growing)
        if len(others) >= GROWING_ALIKE:
            key = key_of(holder, target) if issubclass(type(holder), dict) else None
            self.alike.setdefault(target, (others, key_text(key[0]) if key else "[...]"))

    def relate_container(self, holder, way, best, further):
        if not issubclass(type(holder), dict):
            further.append(way.up(holder, "" if type(holder) is tuple else "[...]"))
            return
        key = key_of(holder, way.id)
        if key is None:
            return
        module = module_with(holder)
        if module is None:
            further.append(way.up(holder, key_text(key[0]), key[0]))
        elif type(key[0]) is str:
            name = "%s.%s%s" % (module, key[0], way.text)
            offer(best, way.target, (0 if module == "__main__" else 2, name, "", is_own_module(module)))

    def relate_instance(self, holder, way, best, further):
        name, rest = slot_of(holder, way.id) or self.attribute_of(holder, way.id), way.text
        attributes = attributes_of(holder) if name is None else None
        if attributes is not None and id(attributes) == way.id:
            name, rest = way.attribute() if way.has_attribute() else None, ""
        elif attributes is not None:
            name = (key_of(attributes, way.id) or (None,))[0]
        if type(name) is str:
            self.relate_attribute(holder, way, name + rest, best, further)
        elif attributes is None or id(attributes) != way.id:
            further.append(way.up(holder, ""))

    def relate_attribute(self, holder, way, text, best, further):
        kind = type(holder)
        own = is_own_module(module_of(kind))
        name = "%s.%s" % (type_name(kind), text)
        if own or way.target not in self.weighty:
            offer(best, way.target, (1, name, "", own))
        else:
            self.library.setdefault(way.target, (clean(name), "", False))
            further.append(way.past(holder, "." + text))

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
                        offer_code(best, way.target, 2, text, code)
            elif any(one is way.value for one in defaults) or named is way.value and named is not None:
                text = "a default argument of %s()%s" % (function_name(function), way.text)
                offer_code(best, way.target, 2, text, code)


def module_with(names):
    """The name of the module, or of the code that was run by exec(), whose variables are in this dict; None."""
    name = names.get("__name__") if type(names) is dict else None
    if type(name) is not str:
        return None
    module = sys.modules.get(name)
    is_its_own = issubclass(type(module), types.ModuleType) and module_dict_of(module) is names
    return name if is_its_own or "__builtins__" in names else None


def namespace_names(values):
    """Of those of these that are the variables of a module, or an object that has its attributes in no dict."""
    best = {}
    for one in values:
        module = module_with(one)
        if module is not None:
            offer(best, id(one), (0, module + ".__dict__", "", is_own_module(module)))
        elif kind_of(one) == "object":
            offer(best, id(one), (1, type_name(type(one)) + ".__dict__", "", is_own_module(module_of(type(one)))))
    return best


def local_text(name, text, code):
    return "%s%s, local of %s()" % (name, text, clean(code_name(code)))


def relate_cache(holder, way, best):
    wrapped = (attributes_of(holder) or {}).get("__wrapped__")
    if type(wrapped) is types.FunctionType and type(way.value) is dict:
        text = "the lru_cache of %s()%s" % (function_name(wrapped), way.text)
        offer_code(best, way.target, 1, text, wrapped.__code__)


def relate_context(holder, way, best):
    """A context keeps what its variables are set to in nodes of C, each value followed by the variable; whether it is one."""
    for value_id, variable in context_items(holder):
        if value_id == way.id:
            offer(best, way.target, (2, "context variable %s%s" % (plain_text(variable.name), way.text), "", True))
            return True
    return False


def context_items(node):
    """[(id of a value, its variable)]: only variables are held, for the program may be about to change a value."""
    kind, box, ids, found = known_type("_contextvars", "ContextVar"), [], [], []
    if kind is None:
        return found
    after, are_variables = itertools.islice(box, 1, None), map(operator.is_, map(type, box), itertools.repeat(kind))
    collections.deque(itertools.chain(
        fill(box, itertools.islice(ask(gc.get_referents, (node,)), NODE)),
        fill(ids, map(id, box)),
        fill(found, itertools.compress(zip(ids, after), itertools.islice(are_variables, 1, None))),
        map(list.clear, (box,))), 0)
    return found


def relate_generator(holder, way, best):
    frame = getattr(holder, "gi_frame", None) or getattr(holder, "cr_frame", None) or getattr(holder, "ag_frame", None)
    if frame is not None:
        relate_frame(frame, way, best)


def relate_frame(frame, way, best):
    """Before CPython 3.11, of a generator that rests the frame has the variables."""
    name = local_names(frame).get(way.id) if frame.f_globals is not globals() else None
    if name is not None:
        offer_code(best, way.target, 2, local_text(name, way.text, frame.f_code), frame.f_code)


def offer(best, target, name):
    """(rank, name, place, whether it is of the program itself)"""
    if target not in best or name[:2] < best[target][:2]:
        best[target] = name


def offer_code(best, target, rank, name, code):
    offer(best, target, (rank, name, code_place(code), not is_library(code.co_filename)))


def code_name(code):
    return plain_text(getattr(code, "co_qualname", code.co_name)).replace("<locals>.", "")
