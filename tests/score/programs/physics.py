# SPDX-License-Identifier: MIT
"""PyTorch: a net that obeys an equation, by gradients of gradients; Adam first, then L-BFGS, whose memory of steps fills."""
import torch
from torch import nn

from training import Training

t = Training("physics", ["Epoch %(epoch)d/%(epochs)d residual %(loss).3e", "epoch %(epoch)d: loss = %(loss).3e"])
torch.manual_seed(t.args.seed)
torch.set_num_threads(1)
width, depth, points = t.lot.choice([128, 192]), t.lot.choice([3, 4]), t.lot.choice([200, 400])
before, past = t.lot.choice([0, 2, 4]), t.lot.choice([10, 20])  # epochs of Adam; steps that L-BFGS remembers
torch.set_default_dtype(torch.float64 if t.lot.random() < 0.4 else torch.float32)


class Wave(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(2 if i == 0 else width, width) for i in range(depth)])
        self.last = nn.Linear(width, 1)

    def forward(self, x):
        for layer in self.layers:
            x = torch.tanh(layer(x))
        return self.last(x)


def residual(net, x):
    x = x.requires_grad_()
    u = net(x)
    first, = torch.autograd.grad(u.sum(), x, create_graph=True)
    second, = torch.autograd.grad(first[:, :1].sum(), x, create_graph=True)
    return first[:, 1] + u[:, 0] * first[:, 0] - 0.02 * second[:, 0]


def loss_of(net, inside, begin, edge):
    return (residual(net, inside).pow(2).mean() + (net(begin)[:, 0] + torch.sin(torch.pi * begin[:, 0])).pow(2).mean()
            + net(edge).pow(2).mean())


def drawn(n):
    inside = torch.rand(n, 2) * torch.tensor([2.0, 1.0]) - torch.tensor([1.0, 0.0])
    begin, edge = torch.rand(n // 4, 2) * 2 - 1, torch.rand(n // 4, 2)
    begin[:, 1], edge[:, 0] = 0, edge[:, 0].round() * 2 - 1
    return inside, begin, edge


model = Wave()
adam = torch.optim.Adam(model.parameters(), 1e-3)
newton = torch.optim.LBFGS(model.parameters(), 0.5, max_iter=4, history_size=past, tolerance_change=0, tolerance_grad=0,
                           line_search_fn="strong_wolfe" if t.lot.random() < 0.5 else None)
for epoch in range(t.epochs):
    parts = drawn(points if t.lot.random() < 0.8 else points * 3 // 2)

    def closure():
        newton.zero_grad()
        loss = loss_of(model, *parts)
        loss.backward()
        return loss

    if epoch < before:
        for _ in range(10):
            adam.zero_grad()
            loss = loss_of(model, *parts)
            loss.backward()
            adam.step()
    else:
        loss = newton.step(closure)
        if not torch.isfinite(loss):
            newton.state.clear()
    if epoch % 5 == 4:
        grid = torch.cartesian_prod(torch.linspace(-1, 1, 64), torch.linspace(0, 1, 32))
        with torch.no_grad():
            print("largest %.3f" % model(grid).abs().max().item())
    t.epoch_ended(epoch, loss.item())
