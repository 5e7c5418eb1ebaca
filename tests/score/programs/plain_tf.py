# SPDX-License-Identifier: MIT
"""TensorFlow without Keras: variables, one traced step, momentum by hand, batches from a generator."""
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
import tensorflow as tf  # noqa: E402

from training import Training  # noqa: E402

t = Training("plain_tf")
tf.random.set_seed(t.args.seed)
width, rows, batch = t.lot.choice([64, 256, 512]), t.lot.choice([1000, 3000]), t.lot.choice([32, 64])
sizes = [32, width, width, 1]
weights = [tf.Variable(tf.random.normal((a, b), stddev=0.1)) for a, b in zip(sizes, sizes[1:])]
moments = [tf.Variable(tf.zeros_like(w)) for w in weights]
x, y = t.rng.random((rows, 32), dtype="float32"), t.rng.random((rows, 1), dtype="float32")


@tf.function(reduce_retracing=True)
def step(a, b):
    with tf.GradientTape() as tape:
        h = a
        for w in weights[:-1]:
            h = tf.nn.relu(h @ w)
        loss = tf.reduce_mean((h @ weights[-1] - b) ** 2)
    for w, m, g in zip(weights, moments, tape.gradient(loss, weights)):
        m.assign(0.9 * m + g)
        w.assign_sub(0.01 * m)
    return loss


def batches():
    order = t.rng.permutation(rows)
    for at in range(0, rows - batch + 1, batch):
        some = order[at:at + batch]
        yield x[some], y[some]


shapes = (tf.TensorSpec((batch, 32), tf.float32), tf.TensorSpec((batch, 1), tf.float32))
data = tf.data.Dataset.from_generator(batches, output_signature=shapes) if t.lot.random() < 0.5 else None
for epoch in range(t.epochs):
    total = 0.0
    for a, b in data or batches():
        total += float(step(a, b))
    t.epoch_ended(epoch, total)
