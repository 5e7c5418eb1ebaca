# SPDX-License-Identifier: MIT
"""usage: training_keras.py EPOCHS: a Keras training, a callback of which keeps some predictions of each epoch. Prints the seconds
that the epochs took, and the seconds of processors, to standard error."""
import os
import sys
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ["KERAS_BACKEND"] = "tensorflow"

import keras
import numpy as np

X = np.random.rand(4000, 128).astype("float32")
Y = np.random.rand(4000, 50).astype("float32")


class KeepPredictions(keras.callbacks.Callback):
    def __init__(self):
        super().__init__()
        self.saved = []

    def on_epoch_end(self, epoch, logs=None):
        self.saved.append(self.model.predict_on_batch(X[:500]))


model = keras.Sequential([keras.Input((128,)), keras.layers.Dense(256, activation="relu"), keras.layers.Dense(256, activation="relu"),
                          keras.layers.Dense(50)])
model.compile("adam", "mse")
model.fit(X, Y, epochs=1, verbose=0)  # traces the step
begin, worked = time.perf_counter(), time.process_time()
model.fit(X, Y, epochs=int(sys.argv[1]), verbose=2, callbacks=[KeepPredictions()])
print("took %.6f s, %.6f s of processors" % (time.perf_counter() - begin, time.process_time() - worked), file=sys.stderr)
