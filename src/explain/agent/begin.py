# SPDX-License-Identifier: MIT
"""What grows in this process, by name: loaded by the sleeping thread of thread.py when memwatch asks.

A leak in Python is nearly always a container that is longer at every epoch's end. Each "snapshot" keeps the lengths of
all containers; the few that grew each time are the suspects, and who refers to them gives the name. What an attribute
is replaced by, ever larger, or a tensor with a graph of ever more nodes, is another object each time: it is known by
its place, which is the object that refers to it and which of its references it is.

The program waits while it is looked at, so that nothing it has dropped meanwhile is kept, and runs on while names are
looked for. Nothing that it may be about to change is held: C code fills a tuple, and NumPy resizes an array in place,
only while nobody else refers to it. So objects come by ask(), listed() and Gleaning in one call of C, in which no other
thread runs; tuples and arrays are never among what is kept.

No code of the program is run: no __len__, no property, no __class__, no metaclass. Lengths are those of the builtin
types, by their own methods; attributes are read of objects whose very type is a known one of NumPy, PyTorch, TensorFlow
or JAX, if the program has imported it. Nothing else is imported but modules of the standard library.
"""
import _thread
import array
import atexit
import bisect
import collections
import functools
import gc
import heapq
import itertools
import math
import operator
import os
import sys
import time
import types
import weakref

__name__ = "memwatch"  # the module of its own classes, by which they are left out

COLLECTED = 1 << 14  # Py_TPFLAGS_HAVE_GC
HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE: a class statement made it, or an extension
OPTIMIZED = 0x1  # CO_OPTIMIZED: a function's frame, whose f_locals is a copy

mro_of = type.__dict__["__mro__"].__get__
flags_of = type.__dict__["__flags__"].__get__
qualname_of = type.__dict__["__qualname__"].__get__
module_of = type.__dict__["__module__"].__get__
namespace_of = type.__dict__["__dict__"].__get__
module_dict_of = types.ModuleType.__dict__["__dict__"].__get__

LENGTHS = (
    (list, list.__len__),
    (dict, dict.__len__),
    (set, set.__len__),
    (collections.deque, collections.deque.__len__),
)
EXACT = (list, dict, set, collections.deque, collections.OrderedDict, collections.defaultdict)
EXACT_IDS = frozenset(map(id, EXACT))
LRU_CACHE = type(functools.lru_cache(maxsize=1)(id))
GENERATORS = (types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType)
GENERATOR_IDS = frozenset(map(id, GENERATORS))
CELL_IDS = GENERATOR_IDS | {id(LRU_CACHE), id(types.CellType)}
# Containers of these types, of other builtin ones, of one's own; the rest; functions.
LIST, DICT, PLAIN, DERIVED, OTHER, FUNCTION = GROUPS = range(6)
DICT_IDS = frozenset([id(dict)])
