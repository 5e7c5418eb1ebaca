# SPDX-License-Identifier: MIT
"""What is kept from one snapshot to the next."""
MANY = 20000  # lengths that are taken in at a time: some milliseconds


class Memory:
    """What is kept from one snapshot to the next: numbers, and no object of the program."""

    def __init__(self):
        self.taken = 0
        self.ids = array.array("Q")  # of containers, with their lengths
        self.lengths = array.array("Q")
        self.rooms = array.array("Q")  # ids of those in which more is looked at than their length
        self.grown = {}  # id: its lengths so far, of containers that grew each time; from the second snapshot on
        self.counts = {}  # id of a type: how many of it so far, if ever more
        self.sizes = {}  # place: bytes so far of the large object there, if ever more
        self.holders = {}  # place of a class: how many of its objects so far, if ever more
        self.nodes = {}  # place: nodes so far of the graph that the tensor there keeps, if ever more
        self.heads = {}  # place: the number of that tensor's own node
        self.chained = None  # places where each graph has the one before in it; None: nothing has been compared

    def lengths_before(self, turn):
        """{id: length} of the containers that may have grown each time."""
        found = {i: was[-1] for i, was in self.grown.items()}
        for i in range(0, len(self.ids), MANY):
            found.update(zip(self.ids[i : i + MANY], self.lengths[i : i + MANY]))
            turn.step()
        return found


memory = Memory()
