# SPDX-License-Identifier: MIT
"""Pillow and NumPy: pictures decoded, turned, cropped and scaled for every batch, and a softmax over them."""
import io

import numpy as np
from PIL import Image

from training import Training

t = Training("augment")
side, count = t.lot.choice([64, 128, 256]), t.lot.choice([40, 80])
form = t.lot.choice(["PNG", "JPEG"])
files = []
for _ in range(count):
    out = io.BytesIO()
    Image.fromarray(t.rng.integers(0, 256, (side, side, 3), dtype=np.uint8)).save(out, form)
    files.append(out.getvalue())
labels = t.rng.integers(0, 10, count)
weights = np.zeros((32 * 32 * 3, 10), np.float32)


def picture(data):
    image = Image.open(io.BytesIO(data)).convert("RGB").rotate(t.lot.uniform(-30, 30), expand=True)
    left = t.lot.randrange(1 + image.width - side // 2)
    return np.asarray(image.crop((left, 0, left + side // 2, side // 2)).resize((32, 32)), np.float32).reshape(-1) / 255


for epoch in range(t.epochs):
    loss = 0.0
    for at in range(0, count, 20):
        x = np.stack([picture(f) for f in files[at:at + 20]])
        scores = x @ weights
        p = np.exp(scores - scores.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        truth = np.eye(10, dtype=np.float32)[labels[at:at + 20]]
        weights -= 0.001 * x.T @ (p - truth)
        loss -= float(np.log((p * truth).sum(1)).sum())
    t.epoch_ended(epoch, loss / count)
