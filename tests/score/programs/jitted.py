# SPDX-License-Identifier: MIT
"""JAX: a compiled step over a tree of weights, Adam by hand, batches by a scan or one at a time, and an evaluation by vmap."""
import jax
import jax.numpy as jnp

from training import Training

t = Training("jitted", ["Epoch %(epoch)d, loss %(loss).4f", '{"epoch": %(epoch)d, "train_loss": %(loss).5f}'])
width, rows, batch = t.lot.choice([32, 128, 256]), t.lot.choice([512, 2048]), t.lot.choice([32, 64])
scans, donates = t.lot.random() < 0.5, t.lot.random() < 0.5
sizes = [16, width, width, 1]
x, y = t.rng.random((rows, 16), dtype="float32"), t.rng.random((rows, 1), dtype="float32")
keys = jax.random.split(jax.random.PRNGKey(t.args.seed), 3)
weights = [(0.1 * jax.random.normal(k, (a, b)), jnp.zeros(b)) for k, a, b in zip(keys, sizes, sizes[1:])]
state = (weights, jax.tree.map(jnp.zeros_like, weights), jax.tree.map(jnp.zeros_like, weights))


def guess(weights, row):
    for w, b in weights[:-1]:
        row = jax.nn.relu(row @ w + b)
    return row @ weights[-1][0] + weights[-1][1]


def loss_of(weights, a, b):
    return jnp.mean((jax.vmap(guess, (None, 0))(weights, a) - b) ** 2)


def step(state, pair):
    weights, mean, square = state
    loss, gradient = jax.value_and_grad(loss_of)(weights, *pair)
    mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, mean, gradient)
    square = jax.tree.map(lambda s, g: 0.99 * s + 0.01 * g * g, square, gradient)
    weights = jax.tree.map(lambda w, m, s: w - 1e-3 * m / (jnp.sqrt(s) + 1e-6), weights, mean, square)
    return (weights, mean, square), loss


given = {"donate_argnums": 0} if donates else {}
one, whole = jax.jit(step, **given), jax.jit(lambda state, pairs: jax.lax.scan(step, state, pairs), **given)
score = jax.jit(loss_of)
for epoch in range(t.epochs):
    order = t.rng.permutation(rows)
    if scans:
        pairs = x[order].reshape(-1, batch, 16), y[order].reshape(-1, batch, 1)
        state, losses = whole(state, pairs)
    else:
        for at in range(0, rows, batch):
            some = order[at:at + batch]
            state, losses = one(state, (x[some], y[some]))
    t.epoch_ended(epoch, float(score(state[0], x[:256], y[:256])))
