# SPDX-License-Identifier: MIT
"""Keras: long series cut by timeseries_dataset_from_array, or read piece by piece by a GRU that remembers from batch to batch."""
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
import keras  # noqa: E402
import numpy as np  # noqa: E402
from keras import layers  # noqa: E402

from training import Training  # noqa: E402

t = Training("stateful", ["Epoch %(epoch)d/%(epochs)d mae %(loss).4f", "Epoch %(epoch)d: loss = %(loss).5f"])
keras.utils.set_random_seed(t.args.seed)
length, columns, width = t.lot.choice([300, 700]), t.lot.choice([1, 6]), t.lot.choice([12, 32])
span, remembers = t.lot.choice([8, 16]), t.lot.random() < 0.5
x = np.cumsum(t.rng.standard_normal((length, columns)), 0).astype("float32") / 20
if remembers:
    inputs = keras.Input(batch_shape=(4, span, columns))
    seen = layers.GRU(width, stateful=True)(inputs)
else:
    inputs = keras.Input((span, columns))
    seen = layers.Bidirectional(layers.GRU(width, recurrent_dropout=0.1))(inputs)
model = keras.Model(inputs, layers.Dense(1)(seen))
model.compile(keras.optimizers.Adam(2e-3), "mae")
if remembers:
    lane = length // 4
    lanes = np.stack([x[i * lane:(i + 1) * lane] for i in range(4)])
    for epoch in range(t.epochs):
        for at in range(0, lane - span - 1, span):
            loss = model.train_on_batch(lanes[:, at:at + span], lanes[:, at + span, :1])
        model.reset_states() if hasattr(model, "reset_states") else [layer.reset_states() for layer in model.layers if getattr(layer, "stateful", False)]
        t.epoch_ended(epoch, float(loss))
else:
    data = keras.utils.timeseries_dataset_from_array(x[:-span], x[span:, :1], span, sampling_rate=1, batch_size=t.lot.choice([32, 64]),
                                                     shuffle=True, seed=t.args.seed)
    ends = keras.callbacks.LambdaCallback(on_epoch_end=lambda epoch, logs: t.epoch_ended(epoch, float(logs["loss"])))
    model.fit(data, epochs=t.epochs, verbose=0, callbacks=[ends])
