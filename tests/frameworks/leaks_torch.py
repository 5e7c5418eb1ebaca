# SPDX-License-Identifier: MIT
"""PyTorch trainings that keep something in each epoch. usage: leaks_torch.py KIND EPOCHS"""
import sys
import time

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

torch.set_num_threads(1)
KIND, EPOCHS = sys.argv[1], int(sys.argv[2])
STEPS = 20

net = torch.nn.Sequential(torch.nn.Linear(500, 500), torch.nn.Tanh(), torch.nn.Linear(500, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=1e-3)
history = {"loss": []}
total = 0


def loss_of(x):
    return net(x).pow(2).mean()


def learn(loss):
    optimizer.zero_grad()
    loss.backward(retain_graph=KIND == "loss-with-graph")
    optimizer.step()


def loss_with_graph():
    for _ in range(STEPS):
        loss = loss_of(torch.rand(64, 500))
        learn(loss)
        history["loss"].append(loss)


def total_loss():
    global total
    for _ in range(STEPS):
        loss = loss_of(torch.rand(64, 500))
        total += loss
        learn(loss.detach().requires_grad_())


class Recurrent(torch.nn.Module):
    """Its state keeps all that it was computed from."""

    def __init__(self):
        super().__init__()
        self.cell = torch.nn.GRUCell(100, 100)
        self.hidden = torch.zeros(64, 100)

    def forward(self, x):
        self.hidden = self.cell(x, self.hidden)
        return self.hidden.mean()


recurrent = Recurrent()


def hidden_state():
    for _ in range(STEPS):
        recurrent(torch.rand(64, 100))


class Outputs(torch.nn.Module):
    """Its attribute is replaced by a larger tensor."""

    def __init__(self):
        super().__init__()
        self.hidden = torch.zeros(0, 500)

    def forward(self, x):
        with torch.no_grad():
            self.hidden = torch.cat([self.hidden, x])


outputs = Outputs()


def hidden_tensors():
    for _ in range(STEPS):
        outputs(torch.rand(16, 500))


class Rows(Dataset):
    def __init__(self):
        self.cache = {}
        self.epoch = 0

    def __len__(self):
        return STEPS * 16

    def __getitem__(self, index):
        key = self.epoch, index
        if key not in self.cache:
            self.cache[key] = torch.rand(500)
        return self.cache[key]


rows = Rows()


def dataset_cache():
    for x in DataLoader(rows, batch_size=16):
        learn(loss_of(x))
    rows.epoch += 1


texts = []


def array_of_objects():
    """Python's collector does not follow it."""
    texts.append(np.array(["row %d of %d, %s" % (i, len(texts), "x" * 200) for i in range(3000)], dtype=object))


step = {"loss-with-graph": loss_with_graph, "total-loss": total_loss, "hidden-state": hidden_state,
        "hidden-tensors": hidden_tensors, "dataset-cache": dataset_cache, "array-of-objects": array_of_objects}[KIND]
for epoch in range(EPOCHS):
    step()
    time.sleep(0.3)  # an epoch of a training takes longer than a snapshot
    print("Epoch %d/%d" % (epoch + 1, EPOCHS), flush=True)
