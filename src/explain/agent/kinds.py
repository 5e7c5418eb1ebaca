# SPDX-License-Identifier: MIT
"""What may be asked of an object without running the program's code: its type, its length, its elements, its size."""
TEXT_MAX = 160  # characters of a name
VIEWS_MAX = 4  # one on top of the other: NumPy lets most look at the whole
MADE_LONG = 16  # elements of a list that may have been made to be filled
last_of = operator.itemgetter(-1)


def module_value(module, name):
    """Of a module that is there already; None without."""
    found = sys.modules.get(module)
    if found is None or not issubclass(type(found), types.ModuleType):
        return None
    return module_dict_of(found).get(name)


def known_type(module, name):
    found = module_value(module, name)
    return found if issubclass(type(found), type) else None


def measure_array(value):
    """NumPy: an array that is a view keeps the whole of what it looks at."""
    whole, ndarray = value, type(value)
    for _ in range(VIEWS_MAX):
        if type(whole.base) is not ndarray:
            break
        whole = whole.base
    return whole.nbytes, "%s %s" % (value.dtype.name, shape_text(value.shape)), ""


def measure_torch(value):
    return value.numel() * value.element_size(), "%s %s" % (
        str(value.dtype).replace("torch.", ""), shape_text(tuple(value.shape))), str(value.device)


def measure_tensorflow(value):
    count = 1
    for n in value.shape:
        count *= n
    device = "gpu:" + value.device.rpartition(":")[2] if "GPU" in value.device else "cpu"
    return count * value.dtype.size, "%s %s" % (value.dtype.name, shape_text(tuple(value.shape))), device


def measure_jax(value):
    device = next(iter(value.devices()))
    where = "cpu" if device.platform == "cpu" else "%s:%d" % (device.platform, device.id)
    return value.nbytes, "%s %s" % (value.dtype.name, shape_text(value.shape)), where


def measure_bytes(value):
    return sys.getsizeof(value), "", ""


def shape_text(shape):
    return "x".join(map(str, shape)) if len(shape) else "scalar"


class Known:
    """The types that may be measured, as of now: {id of the type: how}."""

    def __init__(self):
        self.measures = {id(t): measure_bytes for t in (bytes, bytearray, str, array.array)}
        for module, name, how in (
            ("numpy", "ndarray", measure_array),
            ("torch", "Tensor", measure_torch),
            ("torch.nn.parameter", "Parameter", measure_torch),
            ("tensorflow.python.framework.ops", "EagerTensor", measure_tensorflow),
            ("tensorflow.python.ops.resource_variable_ops", "ResourceVariable", measure_tensorflow),
            ("jax._src.array", "ArrayImpl", measure_jax),
        ):
            found = known_type(module, name)
            if found is not None:
                self.measures[id(found)] = how
        self.array = known_type("numpy", "ndarray")
        self.tensor = known_type("torch", "Tensor")
        self.tensor_id = id(self.tensor) if self.tensor is not None else 0
        # Of these the size that Python gives is that of the data; of a view it is not, but what it looks at is one itself.
        self.bulk_ids = frozenset(i for i, how in self.measures.items() if how in (measure_bytes, measure_array)) - {id(str)}
        self.torch_ids = frozenset(i for i, how in self.measures.items() if how is measure_torch)
        self.tensor_ids = frozenset(self.measures) - self.bulk_ids - self.torch_ids - {id(str)}
        self.gleaned_ids = self.bulk_ids | self.torch_ids | self.tensor_ids | DICT_IDS

    def measure(self, value):
        """(bytes, "float32 3000x50", device), or None if it is nothing known."""
        how = self.measures.get(id(type(value)))
        if how is None:
            return None
        try:
            return how(value)
        except Exception:  # a tensor of a kind without storage, one that was deleted
            return 0, "", ""

    def elements_of(self, value):
        """Some of an array of Python objects, which the collector does not follow, and how many there are. Other types of NumPy's
        have objects in them too, as its texts of any length: those are no Python objects, and it fails on some of them."""
        try:
            if type(value) is self.array and value.dtype.kind == "O":
                return value.flat[max(0, value.size - SAMPLE) :].tolist(), value.size
        except Exception:
            pass
        return (), 0

    def graph_of(self, value):
        """The node that computed a tensor, which keeps all those before it; None without."""
        if id(type(value)) != self.tensor_id:
            return None
        try:
            return value.grad_fn
        except Exception:
            return None


