# SPDX-License-Identifier: MIT
"""Small real PyTorch trainings. usage: train_torch.py CASE EPOCHS print|unflushed|tqdm"""
import sys

import torch
from torch.utils.data import DataLoader, TensorDataset
from tqdm import tqdm

import truth

CASE, EPOCHS, STYLE = sys.argv[1], int(sys.argv[2]), sys.argv[3]
torch.set_num_threads(1)


def net(width=256):
    return torch.nn.Sequential(torch.nn.Linear(width, 512), torch.nn.ReLU(), torch.nn.Linear(512, 1))


def batches(rows=8192, width=256, workers=0):
    return DataLoader(TensorDataset(torch.rand(rows, width), torch.rand(rows, 1)), batch_size=64, num_workers=workers)


def bar(loader, epoch):
    if STYLE == "tqdm":
        return tqdm(loader, desc="Epoch %d/%d" % (epoch + 1, EPOCHS))
    return loader


def step(model, optimiser, x, y):
    optimiser.zero_grad()
    loss = torch.nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimiser.step()
    return loss


def train(loader, model, on_batch=lambda model, loss, x: None, on_epoch=lambda epoch, model: model):
    optimiser = torch.optim.SGD(model.parameters(), lr=0.01)
    for epoch in range(EPOCHS):
        for x, y in bar(loader, epoch):
            loss = step(model, optimiser, x, y)
            on_batch(model, loss, x)
        truth.epoch_ended()
        if STYLE != "tqdm":
            print("Epoch %d loss %.4f" % (epoch + 1, loss.item()), flush=STYLE == "print")
        grown = on_epoch(epoch, model)
        if grown is not model:
            model, optimiser = grown, torch.optim.SGD(grown.parameters(), lr=0.01)


def graph():
    """total += loss keeps the graph of every step alive."""
    kept = []
    train(batches(), net(), on_batch=lambda model, loss, x: kept.append(model(x).sum()))


def grown():
    train(batches(), net(), on_epoch=lambda epoch, model: torch.nn.Sequential(
        *list(model.children())[:-1], torch.nn.Linear(512, 16384), torch.nn.Linear(16384, 1)) if epoch == 4 else model)


def dataset():
    train(batches(rows=65536, width=1024), net(1024))


{"plain": lambda: train(batches(), net()), "graph": graph, "grown": grown, "dataset": dataset,
 "workers": lambda: train(batches(workers=2), net())}[CASE]()
