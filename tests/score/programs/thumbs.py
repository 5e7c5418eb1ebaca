# SPDX-License-Identifier: MIT
"""Pillow: pictures of several sizes from files, the latest of them kept decoded in a bounded cache, and a linear model over them.

The cache is full by the eighth epoch.
"""
import functools
import os
import tempfile

import numpy as np
from PIL import Image, ImageFilter

from training import Training

t = Training("thumbs", ["======== Epoch %(epoch)d / %(epochs)d ========", "Epoch %(epoch)d: loss=%(loss).4f"])
count, side = t.lot.choice([120, 240]), t.lot.choice([48, 96])
folder = tempfile.mkdtemp()
for i in range(count):
    high, wide = t.lot.randint(side, 2 * side), t.lot.randint(side, 2 * side)
    small = t.rng.integers(0, 256, (8, 8, 3), dtype=np.uint8)
    Image.fromarray(small).resize((wide, high)).save(os.path.join(folder, "%d.jpg" % i))
labels = t.rng.random(count)
weights = np.zeros(24 * 24 * 3)


@functools.lru_cache(maxsize=t.lot.choice([count // 4, count // 2, count * 3 // 4]))
def decoded(i):
    with Image.open(os.path.join(folder, "%d.jpg" % i)) as image:
        return image.convert("RGB").filter(ImageFilter.GaussianBlur(1))


def row(i):
    image = decoded(i)
    if t.lot.random() < 0.5:
        image = image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    return np.asarray(image.resize((24, 24)), np.float64).ravel() / 255


for epoch in range(t.epochs):
    total, some = 0.0, t.lot.sample(range(count), count * 2 // 5)
    for at in range(0, len(some), 16):
        x, y = np.stack([row(i) for i in some[at:at + 16]]), labels[some[at:at + 16]]
        error = x @ weights - y
        weights -= 1e-4 * x.T @ error
        total += float(error @ error)
    t.epoch_ended(epoch, total / len(some))
