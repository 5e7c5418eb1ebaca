# SPDX-License-Identifier: MIT
"""usage: leaks.py KIND EPOCHS: a program that keeps some 600 KiB more in each epoch, in one of many ways; plain Python."""
import collections
import contextvars
import functools
import io
import itertools
import queue
import sys
import types

sys.dont_write_bytecode = True
from pace import ROWS, epoch_ends

KIB = 1024
REPLACED_ROWS = 40  # of an epoch: there are two of what is replaced for a moment, which must not be most of it


def batch():
    return bytearray(b"x") * (600 * KIB)


class BadCallback:
    cache = {}

    def __init__(self):
        self.saved = []
        self.seen = {}
        self.hidden = batch()
        self.queue = collections.deque()
        self.state = {"steps": 0, "outputs": batch()}
        self.rows = ()
        self.stream = io.BytesIO()
        self.text = io.StringIO()
        self.results = queue.Queue()
        self.ring = [None] * 1000

    def attribute(self, epoch):
        self.saved.append(batch())

    def attribute_dict(self, epoch):
        self.seen[epoch] = batch()

    def attribute_deque(self, epoch):
        self.queue.append(batch())

    def library_object(self, epoch):
        """Nobody takes them out again."""
        self.results.put(batch())

    def filled(self, epoch):
        """A list that was made at its full length."""
        self.ring[epoch] = batch()

    def class_attribute(self, epoch):
        BadCallback.cache["batch %d" % epoch] = batch()

    def replaced(self, epoch):
        self.hidden = self.hidden + batch()

    def replaced_tuple(self, epoch):
        self.rows = self.rows + (batch(),)

    def buffer(self, epoch):
        self.stream.write(batch())

    def text_buffer(self, epoch):
        self.text.write(batch().decode())

    def replaced_value(self, epoch):
        self.state["outputs"] = self.state["outputs"] + batch()


class Slotted:
    __slots__ = ("kept",)

    def __init__(self):
        self.kept = []

    def slot(self, epoch):
        self.kept.append(batch())


class Kept(list):
    """A list of one's own."""

    def __init__(self):
        self.outputs = []


class Options(dict):
    def __init__(self):
        super().__init__(rate=0.1)
        self.outputs = {}


class Progress(collections.namedtuple("Progress", "steps outputs")):
    def __iter__(self):
        raise SystemError("called")


history = {"loss": [], "<img src=x>&amp;": []}
subclassed, options, progress = Kept(), Options(), {"fold 1": Progress(0, [])}


def module_variable(epoch):
    history["loss"].append(batch())


def markup(epoch):
    history["<img src=x>&amp;"].append(batch())


def list_subclass(epoch):
    subclassed.append(batch())


def list_attribute(epoch):
    subclassed.outputs.append(batch())


def dict_attribute(epoch):
    options.outputs[epoch] = batch()


def named_tuple(epoch):
    progress["fold 1"].outputs.append(batch())


requests = contextvars.ContextVar("requests")
session = contextvars.ContextVar("session")


def context_variable(epoch):
    if epoch == 0:
        requests.set([])
        session.set({"outputs": []})
    requests.get().append(batch())


def context_variable_dict(epoch):
    if epoch == 0:
        context_variable(epoch)
    session.get()["outputs"].append(batch())


@functools.lru_cache(maxsize=None)
def embed(epoch):
    return batch()


def default_argument(epoch, memo={}):
    memo[epoch] = batch()


def function_attribute(epoch):
    function_attribute.calls.append(batch())


function_attribute.calls = []


def make_closure():
    kept = []

    def closure(epoch):
        kept.append(batch())

    return closure


def make_replacing(add, whole):
    """A closure whose variable is replaced by what add() makes of it."""

    def replacing(epoch):
        nonlocal whole
        whole = add(whole)

    return replacing


def keep_batches():
    batches = []
    while True:
        batches.append(batch())
        yield len(batches)


class Settings:
    """With more attributes than an object has without a dict."""

    def __init__(self):
        vars(self).update(("option_%d" % i, i) for i in range(40))


settings_of_run = Settings()


def ever_more_attributes(holder):
    return lambda epoch: setattr(holder, "batch_%d" % epoch, batch())


def module_attributes(epoch):
    globals()["batch_%d" % epoch] = batch()


def function_attributes(epoch):
    setattr(function_attributes, "batch_%d" % epoch, batch())


class Nested:
    def __init__(self):
        self.runs = {"train": {"outputs": [[]]}}

    def nested(self, epoch):
        self.runs["train"]["outputs"][0].append(batch())


class Node:
    def __init__(self, before):
        self.before = before
        self.data = batch()


class Item:
    """Of a dataset, which is there from the start."""

    def __init__(self):
        self.pixels = None


class Step:
    def __init__(self, before):
        self.before = before
        self.grid = [0] * 2000


nodes = steps_back = None
items = [Item() for _ in range(4000)]
by_user = collections.defaultdict(collections.Counter)


def chain(epoch):
    """No container grows: each object holds the one before."""
    global nodes
    nodes = Node(nodes)


steps_taken, transform, numbers = None, None, itertools.repeat(1)


def chain_of_dicts(epoch):
    """Each has the one before in it."""
    global steps_taken
    for _ in range(20):
        steps_taken = {"before": steps_taken, "outputs": bytearray(30 * KIB)}


