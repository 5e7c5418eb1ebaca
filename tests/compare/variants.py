# SPDX-License-Identifier: MIT
"""One change in a real training, on or off: variants.py callbacks|clear|cache|del|batch|lengths VALUE EPOCHS"""
import os
import sys
import time

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
change, value, epochs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


def say(epoch, loss=0.0):
    print(f"Epoch {epoch + 1}/{epochs} - loss: {loss:.4f}", flush=True)
    time.sleep(0.15)


def dense(keras, width):
    return keras.Sequential([keras.Input((40,)), keras.layers.Dense(width, activation="relu"), keras.layers.Dense(1)])


def callbacks():
    """A callback that keeps the predictions of each epoch, some 1.5 MiB."""
    import keras
    import numpy as np

    x = np.random.random((200000, 40)).astype("float32")
    kept = []

    class Keep(keras.callbacks.Callback):
        def on_epoch_end(self, epoch, logs=None):
            if value:
                kept.append(x[:10000] + self.model.predict(x[:1], verbose=0))
            time.sleep(0.15)

    model = dense(keras, 64)
    model.compile("adam", "mse")
    model.fit(x[:1500], x[:1500, :1], epochs=epochs, verbose=2, callbacks=[Keep()])


def clear():
    """A new model for each of many fits; without clear_session() Keras remembers them all."""
    import keras
    import numpy as np

    x = np.random.random((64, 40)).astype("float32")
    for epoch in range(epochs):
        if value:
            keras.backend.clear_session()
        model = dense(keras, 512)
        model.compile("adam", "mse")
        model.fit(x, x[:, :1], verbose=0)
        say(epoch)


def cache():
    """Decoded data kept for the next epochs, 46 MiB, or decoded again."""
    import keras
    import tensorflow as tf

    data = tf.data.Dataset.range(300).map(lambda i: (tf.random.uniform((1000, 40)), tf.random.uniform((1000, 1))))
    if value:
        data = data.cache()
    model = dense(keras, 32)
    model.compile("adam", "mse")
    rest = keras.callbacks.LambdaCallback(on_epoch_end=lambda epoch, logs: time.sleep(0.15))
    model.fit(data, epochs=epochs, verbose=2, callbacks=[rest])


def torch_epochs(step):
    import torch

    torch.set_num_threads(1)
    for epoch in range(epochs):
        for _ in range(20):
            loss = step(torch)
        say(epoch, loss)


def delete():
    """Outputs of every epoch in a list, 4 MiB each time, deleted or not."""
    import torch

    model, kept = torch.nn.Linear(64, 64), []

    def step(torch):
        out = model(torch.rand(820, 64))
        kept.append(out.detach())
        if value:
            del kept[:]
        return out.mean().item()

    torch_epochs(step)


def batch():
    """Images in batches of so many."""
    import torch

    model = torch.nn.Sequential(torch.nn.Conv2d(3, 32, 3), torch.nn.ReLU(), torch.nn.Conv2d(32, 32, 3), torch.nn.ReLU())

    def step(torch):
        loss = model(torch.rand(value, 3, 48, 48)).mean()
        loss.backward()
        return loss.item()

    torch_epochs(step)


def lengths():
    """Batches of random length, for one allocator or another."""
    import random

    import torch

    model, lot = torch.nn.LSTM(64, 64, batch_first=True), random.Random(value)

    def step(torch):
        loss = model(torch.rand(16, lot.randrange(5, 120), 64))[0].mean()
        loss.backward()
        return loss.item()

    torch_epochs(step)


{"callbacks": callbacks, "clear": clear, "cache": cache, "del": delete, "batch": batch, "lengths": lengths}[change]()
