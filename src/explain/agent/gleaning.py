# SPDX-License-Identifier: MIT
"""What lists of references have of interest."""
LARGE_BYTES = 65536  # what is kept by itself, and not in a container, is looked at from this size on
numel_of = operator.methodcaller("numel")
element_size_of = operator.methodcaller("element_size")
grad_fn_of = operator.attrgetter("grad_fn")


class Gleaning:
    """What lists of references have of interest, found in one call of C: dicts, of which the collector does not list all,
    large objects, and tensors with a graph."""

    def __init__(self, lists, known, torch_ids, then):
        self.dicts = []
        self.large = []  # (id, bytes)
        self.graphs = []  # id
        self.others = []  # tensors that only Python code measures
        self.hits, self.kinds = [], []
        self.ids, self.flags = [], []  # of the hits; for each reference whether it is one
        box = []
        kinds = map(id, map(type, itertools.chain.from_iterable(box)))
        steps = [
            fill(box, lists),
            then,
            fill(self.flags, map(known.gleaned_ids.__contains__, kinds)),
            fill(self.hits, itertools.compress(itertools.chain.from_iterable(box), self.flags)),
            fill(self.ids, map(id, self.hits)),
            fill(self.kinds, map(id, map(type, self.hits))),
            fill(self.dicts, self.those(DICT_IDS)),
            self.sized(known.bulk_ids, map(sys.getsizeof, self.those(known.bulk_ids))),
            fill(self.others, self.those(known.tensor_ids)),
        ]
        if torch_ids:
            sizes = map(operator.mul, map(numel_of, self.those(torch_ids)), map(element_size_of, self.those(torch_ids)))
            graphs = map(operator.not_, map(is_none, map(grad_fn_of, self.those(torch_ids))))
            steps += [self.sized(torch_ids, sizes),
                      fill(self.graphs, itertools.compress(map(id, self.those(torch_ids)), graphs))]
        steps += [map(list.clear, (box, self.hits))]
        collections.deque(itertools.chain.from_iterable(steps), 0)

    def those(self, ids):
        return itertools.compress(self.hits, map(ids.__contains__, self.kinds))

    def sized(self, ids, sizes):
        known = []
        found = itertools.compress(zip(map(id, self.those(ids)), known), map(LARGE_BYTES.__le__, known))
        return itertools.chain(fill(known, sizes), fill(self.large, found))

    def unlisted(self):
        return list(itertools.filterfalse(gc.is_tracked, self.dicts))

    def where(self, ids, counts):
        """(which holder, which of its references, id) of those hits, by how many references each holder has."""
        ends = list(itertools.accumulate(counts))
        wanted = list(map(ids.__contains__, self.ids))
        at = list(itertools.compress(itertools.compress(itertools.count(), self.flags), wanted))
        holders = list(map(bisect.bisect_right, itertools.repeat(ends), at))
        begins = map(operator.sub, map(ends.__getitem__, holders), map(counts.__getitem__, holders))
        return list(zip(holders, map(operator.sub, at, begins), itertools.compress(self.ids, wanted)))


def glean(lists, known, then=tuple):
    """With what is to be known of the same moment. A tensor that cannot say how large it is must not hide the others."""
    try:
        return Gleaning(lists(), known, known.torch_ids, then())
    except Exception:
        return Gleaning(lists(), known, frozenset(), then())
