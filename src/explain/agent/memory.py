# SPDX-License-Identifier: MIT
"""What is kept from one snapshot to the next."""
MANY = 20000  # figures that are taken in at a time: some milliseconds


class Memory:
    """What is kept from one snapshot to the next: numbers, and no object of the program."""

    def __init__(self):
        self.taken = 0
        self.ids = array.array("Q")  # of containers, with the figures by which is seen whether they grow
        self.figures = array.array("d")
        self.rooms = array.array("Q")  # ids of those in which more is looked at than their length
        self.grown = {}  # id: its figures so far, of containers that grew each time; from the second snapshot on
        self.counts = {}  # id of a type: how many of it so far, if ever more
        self.sizes = {}  # place: bytes so far of the large object there, if ever more
        self.each = {}  # place of a class: what of it was looked at last, numbers of objects, and bytes that each has there
        self.holders = {}  # place of a class or a function: how many of its objects or calls so far, if ever more
        self.nodes = {}  # place: nodes so far of the graph that the tensor there keeps, if ever more
        self.links = {}  # place: the id of what was there last, which its next may lead to
        self.cells = False  # closures have something large
        self.heads = {}  # place: the number of that tensor's own node
        self.chained = None  # places where each graph has the one before in it; None: nothing has been compared

    def figures_before(self, turn):
        """{id: figure} of the containers that may have grown each time."""
        found = {i: was[-1] for i, was in self.grown.items()}
        for i in range(0, len(self.ids), MANY):
            found.update(zip(self.ids[i : i + MANY], self.figures[i : i + MANY]))
            turn.step()
        return found


memory = Memory()