def describe(value, known):
    """(type, "float32 30x50", device)"""
    return (type_name(type(value)), *(known.measure(value) or (0, "", ""))[1:])


def length_of(value):
    kind = type(value)
    if id(kind) in EXACT_IDS:
        return len(value)
    for base, length in LENGTHS:
        if issubclass(kind, base):
            return length(value)
    return 0


def kind_of(value):
    for base, _ in LENGTHS:
        if issubclass(type(value), base):
            return base.__name__
    return "object"


def type_name(kind):
    name = qualname_of(kind)
    return clean(name.replace("<locals>.", "")) if type(name) is str else "?"


def is_class_made(kind):
    return bool(flags_of(kind) & HEAP_TYPE)


def clean(text):
    return "".join(c if c.isprintable() else "?" for c in text[:TEXT_MAX])


def plain_text(text):
    """Of code, whose texts may be of a class of the program's."""
    return text if type(text) is str else "?"


def figures_of(lists, lengths):
    """By which is seen what grows: their lengths. But one that ends in None may have been made as long as it is to be: it has
    grown as well where it is as long as before and more of it is filled, which is the fraction of its figure."""
    try:
        are_open = list(map(is_none, map(last_of, lists)))
    except IndexError:  # one has been emptied meanwhile
        return lengths
    return list(map(figure_of, lists, lengths, are_open)) if True in are_open else lengths


def figure_of(one, length, is_open):
    return length - 1 + filled_end(one, length) / length if is_open and length >= MADE_LONG else length


def filled_end(one, length):
    """Up to where a list that ends in None is filled, if it is from its beginning on: it may be too long to be looked through."""
    low, high = 0, length - 1
    while low < high:
        middle = (low + high) // 2
        try:
            is_filled = one[middle] is not None
        except IndexError:  # it has become shorter meanwhile
            is_filled = False
        low, high = (middle + 1, high) if is_filled else (low, middle)
    return low


def length_in(figure):
    return math.ceil(figure)


def filled_in(figure):
    length = length_in(figure)
    return length if length == figure else round((figure - length + 1) * length)


def grown_by(value, figures):
    """How many elements, and where the last of them ends, if that is not the end of all. What is filled counts where the last
    that were are all there: in a list that has None among its elements only the length does."""
    end = filled_in(figures[-1])
    count = end - filled_in(figures[0])
    if count > 0 and end < figures[-1] and True not in map(is_none, last_before(value, end, min(count, SAMPLE))):
        return count, end
    return length_in(figures[-1]) - length_in(figures[0]), None


def attribute_values(value):
    """Of an object that has no dict of them, the newest last; its class is a reference of it as well."""
    return [one for one in gc.get_referents(value) if one is not type(value)]


def newest(value, count):
    """The last elements of a container, of a dict its values; of a set, any. One call of C each: nobody changes it
    meanwhile."""
    kind = kind_of(value)
    try:
        if kind == "object" and type(value) is not tuple and type(value) is not frozenset:
            return attribute_values(value)[-count:]
        if type(value) is tuple:
            return list(value[-count:])
        if type(value) is frozenset:
            return list(itertools.islice(value, count))
        if kind == "list":
            return list.__getitem__(value, slice(-count, None))
        if kind == "deque":
            return list(itertools.islice(collections.deque.__reversed__(value), count))
        if kind == "set":
            return list(itertools.islice(set.__iter__(value), count))
        return list(itertools.islice(reversed(dict.values(value)), count))
    except RuntimeError:
        return []


def last_before(value, end, count):
    """The same, but of a list that is filled up to there: the last that are."""
    return newest(value, count) if end is None else list.__getitem__(value, slice(max(0, end - count), end))


def newest_keys(value, count):
    if kind_of(value) != "dict":
        return []
    try:
        return list(itertools.islice(reversed(dict.keys(value)), count))
    except RuntimeError:
        return []


def oldest(value, beside):
    """One that is not among so many of the newest."""
    kind = kind_of(value)
    try:
        if kind == "list":
            return list.__getitem__(value, slice(0, 1))
        if kind == "deque":
            return list(itertools.islice(collections.deque.__iter__(value), 1))
        if kind == "set":
            return list(itertools.islice(set.__iter__(value), beside, beside + 1))
        if kind == "dict":
            return list(itertools.islice(iter(dict.values(value)), 1))
    except RuntimeError:
        pass
    return []
