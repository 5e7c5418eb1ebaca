# SPDX-License-Identifier: MIT
"""JAX: a flow that turns normal points into others by steps of an equation, checkpointed in a scan; its Jacobians by vmap, sizes vary."""
import functools

import jax
import jax.numpy as jnp
import numpy as np

from training import Training

t = Training("flows", ["Epoch %(epoch)d/%(epochs)d nll %(loss).4f", "[Epoch %(epoch)d] bits %(loss).3f"])
width, parts, steps = t.lot.choice([32, 64]), t.lot.choice([6, 12]), t.lot.choice([4, 8])
sizes, remat, dim = [64, 96, 128, 192][:t.lot.choice([2, 3, 4])], t.lot.random() < 0.6, t.lot.choice([2, 4])
one, two, three = jax.random.split(jax.random.PRNGKey(t.args.seed), 3)
weights = {"in": 0.3 * jax.random.normal(one, (dim + 1, width)), "mid": 0.1 * jax.random.normal(two, (width, width)),
           "out": 0.1 * jax.random.normal(three, (width, dim))}
slow = jax.tree.map(jnp.zeros_like, weights)


def speed(w, x, at):
    return jnp.tanh(jnp.tanh(jnp.append(x, at) @ w["in"]) @ w["mid"]) @ w["out"]


def likelihood(w, x):
    def on(state, at):
        x, change = state
        move = functools.partial(speed, w, at=at)
        return (x + move(x) / parts, change + jnp.trace(jax.jacfwd(move)(x)) / parts), None
    (x, change), _ = jax.lax.scan(jax.checkpoint(on) if remat else on, (x, 0.0), jnp.arange(parts) / parts)
    return -0.5 * jnp.sum(x ** 2) + change - 0.5 * dim * jnp.log(2 * jnp.pi)


@jax.jit
def step(w, slow, x):
    loss, slope = jax.value_and_grad(lambda w: -jax.vmap(functools.partial(likelihood, w))(x).mean())(w)
    slow = jax.tree.map(lambda s, g: 0.9 * s + g, slow, slope)
    return jax.tree.map(lambda p, s: p - 0.01 * s, w, slow), slow, loss


@jax.jit
def drawn(w, x):
    return jax.lax.fori_loop(0, parts, lambda i, x: x - jax.vmap(lambda p: speed(w, p, 1 - i / parts))(x) / parts, x)


best, best_loss = weights, np.inf
for epoch in range(t.epochs):
    total = 0.0
    for turn in range(steps):
        size = sizes[turn % len(sizes)] if epoch == 0 else t.lot.choice(sizes)
        at = t.rng.random((size, 1)) * 6
        x = np.concatenate([np.sin(at), np.cos(at)] * (dim // 2), 1) + t.rng.normal(0, 0.1, (size, dim))
        weights, slow, loss = step(weights, slow, jnp.asarray(x, jnp.float32))
        total += float(loss) / steps
    if total < best_loss:
        best, best_loss = jax.tree.map(jnp.copy, weights), total
    if epoch % 5 == 0:
        print("spread of draws", np.asarray(drawn(best, jax.random.normal(jax.random.PRNGKey(epoch), (256, dim)))).std(0))
    t.epoch_ended(epoch, total)
