# SPDX-License-Identifier: MIT
"""Keras: a functional net with residual blocks and layers that change pictures, trained by fit; class weights, a schedule."""
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
import keras  # noqa: E402
from keras import layers  # noqa: E402

from training import Training  # noqa: E402

t = Training("residual", ["Epoch %(epoch)d/%(epochs)d acc %(loss).4f"])
keras.utils.set_random_seed(t.args.seed)
side, wide, blocks = t.lot.choice([12, 16]), t.lot.choice([8, 16]), t.lot.choice([1, 2])
rows, batch, by_keras = t.lot.choice([150, 300]), t.lot.choice([16, 32, 50]), t.lot.random() < 0.6


def block(x, wide, stride):
    y = layers.Conv2D(wide, 3, stride, padding="same", use_bias=False)(x)
    y = layers.Activation("swish")(layers.BatchNormalization()(y))
    y = layers.BatchNormalization()(layers.Conv2D(wide, 3, padding="same", use_bias=False)(y))
    squeezed = layers.Dense(wide, activation="sigmoid")(layers.GlobalAveragePooling2D()(y))
    y = layers.Multiply()([y, layers.Reshape((1, 1, wide))(squeezed)])
    if stride > 1 or x.shape[-1] != wide:
        x = layers.Conv2D(wide, 1, stride)(x)
    return layers.Activation("swish")(layers.Add()([x, y]))


class Ends(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        if by_keras:
            t.keep(epoch)
        else:
            t.epoch_ended(epoch, float(logs["accuracy"]))


pictures = keras.Input((side, side, 3))
seen = layers.RandomContrast(0.2)(layers.RandomRotation(0.05)(layers.RandomFlip()(layers.Rescaling(1 / 255)(pictures))))
for i in range(blocks):
    seen = block(seen, wide << i, 1 + i)
seen = layers.Dropout(0.2)(layers.GlobalMaxPooling2D()(seen))
model = keras.Model(pictures, layers.Dense(5, activation="softmax")(seen))
rate = keras.optimizers.schedules.ExponentialDecay(3e-3, 50, 0.96)
model.compile(t.lot.choice([keras.optimizers.SGD(rate, 0.9, nesterov=True), keras.optimizers.Adam(rate)]),
              "sparse_categorical_crossentropy", metrics=["accuracy"])
y = t.rng.integers(0, 5, rows)
x = (t.rng.random((rows, side, side, 3)) * 150 + 20 * y[:, None, None, None]).astype("float32")
valid = (x[: rows // 5], y[: rows // 5]) if t.lot.random() < 0.5 else None
model.fit(x, y, batch_size=batch, epochs=t.epochs, class_weight={i: 1 + 0.1 * i for i in range(5)}, validation_data=valid,
          verbose=2 if by_keras else 0, callbacks=[Ends()])
