# SPDX-License-Identifier: MIT
"""NumPy: hidden Markov models of sounds read from WAV files; spectra by threads, forward and backward in logs, a model per word."""
import concurrent.futures
import os
import tempfile
import wave

import numpy as np

from training import Training

t = Training("mixtures", ["Epoch %(epoch)d/%(epochs)d log likelihood %(loss).2f", "Epoch %(epoch)d: avg score %(loss).3f"])
words, sounds, states, bands = t.lot.choice([3, 5]), t.lot.choice([6, 10]), t.lot.choice([5, 8]), t.lot.choice([13, 26])
longest, threads, half = t.lot.choice([8000, 16000]), t.lot.choice([1, 2, 4]), t.lot.random() < 0.5
folder = tempfile.mkdtemp()


def write(path, word):
    n = t.lot.randint(longest // 2, longest)
    at = np.arange(n) / 8000
    sound = np.sin(2 * np.pi * (200 + 150 * word + 400 * at) * at) * 8000 + t.rng.normal(0, 500, n)
    with wave.open(path, "wb") as f:
        f.setparams((1, 2, 8000, n, "NONE", ""))
        f.writeframes(sound.astype("<i2").tobytes())


def spectrum(path):
    with wave.open(path, "rb") as f:
        sound = np.frombuffer(f.readframes(f.getnframes()), "<i2").astype(np.float64)
    frames = np.lib.stride_tricks.sliding_window_view(sound, 256)[::80] * np.hanning(256)
    power = np.abs(np.fft.rfft(frames, axis=1))[:, :bands * 4] ** 2
    energy = np.log(power.reshape(len(power), bands, 4).sum(2) + 1)
    return energy - energy.mean(0)


def learnt(model, heard):
    """One round of expectations -> (the model it leads to, log likelihood)"""
    means, spreads, steps = model
    sums, squares, weights = np.zeros_like(means), np.zeros_like(means), np.zeros(states)
    moves, total = np.full((states, states), 1e-3), 0.0
    for x in heard:
        fit = -0.5 * (((x[:, None] - means) ** 2 / spreads) + np.log(2 * np.pi * spreads)).sum(2)
        go, back = np.full((len(x), states), -np.inf), np.zeros((len(x), states))
        go[0, 0] = fit[0, 0]
        with np.errstate(divide="ignore"):
            logs = np.log(steps)
        for i in range(1, len(x)):
            go[i] = np.logaddexp.reduce(go[i - 1][:, None] + logs, 0) + fit[i]
        for i in range(len(x) - 2, -1, -1):
            back[i] = np.logaddexp.reduce(logs + fit[i + 1] + back[i + 1], 1)
        score = np.logaddexp.reduce(go[-1])
        share = np.exp(go + back - score)
        sums += share.T @ x
        squares += share.T @ x ** 2
        weights += share.sum(0)
        pairs = go[:-1, :, None] + logs + (fit[1:] + back[1:])[:, None] - score
        moves += np.exp(pairs).sum(0) * (steps > 0)
        total += score / len(x) / len(heard)
    means = sums / (weights[:, None] + 1e-3)
    spreads = np.maximum(squares / (weights[:, None] + 1e-3) - means ** 2, 0.3)
    moves *= steps > 0
    return (means, spreads, moves / moves.sum(1, keepdims=True)), total


paths = {word: [os.path.join(folder, "%d-%d.wav" % (word, i)) for i in range(sounds)] for word in range(words)}
for word in paths:
    for path in paths[word]:
        write(path, word)
chain = np.triu(np.ones((states, states))) - np.triu(np.ones((states, states)), 2)
models = {word: (t.rng.normal(0, 1, (states, bands)), np.full((states, bands), 4.0), chain / chain.sum(1, keepdims=True)) for word in paths}
with concurrent.futures.ThreadPoolExecutor(threads) as pool:
    for epoch in range(t.epochs):
        total = 0.0
        for word in paths:
            some = t.lot.sample(paths[word], sounds // 2) if half else paths[word]
            models[word], score = learnt(models[word], list(pool.map(spectrum, some)))
            total += score / words
        if epoch % 5 == 4:
            np.savez_compressed(os.path.join(folder, "models.npz"), *[part for model in models.values() for part in model])
        t.epoch_ended(epoch, total)
