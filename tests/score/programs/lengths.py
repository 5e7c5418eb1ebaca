# SPDX-License-Identifier: MIT
"""JAX: a gated recurrent step scanned over sequences padded to one of four lengths, compiled once for each; donated buffers."""
import jax
import jax.numpy as jnp
import numpy as np

from training import Training

t = Training("lengths", ["Epoch %(epoch)d/%(epochs)d: loss %(loss).5f", "epoch %(epoch)d, nll %(loss).4f"])
width, columns, batches = t.lot.choice([16, 48, 96]), t.lot.choice([4, 12]), t.lot.choice([12, 24])
lengths, clip = [8, 16, 24, 40], t.lot.random() < 0.5
key = jax.random.PRNGKey(t.args.seed)
one, two, three = jax.random.split(key, 3)
weights = {"in": 0.2 * jax.random.normal(one, (columns, 3 * width)), "on": 0.2 * jax.random.normal(two, (width, 3 * width)),
           "out": 0.2 * jax.random.normal(three, (width, 1))}
speed = jax.tree.map(jnp.zeros_like, weights)


def loss_of(w, x, y, mask):
    def step(h, row):
        now, there = row
        a, b = now @ w["in"], h @ w["on"]
        z, r = jax.nn.sigmoid(a[:, :width] + b[:, :width]), jax.nn.sigmoid(a[:, width:2 * width] + b[:, width:2 * width])
        new = (1 - z) * h + z * jnp.tanh(a[:, 2 * width:] + r * b[:, 2 * width:])
        return jnp.where(there[:, None], new, h), None
    h, _ = jax.lax.scan(step, jnp.zeros((x.shape[0], width)), (x.swapaxes(0, 1), mask.T))
    return jnp.mean(((h @ w["out"])[:, 0] - y) ** 2)


def update(w, speed, x, y, mask):
    loss, grads = jax.value_and_grad(loss_of)(w, x, y, mask)
    if clip:
        size = jnp.sqrt(sum(jnp.sum(g * g) for g in jax.tree.leaves(grads)))
        grads = jax.tree.map(lambda g: g / jnp.maximum(1.0, size), grads)
    speed = jax.tree.map(lambda s, g: 0.9 * s + g, speed, grads)
    return jax.tree.map(lambda a, s: a - 3e-3 * s, w, speed), speed, loss


update = jax.jit(update, donate_argnums=(0, 1))
for epoch in range(t.epochs):
    total = 0.0
    for i in range(batches):
        length = lengths[i % 4]
        ends = t.rng.integers(length // 2, length + 1, 16)
        mask = np.arange(length)[None] < ends[:, None]
        x = t.rng.standard_normal((16, length, columns)).astype("float32")
        y = (x[..., 0] * mask).sum(1) / ends
        weights, speed, loss = update(weights, speed, x, y.astype("float32"), mask)
        total += float(loss)
    t.epoch_ended(epoch, total)
