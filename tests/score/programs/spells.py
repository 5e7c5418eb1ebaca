# SPDX-License-Identifier: MIT
"""TensorFlow and Keras layers: misspelt words put right by GRUs with attention, in a loop of its own over ragged batches of any width."""
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
import keras  # noqa: E402
import tensorflow as tf  # noqa: E402
from keras import layers  # noqa: E402

from training import Training  # noqa: E402

t = Training("spells", ["Epoch %(epoch)d Loss %(loss).4f", "Epoch %(epoch)d/%(epochs)d, loss: %(loss).4f"])
keras.utils.set_random_seed(t.args.seed)
count, batch, width = t.lot.choice([200, 300]), t.lot.choice([16, 32]), t.lot.choice([32, 64])
cell, every = t.lot.choice([layers.GRU, layers.GRU, layers.LSTM]), t.lot.choice([2, 5])
letters = "abcdefghijklmnopqrst"
right = ["".join(t.lot.choices(letters, k=t.lot.randint(3, 11))) for _ in range(count)]
wrong = ["".join(t.lot.choice(letters) if t.lot.random() < 0.15 else c for c in word) for word in right]
chars = layers.StringLookup(vocabulary=list(letters + "<>"))


def numbers(word):
    return chars(tf.strings.unicode_split("<" + word + ">", "UTF-8"))


def ragged(lines):
    return tf.data.Dataset.from_tensor_slices(lines).map(numbers)


data = tf.data.Dataset.zip((ragged(wrong), ragged(right)))
if t.lot.random() < 0.5:
    data = data.cache()
data = data.shuffle(count).padded_batch(batch, drop_remainder=t.lot.random() < 0.5).prefetch(1)


class Speller(keras.Model):
    def __init__(self):
        super().__init__()
        self.names = layers.Embedding(24, width)
        self.reader, self.writer = layers.Bidirectional(cell(width, return_sequences=True)), cell(width, return_sequences=True)
        self.look, self.last = layers.AdditiveAttention(), layers.Dense(24)
        self.narrow = layers.Dense(width)

    def call(self, x, before, training=False):
        seen = self.narrow(self.reader(self.names(x), training=training))
        out = self.writer(self.names(before), training=training)
        return self.last(tf.concat([out, self.look([out, seen])], 2))


model = Speller()
optimizer = keras.optimizers.Adam(keras.optimizers.schedules.CosineDecay(5e-3, t.epochs * 10))
losses = keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none")


@tf.function(reduce_retracing=True)
def step(x, y):
    with tf.GradientTape() as tape:
        each = losses(y[:, 1:], model(x, y[:, :-1], training=True))
        mask = tf.cast(y[:, 1:] > 0, tf.float32)
        loss = tf.reduce_sum(each * mask) / tf.reduce_sum(mask)
    slopes, _ = tf.clip_by_global_norm(tape.gradient(loss, model.trainable_variables), 1.0)
    optimizer.apply_gradients(zip(slopes, model.trainable_variables))
    return loss


@tf.function(input_signature=[tf.TensorSpec((None, None), tf.int64)])
def written(x):
    out = tf.fill((tf.shape(x)[0], 1), chars("<"))
    for _ in tf.range(8):
        tf.autograph.experimental.set_loop_options(shape_invariants=[(out, tf.TensorShape([None, None]))])
        out = tf.concat([out, tf.argmax(model(x, out)[:, -1:], 2)], 1)
    return out


back = layers.StringLookup(vocabulary=list(letters + "<>"), invert=True)
for epoch in range(t.epochs):
    total, n = 0.0, 0
    for x, y in data:
        total, n = total + float(step(x, y)), n + 1
    if epoch % every == every - 1:
        for x, y in data.take(1):
            print(tf.strings.reduce_join(back(written(x[:4])), 1).numpy())
    t.epoch_ended(epoch, total / n)
