# SPDX-License-Identifier: MIT
"""JAX: a small Bayesian net sampled by Hamiltonian chains, compiled; the draws of the last five epochs are held to compare chains.

They are all there after the fifth epoch.
"""
from collections import deque

import jax
import jax.numpy as jnp
import numpy as np
from jax.flatten_util import ravel_pytree

from training import Training

t = Training("sampler", ["Epoch %(epoch)d: r_hat %(loss).3f", "epoch %(epoch)d/%(epochs)d, accepted, R = %(loss).4f"])
rows, hidden, chains = t.lot.choice([400, 1500]), t.lot.choice([8, 32]), t.lot.choice([2, 4])
draws, leaps = t.lot.choice([10, 30]), t.lot.choice([5, 10])
x = jnp.asarray(t.rng.random((rows, 6)), jnp.float32)
y = jnp.asarray(np.sin(4 * np.asarray(x[:, 0])) + 0.1 * t.rng.standard_normal(rows), jnp.float32)
key = jax.random.PRNGKey(t.args.seed)
flat, whole = ravel_pytree({"first": jax.random.normal(key, (6, hidden)), "bias": jnp.zeros(hidden), "second": jnp.zeros(hidden)})


def energy(q):
    w = whole(q)
    gap = jnp.tanh(x @ w["first"] + w["bias"]) @ w["second"] - y
    return 10 * jnp.sum(gap ** 2) + 0.5 * jnp.sum(q ** 2)


def leap(state, _):
    q, p, size = state
    p = p - 0.5 * size * jax.grad(energy)(q)
    q = q + size * p
    return (q, p - 0.5 * size * jax.grad(energy)(q), size), None


def move(state, key):
    q, size = state
    one, two = jax.random.split(key)
    p = jax.random.normal(one, q.shape)
    (new, end, _), _ = jax.lax.scan(leap, (q, p, size), None, leaps)
    gain = energy(q) + 0.5 * p @ p - energy(new) - 0.5 * end @ end
    taken = jnp.log(jax.random.uniform(two)) < gain
    return (jnp.where(taken, new, q), size * jnp.where(taken, 1.02, 0.95)), (jnp.where(taken, new, q), taken)


several = jax.jit(jax.vmap(lambda q, size, key: jax.lax.scan(move, (q, size), jax.random.split(key, draws))))
guess_of = jax.jit(lambda q, x: jnp.tanh(x @ whole(q)["first"] + whole(q)["bias"]) @ whole(q)["second"])


def spread(held):
    """How much more the chains differ from one another than in themselves"""
    every = np.concatenate(held, 1)
    within, between = every.var(1).mean(0), every.mean(1).var(0)
    return float(np.sqrt((within + between) / (within + 1e-9)).max())


q, size = jnp.tile(flat, (chains, 1)) + 0.01 * jax.random.normal(key, (chains, len(flat))), jnp.full((chains,), 0.01)
held = deque(maxlen=5)
for epoch in range(t.epochs):
    for _ in range(10):
        key, now = jax.random.split(key)
        (q, size), (seen, taken) = several(q, size, jax.random.split(now, chains))
    held.append(np.asarray(seen))
    guess = np.mean([np.asarray(guess_of(one, x)) for one in q], 0)
    print("  accepted %.2f, error %.4f" % (float(taken.mean()), float(np.mean((guess - np.asarray(y)) ** 2))))
    t.epoch_ended(epoch, spread(held))