class Agent:
    path = ()

    def step(self, epoch):
        for _ in range(20):
            self.path = [bytearray(30 * KIB), self.path]


def chain_of_functions(epoch):
    """Each calls the one before."""
    global transform
    before, table = transform, [float(i) for i in range(15000)]

    def transform(x):
        return before(x) + table[0]


def chain_of_generators(epoch):
    """Each takes from the one before."""
    global numbers
    numbers = shifted(numbers, [float(i) for i in range(15000)])
    next(numbers)


def shifted(source, table):
    for x in source:
        yield x + table[0]


def items_filled(epoch):
    for item in items[100 * epoch : 100 * epoch + 100]:
        item.pixels = bytearray(6 * KIB)


def chain_of_small(epoch):
    global steps_back
    for _ in range(40):
        steps_back = Step(steps_back)


def many_counters(epoch):
    for user in range(100):
        by_user["user %d" % user].update("%d-%d" % (epoch, i) for i in range(70))


whole = batch()


def replaced_variable(epoch):
    global whole
    whole = whole + batch()


log = ""
feed, behind = itertools.tee(map(lambda _: batch(), itertools.count()))


def replaced_text(epoch):
    global log
    log += batch().decode()


def tee(epoch):
    """What one has been given is kept for the other."""
    next(feed)


class State:
    """Replaced as a whole by its next()."""

    def __init__(self, outputs):
        self.outputs = outputs

    def next(self):
        return State(self.outputs + batch())


state = State(batch())


def replaced_state(epoch):
    global state
    state = state.next()


hooks, errors, tables, settings = [], [], [], types.SimpleNamespace(runs=[])


def hook(epoch):
    """What is kept is in the closure of each function."""
    outputs = batch()
    hooks.append(lambda: outputs)


def builtin_method(epoch):
    """What is kept is what each is a method of."""
    hooks.append(batch().extend)


def namespace(epoch):
    settings.runs.append(batch())


def exception(epoch):
    """What is kept is a variable of the function that failed."""
    try:
        fail(batch())
    except ValueError as error:
        errors.append(error)


def fail(outputs):
    raise ValueError("bad batch")


def table(epoch):
    tables.append([[float(i)] for i in range(5000)])


def steps():
    callback, slotted, generator = BadCallback(), Slotted(), keep_batches()
    return {
        "attribute": callback.attribute,
        "attribute-dict": callback.attribute_dict,
        "attribute-deque": callback.attribute_deque,
        "class-attribute": callback.class_attribute,
        "library-object": callback.library_object,
        "filled": callback.filled,
        "replaced": callback.replaced,
        "replaced-value": callback.replaced_value,
        "replaced-variable": replaced_variable,
        "replaced-state": replaced_state,
        "replaced-text": replaced_text,
        "replaced-tuple": callback.replaced_tuple,
        "buffer": callback.buffer,
        "text-buffer": callback.text_buffer,
        "tee": tee,
        "slot": slotted.slot,
        "module-variable": module_variable,
        "markup": markup,
        "list-subclass": list_subclass,
        "list-attribute": list_attribute,
        "dict-attribute": dict_attribute,
        "named-tuple": named_tuple,
        "lru-cache": embed,
        "context-variable": context_variable,
        "context-variable-dict": context_variable_dict,
        "default-argument": default_argument,
        "function-attribute": function_attribute,
        "object-attributes": ever_more_attributes(settings_of_run),
        "class-attributes": ever_more_attributes(Settings),
        "module-attributes": module_attributes,
        "function-attributes": function_attributes,
        "closure": make_closure(),
        "replaced-closure": make_replacing(lambda whole: whole + batch(), batch()),
        "replaced-closure-text": make_replacing(lambda whole: whole + batch().decode(), ""),
        "replaced-closure-tuple": make_replacing(lambda whole: (*whole, batch()), ()),
        "generator": lambda epoch: next(generator),
        "nested": Nested().nested,
        "chain": chain,
        "chain-of-dicts": chain_of_dicts,
        "chain-of-lists": Agent().step,
        "chain-of-functions": chain_of_functions,
        "chain-of-generators": chain_of_generators,
        "items-filled": items_filled,
        "chain-of-small": chain_of_small,
        "many-counters": many_counters,
        "hook": hook,
        "builtin-method": builtin_method,
        "namespace": namespace,
        "exception": exception,
        "table": table,
        "steady": lambda epoch: None,
    }


def train_with_local(epochs):
    outputs = []
    for epoch in range(epochs):
        outputs.append(batch())
        epoch_ends(epoch + 1, epochs)


def train_with_replaced_local(epochs):
    outputs = batch()
    for epoch in range(epochs):
        outputs = outputs + batch()
        epoch_ends(epoch + 1, epochs, REPLACED_ROWS)


def train_with_replaced_pair(epochs):
    pair = 0, ()
    for epoch in range(epochs):
        pair = epoch, pair[1] + (batch(),)
        epoch_ends(epoch + 1, epochs)


def main():
    kind, epochs = sys.argv[1], int(sys.argv[2])
    if kind == "local":
        return train_with_local(epochs)
    if kind == "replaced-local":
        return train_with_replaced_local(epochs)
    if kind == "replaced-pair":
        return train_with_replaced_pair(epochs)
    step = steps()[kind]
    for epoch in range(epochs):
        step(epoch)
        epoch_ends(epoch + 1, epochs, REPLACED_ROWS if kind.startswith("replaced") else ROWS)


main()
