# SPDX-License-Identifier: MIT
"""Trainings that write down what malloc itself says at the end of every epoch, into the file that TRUTH names.

usage: train_malloc.py keras|tensorflow|torch EPOCHS [PAUSE_S]

A line for each epoch: wall-clock seconds, bytes in use and free, before its line is printed and after a pause. In the
pause nothing is trained: whoever reads the heap then sees the same moment.
"""
import ctypes
import os
import sys
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np

EPOCHS, PAUSE_S = int(sys.argv[2]), float(sys.argv[3]) if len(sys.argv) > 3 else 0.3
STEPS, BATCH, WIDTH = 60, 64, 256
rng = np.random.default_rng(0)
x, y = rng.random((STEPS * BATCH, WIDTH), dtype=np.float32), rng.random((STEPS * BATCH, 1), dtype=np.float32)


class Mallinfo(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in
                "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()]


libc = ctypes.CDLL(None)
libc.mallinfo2.restype = Mallinfo


def figures():
    info = libc.mallinfo2()     # of all arenas
    return "%.4f %d %d" % (time.time(), info.uordblks, info.fordblks)


def epoch_ended(epoch):
    before = figures()
    print("Epoch %d/%d" % (epoch + 1, EPOCHS), flush=True)
    time.sleep(PAUSE_S)
    with open(os.environ["TRUTH"], "a", encoding="ascii") as f:
        f.write("%s %s\n" % (before, figures()))


def train_keras():
    import keras

    class Figures(keras.callbacks.Callback):
        def on_epoch_end(self, epoch, logs=None):
            epoch_ended(epoch)

    layers = keras.layers
    model = keras.Sequential([layers.Input((WIDTH,)), layers.Dense(512, "relu"), layers.Dropout(0.2), layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(x, y, batch_size=BATCH, epochs=EPOCHS, verbose=0, validation_split=0.1, callbacks=[Figures()])


def train_tensorflow():
    import tensorflow as tf
    weights = [tf.Variable(tf.random.normal(shape, stddev=0.1)) for shape in ((WIDTH, 512), (512, 1))]

    @tf.function
    def step(a, b):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((tf.nn.relu(a @ weights[0]) @ weights[1] - b) ** 2)
        for weight, gradient in zip(weights, tape.gradient(loss, weights)):
            weight.assign_sub(0.01 * gradient)

    data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000).batch(BATCH).prefetch(2)
    for epoch in range(EPOCHS):
        for a, b in data:
            step(a, b)
        epoch_ended(epoch)


def train_torch():
    import torch
    torch.set_num_threads(2)
    model = torch.nn.Sequential(torch.nn.Linear(WIDTH, 512), torch.nn.ReLU(), torch.nn.Linear(512, 1))
    optimiser = torch.optim.Adam(model.parameters())
    pairs = torch.utils.data.TensorDataset(torch.from_numpy(x), torch.from_numpy(y))
    loader = torch.utils.data.DataLoader(pairs, BATCH, shuffle=True)
    for epoch in range(EPOCHS):
        for a, b in loader:
            optimiser.zero_grad()
            torch.nn.functional.mse_loss(model(a), b).backward()
            optimiser.step()
        epoch_ended(epoch)


{"keras": train_keras, "tensorflow": train_tensorflow, "torch": train_torch}[sys.argv[1]]()
