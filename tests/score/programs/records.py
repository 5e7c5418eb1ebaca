# SPDX-License-Identifier: MIT
"""TensorFlow: sentences in files of records, read, mixed, cached and padded by tf.data; a loop of its own, with checkpoints."""
import os
import tempfile

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
import keras  # noqa: E402
import tensorflow as tf  # noqa: E402

from training import Training  # noqa: E402

t = Training("records", ["Epoch %(epoch)d/%(epochs)d - loss: %(loss).4f", "Epoch %(epoch)d, Loss: %(loss).4f"])
tf.random.set_seed(t.args.seed)
files, each, batch, width = t.lot.choice([2, 6]), t.lot.choice([100, 250]), t.lot.choice([16, 32]), t.lot.choice([16, 64])
folder = tempfile.mkdtemp()


def whole(values):
    return tf.train.Feature(int64_list=tf.train.Int64List(value=values))


for number in range(files):
    with tf.io.TFRecordWriter(os.path.join(folder, "part-%d.tfrecord" % number)) as out:
        for _ in range(each):
            words = t.rng.integers(1, 500, t.lot.randint(4, 40)).tolist()
            facts = {"words": whole(words), "label": whole([int(sum(words) / len(words) > 250)])}
            out.write(tf.train.Example(features=tf.train.Features(feature=facts)).SerializeToString())


def parsed(line):
    facts = tf.io.parse_single_example(line, {"words": tf.io.VarLenFeature(tf.int64),
                                              "label": tf.io.FixedLenFeature([], tf.int64)})
    return tf.sparse.to_dense(facts["words"]), facts["label"]


data = tf.data.Dataset.list_files(os.path.join(folder, "*.tfrecord"), seed=t.args.seed)
data = data.interleave(tf.data.TFRecordDataset, cycle_length=2, num_parallel_calls=t.lot.choice([None, 2]))
data = data.map(parsed, num_parallel_calls=t.lot.choice([None, tf.data.AUTOTUNE]))
if t.lot.random() < 0.5:
    data = data.cache()
data = data.shuffle(t.lot.choice([64, 1000]))
if t.lot.random() < 0.5:
    data = data.bucket_by_sequence_length(lambda words, _: tf.size(words), [11, 21, 31, 41], [batch] * 5,
                                          pad_to_bucket_boundary=True, drop_remainder=True)
else:
    data = data.padded_batch(batch, ([40], []), drop_remainder=True)
data = data.prefetch(t.lot.choice([1, tf.data.AUTOTUNE]))
words = keras.Input((None,), dtype="int64")
seen = keras.layers.Embedding(500, width)(words)
seen = keras.layers.GlobalMaxPooling1D()(keras.layers.Conv1D(2 * width, 3, padding="same", activation="relu")(seen))
model = keras.Model(words, keras.layers.Dense(1)(keras.layers.Dense(width, activation="relu")(seen)))
optimizer, loss_of = keras.optimizers.Adam(1e-3), keras.losses.BinaryCrossentropy(from_logits=True)
mean, right = keras.metrics.Mean(), keras.metrics.BinaryAccuracy(threshold=0.0)
point = tf.train.Checkpoint(model=model, optimizer=optimizer)
saved = tf.train.CheckpointManager(point, folder, max_to_keep=2) if t.lot.random() < 0.6 else None


@tf.function(input_signature=[tf.TensorSpec((None, None), tf.int64), tf.TensorSpec((None,), tf.int64)])
def step(x, y):
    wish = tf.cast(y[:, None], tf.float32)
    with tf.GradientTape() as tape:
        guess = model(x, training=True)
        loss = loss_of(wish, guess)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    mean.update_state(loss)
    right.update_state(wish, guess)


for epoch in range(t.epochs):
    mean.reset_state()
    right.reset_state()
    for x, y in data:
        step(x, y)
    print("accuracy %.3f" % float(right.result()))
    if saved:
        saved.save()
    t.epoch_ended(epoch, float(mean.result()))
