# SPDX-License-Identifier: MIT
"""Keras: clicks on advertisements; lookups of names and numbers, crosses and hashes feed embeddings of many rows; two answers."""
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
import keras  # noqa: E402
import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402
from keras import layers  # noqa: E402

from training import Training  # noqa: E402

t = Training("clicks", ["Epoch %(epoch)d/%(epochs)d click loss %(loss).4f", "epoch %(epoch)d: loss=%(loss).5f"])
keras.utils.set_random_seed(t.args.seed)
rows, batch, width, people = t.lot.choice([1000, 2000]), t.lot.choice([200, 400]), 32, t.lot.choice([400000, 450000])
by_keras, bought = t.lot.random() < 0.5, t.lot.random() < 0.5
cities, products = ["city %d" % i for i in range(300)], list(range(1000, 3000))
x = {"person": t.rng.integers(0, 10 ** 9, rows).astype("int64"), "city": np.array(t.lot.choices(cities, k=rows)),
     "product": np.array(t.lot.choices(products, k=rows), "int64"), "hour": t.rng.integers(0, 24, rows).astype("float32")}
y = {"click": (t.rng.random(rows) < 0.3).astype("float32"), "spent": t.rng.exponential(2, rows).astype("float32")}

inputs = {"person": keras.Input((), dtype="int64", name="person"), "city": keras.Input((), dtype="string", name="city"),
          "product": keras.Input((), dtype="int64", name="product"), "hour": keras.Input((), name="hour")}
person = layers.Embedding(people, width)(layers.Hashing(people)(inputs["person"]))
city = layers.Embedding(302, 8)(layers.StringLookup(vocabulary=cities)(inputs["city"]))
product = layers.Embedding(2002, 16)(layers.IntegerLookup(vocabulary=products)(inputs["product"]))
hour = layers.Embedding(5, 4)(layers.Discretization([6.0, 10.0, 16.0, 20.0])(inputs["hour"]))
seen = layers.Dropout(0.2)(layers.Dense(64, activation="relu")(layers.Concatenate()([person, city, product, hour])))
model = keras.Model(inputs, {"click": layers.Dense(1, activation="sigmoid", name="click")(seen),
                             "spent": layers.Dense(1, activation="softplus", name="spent")(seen)})
model.compile("adam", {"click": "binary_crossentropy", "spent": "mean_absolute_error"},
              loss_weights={"click": 1.0, "spent": 0.3 if bought else 0.05}, metrics={"click": [keras.metrics.AUC()]})
data = tf.data.Dataset.from_tensor_slices((x, y))
seen, unseen = data.skip(rows // 8).shuffle(t.lot.choice([300, rows])).batch(batch).prefetch(2), data.take(rows // 8).batch(batch)


class Ends(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        if by_keras:
            t.keep(epoch)
        else:
            t.epoch_ended(epoch, float(logs["click_loss"]))


model.fit(seen, validation_data=unseen, validation_freq=t.lot.choice([1, 3]), epochs=t.epochs, verbose=2 if by_keras else 0,
          callbacks=[keras.callbacks.TerminateOnNaN(), Ends()])
