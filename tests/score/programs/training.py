# SPDX-License-Identifier: MIT
"""What the small trainings of this folder share: their arguments, the style of their output, and what they keep.

    PROGRAM.py SEED [--epochs N] [--keep KIB] [--kind KIND] [--start EPOCH]

Sizes and options follow from the seed. With --keep that much more is held in every epoch from --start on; the sizes are
those of the objects as CPython rounds them, so that the rate is known.
"""
import argparse
import random
import sys
import threading

import numpy as np

KINDS = ["array", "small", "tensor", "every5", "batches", "strings", "memo", "closures", "thread", "uneven"]
LINES = ["Epoch %(epoch)d/%(epochs)d loss %(loss).4f", "[epoch %(epoch)d/%(epochs)d] loss=%(loss).4f",
         "epoch %(epoch)d/%(epochs)d - loss: %(loss).4f", "Epoch: %(epoch)d/%(epochs)d, train loss: %(loss).4f",
         "Epoch %(epoch)d/%(epochs)d"]


def rounded(size):
    """Bytes that CPython's allocator takes for an object"""
    return (size + 15) // 16 * 16


class Training:
    def __init__(self, name, lines=()):
        """LINES are those of this program; without, one of the usual ones is drawn."""
        p = argparse.ArgumentParser()
        p.add_argument("seed", type=int)
        p.add_argument("--epochs", type=int, default=20)
        p.add_argument("--keep", type=float, default=0)
        p.add_argument("--kind", choices=KINDS, default="array")
        p.add_argument("--start", type=int, default=0)
        self.args = p.parse_args()
        self.epochs = self.args.epochs
        self.lot = random.Random("%s %d" % (name, self.args.seed))
        self.rng = np.random.default_rng(self.args.seed)
        self.kept = {} if self.args.kind == "memo" else []
        self.keeps_first = self.lot.random() < 0.5      # before its line is printed, or after
        self.line = self.lot.choice(lines or LINES)

    def epoch_ended(self, epoch, loss=0.0):
        if self.keeps_first:
            self.keep(epoch)
        print(self.line % {"epoch": epoch + 1, "epochs": self.epochs, "loss": loss}, flush=True)
        if not self.keeps_first:
            self.keep(epoch)

    def keep(self, epoch):
        size = int(self.args.keep * 1024)
        if size and epoch >= self.args.start:
            getattr(self, "keep_" + self.args.kind)(size, epoch)

    def array(self, size):
        return self.rng.random(max(1, size // 8))

    def keep_array(self, size, _epoch):
        self.kept.append(self.array(size))

    def keep_small(self, size, _epoch):
        def record(i):
            return {"loss": float(i), "name": "step%06d" % i}
        one = record(0)
        each = sum(rounded(sys.getsizeof(part)) for part in (one, one["loss"], one["name"])) + 8     # its slot in the list
        self.kept.append([record(i) for i in range(max(1, size // each))])

    def keep_tensor(self, size, _epoch):
        if "torch" in sys.modules:
            self.kept.append(sys.modules["torch"].rand(max(1, size // 4)))
        elif "tensorflow" in sys.modules:
            self.kept.append(sys.modules["tensorflow"].random.uniform((max(1, size // 4),)))
        else:
            self.kept.append(self.rng.random(max(1, size // 4), dtype=np.float32))

    def keep_every5(self, size, epoch):
        if epoch % 5 == 4:
            self.kept.append(self.array(5 * size))

    def keep_batches(self, size, _epoch):
        for _ in range(20):
            self.kept.append(self.array(size // 20))

    def keep_strings(self, size, _epoch):
        self.kept.extend("%d " % i * 800 for i in range(10 ** 3, 10 ** 3 + max(1, size // 4064)))

    def keep_memo(self, size, epoch):
        for i in range(max(1, size // 8448)):
            self.kept[epoch, i] = b"x" * 8192

    def keep_closures(self, size, _epoch):
        for _ in range(max(1, size // 65536)):
            piece = self.array(min(size, 65536))
            self.kept.append(lambda at, piece=piece: piece[at])

    def keep_thread(self, size, _epoch):
        helper = threading.Thread(target=lambda: self.kept.append([self.array(size // 8) for _ in range(8)]))
        helper.start()
        helper.join()

    def keep_uneven(self, size, _epoch):
        self.kept.append(self.array(int(size * self.lot.uniform(0.2, 1.8))))
