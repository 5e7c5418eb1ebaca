# SPDX-License-Identifier: MIT
"""PyTorch: a large teacher is trained first, then a small student learns its soft answers and hidden features, through hooks."""
import torch
from torch import nn

from training import Training

t = Training("distil", ["Epoch %(epoch)d/%(epochs)d kd loss %(loss).4f", "[student] epoch %(epoch)d: %(loss).4f"])
torch.manual_seed(t.args.seed)
torch.set_num_threads(1)
side, large, small, rows = t.lot.choice([8, 12]), t.lot.choice([24, 48]), t.lot.choice([4, 8]), t.lot.choice([128, 256])
batch, heat, hints = t.lot.choice([16, 32]), t.lot.choice([2.0, 4.0]), t.lot.random() < 0.6


def conv_net(wide):
    return nn.Sequential(nn.Conv2d(1, wide, 3, padding=1), nn.BatchNorm2d(wide), nn.ReLU(), nn.MaxPool2d(2),
                         nn.Conv2d(wide, wide, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Linear(4 * wide, 5))


y = torch.randint(0, 5, (rows,))
x = torch.rand(rows, 1, side, side) + y[:, None, None, None] / 10
teacher, student, between = conv_net(large), conv_net(small), nn.Conv2d(small, large, 1)
first = torch.optim.SGD(teacher.parameters(), 0.05, momentum=0.9)
for _ in range(3):
    for some in torch.randperm(rows).split(batch):
        first.zero_grad()
        nn.functional.cross_entropy(teacher(x[some]), y[some]).backward()
        first.step()
teacher.eval().requires_grad_(False)
del first
seen = {}
teacher[4].register_forward_hook(lambda _m, _i, out: seen.__setitem__("teacher", out))
student[4].register_forward_hook(lambda _m, _i, out: seen.__setitem__("student", out))
optimizer = torch.optim.Adam([*student.parameters(), *between.parameters()], 2e-3)
schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 5e-3, t.epochs * -(-rows // batch))
for epoch in range(t.epochs):
    total = 0.0
    for some in torch.randperm(rows).split(batch):
        with torch.no_grad():
            soft = nn.functional.softmax(teacher(x[some]) / heat, 1)
        guess = student(x[some])
        loss = nn.functional.kl_div(nn.functional.log_softmax(guess / heat, 1), soft, reduction="batchmean") * heat ** 2
        loss = loss + 0.3 * nn.functional.cross_entropy(guess, y[some])
        if hints:
            loss = loss + nn.functional.mse_loss(between(seen["student"]), seen["teacher"])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        total += loss.item()
    t.epoch_ended(epoch, total)
