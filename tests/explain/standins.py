# SPDX-License-Identifier: MIT
"""usage: standins.py AGENT KIND: three snapshots of a program with stand-ins for the parts of a framework that are asked; prints
the lines of names and counters, then which frameworks are loaded."""
import collections
import sys
import types

agent = {}
with open(sys.argv[1], encoding="utf-8") as source:
    exec(compile(source.read(), "<memwatch>", "exec"), agent)
kind = sys.argv[2]
GIB = 1 << 30


def module(name, **names):
    sys.modules[name] = found = types.ModuleType(name)
    vars(found).update(names)
    return found


def fails(*_):
    raise RuntimeError("no such device")


class Tensor:
    dtype = "torch.float32"

    def __init__(self, count, device="cuda:1", grad_fn=None):
        self.count, self.device, self.grad_fn, self.shape = count, device, grad_fn, (count,)

    def numel(self):
        return self.count

    def element_size(self):
        return 4


class Node:
    def __init__(self, before):
        self.next_functions = ((before, 0), (None, 0))


class NumberedNode(Node):
    """As PyTorch's own."""

    made = 0

    def __init__(self, before):
        super().__init__(before)
        NumberedNode.made += 1
        self.number = NumberedNode.made

    def _sequence_nr(self):
        return self.number


class Callback:
    pass


callback = Callback()
callback.kept, callback.hidden, callback.loss, callback.state = [], None, None, None
if kind.startswith("torch"):
    module("torch", Tensor=Tensor)
    module("torch.cuda", is_initialized=lambda: kind != "torch-unused", device_count=lambda: 2,
           memory_allocated=fails if kind == "torch-fails" else lambda i: (i + 1) * GIB, memory_reserved=lambda i: 8 * GIB)
if kind.startswith("tensorflow"):
    module("tensorflow")
    module("tensorflow.python.eager.context", _context=types.SimpleNamespace(_initialized=kind != "tensorflow-unused"))
    module("tensorflow.python.framework.config", list_logical_devices=lambda which: ["GPU:0", "GPU:1"],
           get_memory_info=fails if kind == "tensorflow-fails" else lambda name: {"current": GIB, "peak": 2 * GIB})
if kind.startswith("jax"):
    stats = {"bytes_in_use": GIB, "pool_bytes": 3 * GIB}
    device = collections.namedtuple("Device", "id platform memory_stats")
    module("jax", local_devices=lambda: [device(0, "gpu", fails if kind == "jax-fails" else lambda: stats),
                                         device(1, "cpu", fails)])
    module("jax._src.xla_bridge", _backends={} if kind == "jax-unused" else {"cuda": 1})
if kind == "torch-long":
    Node, agent["NODES_MAX"] = NumberedNode, 7  # noqa: F811
for epoch in range(1, 4):
    if kind == "torch-long":
        for _ in range(5):
            callback.loss = Tensor(1, "cpu", Node(callback.loss and callback.loss.grad_fn))
    if kind == "torch":
        callback.kept += [Tensor(50000), Tensor(50000, "cuda:0")]
        callback.hidden = Tensor(epoch * 50000)
        for _ in range(5):
            callback.loss = Tensor(1, "cpu", Node(callback.loss and callback.loss.grad_fn))
    agent["answer"](b"snapshot\n", "answer")
with open("answer", encoding="utf-8") as answer:
    lines = answer.read().split("\n")
for line in lines:
    if line.startswith(("name", "pool", "failed")):
        print(line.replace("\t", "|"))
print(sorted({name.partition(".")[0] for name in sys.modules} & {"torch", "tensorflow", "jax", "numpy"}))
