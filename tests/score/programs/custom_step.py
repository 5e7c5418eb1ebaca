# SPDX-License-Identifier: MIT
"""Keras: two inputs and two outputs, and a train_step of its own with a tape, clipped gradients and metrics."""
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
import keras  # noqa: E402
import tensorflow as tf  # noqa: E402

from training import Training  # noqa: E402

t = Training("custom_step")
keras.utils.set_random_seed(t.args.seed)
width, rows, batch = t.lot.choice([32, 128, 256]), t.lot.choice([500, 1500]), t.lot.choice([32, 64])
by_keras = t.lot.random() < 0.5     # whose lines


class Model(keras.Model):
    def __init__(self, *args, **more):
        super().__init__(*args, **more)
        self.seen = keras.metrics.Mean("loss")
        self.right = keras.metrics.SparseCategoricalAccuracy("right")

    @property
    def metrics(self):
        return [self.seen, self.right]

    def train_step(self, data):
        x, (value, kind) = data
        with tf.GradientTape() as tape:
            guess, scores = self(x, training=True)
            loss = tf.reduce_mean((guess[:, 0] - value) ** 2)
            loss += tf.reduce_mean(keras.losses.sparse_categorical_crossentropy(kind, scores))
        gradients, _ = tf.clip_by_global_norm(tape.gradient(loss, self.trainable_variables), 1.0)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        self.seen.update_state(loss)
        self.right.update_state(kind, scores)
        return {m.name: m.result() for m in self.metrics}


class Ends(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        if by_keras:
            t.keep(epoch)
        else:
            t.epoch_ended(epoch, float(logs["loss"]))


words, numbers = keras.Input((10,), dtype="int32"), keras.Input((8,))
seen = keras.layers.GlobalAveragePooling1D()(keras.layers.Embedding(1000, 16)(words))
seen = keras.layers.Concatenate()([seen, keras.layers.Dense(16, "relu")(numbers)])
seen = keras.layers.Dropout(0.2)(keras.layers.Dense(width, "relu")(seen))
model = Model([words, numbers], [keras.layers.Dense(1)(seen), keras.layers.Dense(5, "softmax")(seen)])
model.compile(optimizer=t.lot.choice(["adam", "rmsprop"]))
x = t.rng.integers(0, 1000, (rows, 10)), t.rng.random((rows, 8), dtype="float32")
y = t.rng.random(rows, dtype="float32"), t.rng.integers(0, 5, rows)
model.fit(x, y, batch_size=batch, epochs=t.epochs, verbose=2 if by_keras else 0, callbacks=[Ends()])
