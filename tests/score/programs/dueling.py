# SPDX-License-Identifier: MIT
"""PyTorch: a pole is balanced by deep Q-learning, from a deque of tensors of the last so many steps, with a slow target.

The deque is full by the eighth epoch.
"""
import copy
import math
from collections import deque

import torch
from torch import nn

from training import Training

t = Training("dueling", ["Epoch %(epoch)d/%(epochs)d return %(loss).1f", "epoch %(epoch)d | mean return %(loss).2f"])
torch.manual_seed(t.args.seed)
torch.set_num_threads(1)
steps, width, history = t.lot.choice([150, 300]), t.lot.choice([32, 128]), t.lot.choice([1, 4, 16])
memory = deque(maxlen=steps * t.lot.choice([2, 4, 7]))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4 * history, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.value, self.gain = nn.Linear(width, 1), nn.Linear(width, 2)

    def forward(self, x):
        seen = self.body(x)
        gain = self.gain(seen)
        return self.value(seen) + gain - gain.mean(1, keepdim=True)


def moved(s, push):
    x, v, a, w = s
    turn = (9.8 * math.sin(a) - math.cos(a) * (push * 10 + 0.05 * w * w * math.sin(a)) / 1.1) / (0.5 * (4 / 3 - 0.1 * math.cos(a) ** 2 / 1.1))
    return x + 0.02 * v, v + 0.02 * (push * 10 - 0.05 * turn) / 1.1, a + 0.02 * w, w + 0.02 * turn


def fresh():
    return tuple(t.lot.uniform(-0.05, 0.05) for _ in range(4))


net = Net()
slow = copy.deepcopy(net)
optimizer = torch.optim.Adam(net.parameters(), 1e-3)
state = fresh()
frames = deque([state] * history, maxlen=history)
for epoch in range(t.epochs):
    games, lived = 1, 0
    for i in range(steps):
        seen = torch.tensor(frames, dtype=torch.float32).flatten()
        with torch.no_grad():
            action = t.lot.randrange(2) if t.lot.random() < max(0.05, 0.9 - epoch / 10) else int(net(seen[None])[0].argmax())
        state = moved(state, 2 * action - 1)
        frames.append(state)
        done = abs(state[0]) > 2.4 or abs(state[2]) > 0.2
        memory.append((seen, action, 1.0, torch.tensor(frames, dtype=torch.float32).flatten(), done))
        lived += 1
        if done:
            state, games = fresh(), games + 1
            frames.extend([state] * history)
        if i % 4 == 0 and len(memory) > 64:
            x, a, r, after, over = zip(*t.lot.sample(memory, 32))
            with torch.no_grad():
                best = slow(torch.stack(after)).max(1).values * (1 - torch.tensor(over, dtype=torch.float32))
            guess = net(torch.stack(x)).gather(1, torch.tensor(a)[:, None])[:, 0]
            loss = nn.functional.huber_loss(guess, torch.tensor(r) + 0.97 * best)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    slow.load_state_dict(net.state_dict())
    t.epoch_ended(epoch, lived / games)
