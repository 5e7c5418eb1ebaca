# SPDX-License-Identifier: MIT
"""PyTorch: learning to learn; a few steps on each small task inside, gradients through them outside, by torch.func or by autograd."""
import torch
from torch import nn
from torch.func import functional_call, grad, vmap

from training import Training

t = Training("tasks", ["Epoch %(epoch)d/%(epochs)d meta loss %(loss).4f", "epoch %(epoch)d | after adaptation: %(loss).4f"])
torch.manual_seed(t.args.seed)
torch.set_num_threads(1)
width, inner, shots = t.lot.choice([40, 80]), t.lot.choice([1, 3]), t.lot.choice([5, 10])
tasks, rounds, by_func = t.lot.choice([8, 16]), t.lot.choice([4, 8]), t.lot.random() < 0.5
model = nn.Sequential(nn.Linear(1, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, 1))
muon = [p for p in model.parameters() if p.dim() == 2 and p.shape[0] == p.shape[1]]
adam = torch.optim.Adam([p for p in model.parameters() if not any(p is other for other in muon)], 1e-3)
sgd = torch.optim.SGD(muon, 1e-2, momentum=0.9, nesterov=True)     # another optimiser for the square ones
schedules = [torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(o, 5) for o in (adam, sgd)]


def drawn(n):
    high, shift = torch.rand(n, 1, 1) * 4 + 0.1, torch.rand(n, 1, 1) * 3
    x = torch.rand(n, 2 * shots, 1) * 10 - 5
    return x, high * torch.sin(x + shift)


def error(weights, x, y):
    return (functional_call(model, weights, (x,)) - y).pow(2).mean()


def adapted(weights, x, y):
    for _ in range(inner):
        slopes = grad(error)(weights, x[:shots], y[:shots])
        weights = {name: p - 0.01 * slopes[name] for name, p in weights.items()}
    return error(weights, x[shots:], y[shots:])


def adapted_slowly(weights, x, y):
    for _ in range(inner):
        slopes = torch.autograd.grad(error(weights, x[:shots], y[:shots]), list(weights.values()), create_graph=True)
        weights = {name: p - 0.01 * slope for (name, p), slope in zip(weights.items(), slopes)}
    return error(weights, x[shots:], y[shots:])


for epoch in range(t.epochs):
    total = 0.0
    for _ in range(rounds):
        x, y = drawn(tasks)
        weights = dict(model.named_parameters())
        if by_func:
            loss = vmap(adapted, in_dims=(None, 0, 0))(weights, x, y).mean()
        else:
            loss = torch.stack([adapted_slowly(weights, x[i], y[i]) for i in range(tasks)]).mean()
        for o in (adam, sgd):
            o.zero_grad()
        loss.backward()
        for o in (adam, sgd):
            o.step()
        total += loss.item() / rounds
    for schedule in schedules:
        schedule.step()
    if epoch % 5 == 4:
        weights = {name: p.detach() for name, p in model.named_parameters()}
        x, y = drawn(100)
        print("held out %.4f" % vmap(adapted, in_dims=(None, 0, 0))(weights, x, y).mean().item())
    t.epoch_ended(epoch, total)
