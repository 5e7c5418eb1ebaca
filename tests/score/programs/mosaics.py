# SPDX-License-Identifier: MIT
"""Pillow: scenes drawn with shapes and their masks, blurred, put together from four, packed as JPEG; pixels told apart by a net."""
import io

import numpy as np
from PIL import Image, ImageDraw, ImageEnhance, ImageFilter

from training import Training

t = Training("mosaics", ["Epoch %(epoch)d/%(epochs)d iou %(loss).4f", "epoch %(epoch)d -> IoU %(loss).3f"])
side, scenes = t.lot.choice([48, 64, 96]), t.lot.choice([8, 16])
first, second = t.rng.standard_normal((27, 24)) * 0.2, t.rng.standard_normal((24, 1)) * 0.2


def scene():
    picture, mask = Image.new("RGB", (side, side), tuple(t.lot.randrange(90) for _ in range(3))), Image.new("L", (side, side))
    for _ in range(t.lot.randint(1, 5)):
        x, y, r = t.lot.randrange(side), t.lot.randrange(side), t.lot.randint(4, side // 4)
        box, colour = (x - r, y - r, x + r, y + r), tuple(t.lot.randrange(120, 255) for _ in range(3))
        shape = t.lot.choice(["ellipse", "rectangle"])
        getattr(ImageDraw.Draw(picture), shape)(box, fill=colour)
        getattr(ImageDraw.Draw(mask), shape)(box, fill=255)
    return picture.filter(ImageFilter.GaussianBlur(t.lot.random())), mask


def mosaic():
    whole, masks = Image.new("RGB", (2 * side, 2 * side)), Image.new("L", (2 * side, 2 * side))
    for i in range(4):
        picture, mask = scene()
        whole.paste(picture, (i % 2 * side, i // 2 * side))
        masks.paste(mask, (i % 2 * side, i // 2 * side))
    whole = ImageEnhance.Color(whole).enhance(t.lot.uniform(0.6, 1.4))
    packed = io.BytesIO()
    whole.save(packed, "JPEG", quality=t.lot.randint(50, 95))
    size = t.lot.choice([side, side * 3 // 2])
    whole = Image.open(packed).resize((size, size), Image.Resampling.BILINEAR)
    return np.asarray(whole, dtype="float32") / 255, np.asarray(masks.resize((size, size)), dtype="float32") > 127


def learn(picture, mask):
    global first, second
    x = np.lib.stride_tricks.sliding_window_view(picture, (3, 3), (0, 1)).reshape(-1, 27)
    y = mask[1:-1, 1:-1].reshape(-1, 1)
    seen = np.tanh(x @ first)
    guess = 1 / (1 + np.exp(-seen @ second))
    gap = (guess - y) / len(y)
    back = gap @ second.T * (1 - seen ** 2)
    first, second = first - 0.5 * x.T @ back, second - 0.5 * seen.T @ gap
    return float(((guess > 0.5) & y).sum() / max(1, ((guess > 0.5) | y).sum()))


for epoch in range(t.epochs):
    t.epoch_ended(epoch, sum(learn(*mosaic()) for _ in range(scenes)) / scenes)
