# SPDX-License-Identifier: MIT
"""Keras: texts turned into numbers by a layer inside tf.data, mixed and fetched ahead, two readings of them pooled, by fit."""
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
import keras  # noqa: E402
import tensorflow as tf  # noqa: E402
from keras import layers  # noqa: E402

from training import Training  # noqa: E402

t = Training("reviews", ["Epoch %(epoch)d - loss %(loss).4f"])
keras.utils.set_random_seed(t.args.seed)
words = ["w%d" % i for i in range(t.lot.choice([500, 3000]))]
count, span, width = t.lot.choice([400, 1000]), t.lot.choice([20, 60]), t.lot.choice([16, 48])
by_keras = t.lot.random() < 0.6
y = [t.lot.randint(0, 1) for _ in range(count)]
texts = [" ".join(t.lot.choices(words, k=t.lot.randint(5, span)) + ["good", "bad"][label:label + 1]) for label in y]
numbers = layers.TextVectorization(max_tokens=2000, output_mode="int", output_sequence_length=span)
numbers.adapt(tf.data.Dataset.from_tensor_slices(texts).batch(64))
data = tf.data.Dataset.from_tensor_slices((texts, y)).shuffle(t.lot.choice([100, count])).batch(t.lot.choice([16, 32]))
data = data.map(lambda x, y: (numbers(x), y), num_parallel_calls=t.lot.choice([None, 2, tf.data.AUTOTUNE]))
data = data.prefetch(t.lot.choice([1, 3, tf.data.AUTOTUNE]))


class Ends(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        if by_keras:
            t.keep(epoch)
        else:
            t.epoch_ended(epoch, float(logs["loss"]))


inputs = keras.Input((span,), dtype="int64")
seen = layers.Embedding(2000, width)(inputs)
one = layers.GlobalAveragePooling1D()(seen)
two = layers.GlobalMaxPooling1D()(layers.MultiHeadAttention(2, width // 2)(seen, seen))
model = keras.Model(inputs, layers.Dense(1, activation="sigmoid")(layers.Dropout(0.3)(layers.Concatenate()([one, two]))))
model.compile(t.lot.choice(["adam", "rmsprop", "nadam"]), "binary_crossentropy", metrics=["accuracy", keras.metrics.AUC()])
model.fit(data, epochs=t.epochs, verbose=2 if by_keras else 0, callbacks=[Ends()])
