# SPDX-License-Identifier: MIT
"""How many nodes the graphs of PyTorch tensors have."""
NODES_MAX = 100000  # of all graphs together, in one snapshot


def count_nodes(shot, known, clock):
    """Of the tensors that no other's graph leads to; the longest are kept."""
    tensors, before = {}, {}
    for place in shot.nodes:
        one = shot.value_at(place)
        tensors[id(one)] = one
        if place in memory.nodes:
            before[id(one)] = memory.heads[place], memory.nodes[place][-1]
    graphs = Graphs(clock)
    graphs.count(tensors, before, known)
    most = sorted(graphs.sizes.values(), reverse=True)[:SINGLES]
    at = {place: shot.places[place][0] for place in shot.nodes}
    shot.nodes = {place: graphs.sizes[i] for place, i in at.items() if graphs.sizes.get(i, 0) > 0 and graphs.sizes[i] >= most[-1]}
    shot.heads = {place: graphs.heads[at[place]] for place in shot.nodes}
    shot.chained = {place for place in shot.nodes if at[place] in graphs.chained}


class Graphs:
    """How many nodes the graphs of tensors have. PyTorch numbers them as they are made: below the head of a graph that was
    counted in an earlier snapshot nothing is new, so that the longest of graphs is known by what is new in it."""

    def __init__(self, clock):
        self.clock = clock
        self.owner = {}  # number of a node: the tensor whose graph it was found in
        self.kept = []  # nodes without a number, which are known by their id
        self.order = itertools.count()
        self.sizes = {}  # id of a tensor: nodes; 0 if it is a part of another's
        self.heads = {}  # id of a tensor: the number of its own node
        self.chained = set()  # tensors whose graph has that of the last snapshot in it

    def number(self, node):
        """None of a parameter's, which is a part of many graphs."""
        try:
            number = node._sequence_nr()
        except Exception:
            self.kept.append(node)
            return id(node)
        return number if number < NEVER else None

    def count(self, tensors, before, known):
        for i, one in tensors.items():
            head = known.graph_of(one)
            number = None if head is None else self.number(head)
            if number is None or number in self.owner or self.is_over():
                continue
            self.heads[i] = number
            last, nodes = before.get(i, (None, 0))
            if number == last:
                self.sizes[i] = nodes
                continue
            found = self.walk(head, i, last)
            self.sizes[i] = found + nodes if i in self.chained else found

    def is_over(self):
        return len(self.owner) > NODES_MAX or self.clock.over()

    def walk(self, head, i, last):
        """Nodes from a tensor's own down to the last one's, the oldest first: what leads down a chain, step by step, is found
        before all that hangs on it. A graph that was walked before and is a part of this one, with its head, counts here
        from now on."""
        todo, count = [], 0
        self.put(todo, head)
        while todo and len(self.owner) <= NODES_MAX:
            number, _, node = heapq.heappop(todo)
            if number == last:
                self.chained.add(i)
            elif last is not None and number < last and not self.kept:
                continue
            elif number in self.owner:
                other = self.owner[number]
                if other != i and number == self.heads[other]:
                    count, self.sizes[other] = count + self.sizes[other], 0
            else:
                self.owner[number] = i
                count += 1
                self.put_next(todo, node)
        return count

    def put(self, todo, node):
        number = self.number(node)
        if number is not None:
            heapq.heappush(todo, (number, next(self.order), node))

    def put_next(self, todo, node):
        try:
            following = [one for one, _ in node.next_functions if one is not None]
        except Exception:
            return
        for one in following:
            self.put(todo, one)
