# SPDX-License-Identifier: MIT
"""usage: training.py EPOCHS: a network trained with NumPy, whose predictions are kept in each epoch, in a program of as many
objects as one that has imported a framework. Prints its lines, then the seconds that its epochs took, and the seconds of processors, to standard error."""
import sys
import time

import numpy as np

EPOCHS, STEPS, WIDTH = int(sys.argv[1]), 4, 512
loaded = [{"name": "object %d" % i, "parts": [i]} for i in range(150000)]
numbers = np.random.default_rng(0)
first, second = (numbers.normal(0, 0.05, (WIDTH, WIDTH)).astype("float32") for _ in range(2))
inputs = numbers.normal(0, 1, (512, WIDTH)).astype("float32")
saved = []


def step(first, second):
    hidden = np.tanh(inputs @ first)
    error = hidden @ second - inputs
    slope = (error @ second.T) * (1 - hidden * hidden)
    second -= 1e-5 * (hidden.T @ error)
    first -= 1e-5 * (inputs.T @ slope)
    return hidden, float((error * error).mean())


begin, worked = time.perf_counter(), time.process_time()
for epoch in range(EPOCHS):
    for _ in range(STEPS):
        outputs, loss = step(first, second)
    saved.append(outputs[:128].copy())
    print("Epoch %d/%d - loss: %.4f" % (epoch + 1, EPOCHS, loss), flush=True)
print("took %.6f s, %.6f s of processors" % (time.perf_counter() - begin, time.process_time() - worked), file=sys.stderr)
