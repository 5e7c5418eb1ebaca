# SPDX-License-Identifier: MIT
"""Keras: numbers to be sorted, by attention across two sequences; a train_step that sums gradients, averaged weights, a shuffle buffer."""
import os
import tempfile

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
import keras  # noqa: E402
import tensorflow as tf  # noqa: E402
from keras import layers  # noqa: E402

from training import Training  # noqa: E402

t = Training("attend", ["Epoch %(epoch)d/%(epochs)d - sorted loss %(loss).4f", "epoch %(epoch)d/%(epochs)d  loss=%(loss).4f"])
keras.utils.set_random_seed(t.args.seed)
span, width, blocks, batch = t.lot.choice([8, 14]), t.lot.choice([32, 64]), 1, t.lot.choice([16, 32])
steps, buffer, by_keras, parts = t.lot.choice([8, 16]), t.lot.choice([64, 400]), t.lot.random() < 0.5, t.lot.choice([1, 2])
folder, every = tempfile.mkdtemp(), t.lot.choice([3, 5])


def rows():
    while True:
        x = t.rng.integers(1, 50, span)
        yield x, sorted(x)


class Block(layers.Layer):
    def __init__(self):
        super().__init__()
        self.own, self.other = layers.MultiHeadAttention(2, width // 2), layers.MultiHeadAttention(2, width // 2, dropout=0.1)
        self.norms = [layers.LayerNormalization() for _ in range(3)]
        self.wide, self.narrow = layers.Dense(2 * width, activation="gelu"), layers.Dense(width)

    def call(self, x, seen):
        x = x + self.own(self.norms[0](x), self.norms[0](x), use_causal_mask=True)
        x = x + self.other(self.norms[1](x), seen)
        return x + self.narrow(self.wide(self.norms[2](x)))


class Sorter(keras.Model):
    def __init__(self):
        super().__init__()
        self.names, self.places = layers.Embedding(50, width), layers.Embedding(span, width)
        self.blocks, self.last = [Block() for _ in range(blocks)], layers.Dense(50)
        self.mean = keras.metrics.Mean("loss")

    def call(self, given):
        x, y = given
        before = tf.pad(y[:, :-1], [[0, 0], [1, 0]])
        seen, out = self.names(x) + self.places(tf.range(span)), self.names(before) + self.places(tf.range(span))
        for block in self.blocks:
            out = block(out, seen)
        return self.last(out)

    def train_step(self, given):
        x, y = given
        weights, sums = self.trainable_variables, None
        for some_x, some_y in zip(tf.split(x, parts), tf.split(y, parts)):
            with tf.GradientTape() as tape:
                guess = self((some_x, some_y), training=True)
                loss = tf.reduce_mean(keras.losses.sparse_categorical_crossentropy(some_y, guess, from_logits=True))
            slopes = tape.gradient(loss, weights)
            sums = slopes if sums is None else [tf.convert_to_tensor(a) + tf.convert_to_tensor(b) for a, b in zip(sums, slopes)]
            self.mean.update_state(loss)
        self.optimizer.apply_gradients(zip(sums, weights))
        return {"loss": self.mean.result()}

    def test_step(self, given):
        x, y = given
        right = tf.reduce_all(tf.argmax(self((x, y)), 2) == y, 1)
        return {"right": tf.reduce_mean(tf.cast(right, tf.float32))}

    @property
    def metrics(self):
        return [self.mean]


class Ends(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        if epoch % every == every - 1:
            self.model.save_weights(os.path.join(folder, "last.weights.h5"))
        if by_keras:
            t.keep(epoch)
        else:
            t.epoch_ended(epoch, float(logs["loss"]))


data = tf.data.Dataset.from_generator(rows, output_signature=(tf.TensorSpec((span,), tf.int64), tf.TensorSpec((span,), tf.int64)))
data = data.shuffle(buffer, seed=t.args.seed).batch(batch).prefetch(t.lot.choice([1, tf.data.AUTOTUNE]))
held_out = data.take(2).cache()
model = Sorter()
model.compile(keras.optimizers.AdamW(2e-3, use_ema=True, ema_momentum=0.95))
model(next(iter(data)))     # builds it
model.fit(data, steps_per_epoch=steps, epochs=t.epochs, validation_data=held_out, validation_freq=every, verbose=2 if by_keras else 0,
          callbacks=[Ends(), keras.callbacks.LearningRateScheduler(lambda epoch, rate: rate * 0.98)])
