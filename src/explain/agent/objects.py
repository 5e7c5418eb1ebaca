# SPDX-License-Identifier: MIT
"""Objects, references and variables, in single calls of C, without letting the program see it."""
PIECE = 4096  # objects of the collector's list at a time: they fit into a processor's cache
FRAMES_MAX = 200  # of a thread
# Modules that run Python functions for each line, and give a frame's f_locals back to it.
TRACERS = ("bdb", "pydevd", "profile", "trace", "coverage")
LIVE_LOCALS = sys.version_info >= (3, 13)  # no copy of them is left in the frame
LIBRARIES = ("/site-packages/", "/dist-packages/", os.path.dirname(os.__file__) + "/", "<frozen")

is_none = functools.partial(operator.is_, None)
closure_of = operator.attrgetter("__closure__")
file_of = operator.attrgetter("__code__.co_filename")
locals_of = operator.attrgetter("f_locals")
values_of = operator.methodcaller("values")
keys_of = operator.methodcaller("keys")
items_of = operator.methodcaller("items")


def ask(call, arguments=()):
    """What a call of the collector's returns, one by one; it is called when the first is asked for."""
    return itertools.chain.from_iterable(itertools.starmap(call, (arguments,)))


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


def referrers_of(values, changing, tuple_ids, below, above, inside):
    """Who refers to these into below, but for what may be changing; (id, type, ids of elements) of the tuples that do into
    inside, and who refers to those into above. In one call of C, and without the methods of tuples of one's own."""
    box, kinds, tuples, higher = [], [], [], []
    steady = map(operator.not_, map(changing.__contains__, kinds))
    above_kinds = map(id, map(type, higher))
    collections.deque(itertools.chain(
        fill(box, ask(gc.get_referrers, values)),
        fill(kinds, map(id, map(type, box))),
        fill(below, itertools.compress(box, steady)),
        fill(tuples, itertools.compress(box, map(tuple_ids.__contains__, kinds))),
        fill(inside, zip(map(id, tuples), map(type, tuples),
                         map(list, map(map, itertools.repeat(id), map(tuple.__iter__, tuples))))),
        fill(higher, itertools.chain.from_iterable(itertools.starmap(gc.get_referrers, filter(None, (tuples,))))),
        fill(above, itertools.compress(higher, map(operator.not_, map(changing.__contains__, above_kinds)))),
        map(list.clear, (box, tuples, higher))), 0)


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


def local_items(frame):
    """[(name, value)] of a function's variables."""
    frames = functions_only((frame,))
    pairs = list(itertools.chain.from_iterable(map(items_of, map(locals_of, frames))))
    collections.deque(forgotten(frames), 0)
    return pairs


def local_names(frame):
    """{id of a value: its name} of a function's variables."""
    frames = functions_only((frame,))
    pairs = itertools.chain.from_iterable(map(items_of, map(locals_of, frames)))
    return dict(filter(None, itertools.chain(with_ids(pairs), forgotten(frames))))


def with_ids(pairs):
    """(id of a value, its name) for (name, value)"""
    one, two = itertools.tee(pairs)
    return zip(map(id, map(operator.itemgetter(1), one)), map(operator.itemgetter(0), two))


def is_library(file):
    """What is not a plain text may be a class of the program's, whose methods must not be run."""
    return type(file) is not str or any(part in file for part in LIBRARIES)


def own_cells(functions):
    """The variables that those of these functions which are of the program itself have from the functions around them. Not of
    each function its own list: most have none."""
    closures = list(map(closure_of, functions))
    files = [file if type(file) is str else None for file in map(file_of, itertools.compress(functions, closures))]
    own = {file for file in set(files) if not is_library(file)}
    cells = itertools.chain.from_iterable(itertools.compress(filter(None, closures), map(own.__contains__, files)))
    return list({id(cell): cell for cell in cells}.values())


def is_own_module(name):
    """Whether this module is of the program, and of no library."""
    module = sys.modules.get(name) if type(name) is str else None
    if not issubclass(type(module), types.ModuleType):
        return False
    file = module_dict_of(module).get("__file__")
    return name == "__main__" or type(file) is str and not is_library(file)


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
