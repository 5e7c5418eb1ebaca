# SPDX-License-Identifier: MIT
"""PyTorch: a variational autoencoder of small pictures, its prior weighed in slowly, samples drawn after every epoch."""
import torch
from torch import nn

from training import Training

t = Training("vae", ["====> Epoch: %(epoch)d Average loss: %(loss).4f", "Epoch %(epoch)d/%(epochs)d ELBO %(loss).3f"])
torch.manual_seed(t.args.seed)
torch.set_num_threads(1)
side, hidden, code = t.lot.choice([12, 20, 28]), t.lot.choice([64, 200, 400]), t.lot.choice([2, 20])
rows, batch = t.lot.choice([400, 1000]), t.lot.choice([32, 100])
blobs = torch.rand(rows, 1, 4, 4)
pictures = nn.functional.interpolate(blobs, (side, side), mode="bilinear").flatten(1).clamp(0, 1)
encoder = nn.Sequential(nn.Linear(side * side, hidden), nn.ReLU(), nn.Linear(hidden, 2 * code))
decoder = nn.Sequential(nn.Linear(code, hidden), nn.ReLU(), nn.Linear(hidden, side * side), nn.Sigmoid())
optimizer = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()], 1e-3)
draws = t.lot.choice([0, 16, 256])


def step(x, weight):
    mean, spread = encoder(x).chunk(2, 1)
    seen = decoder(mean + torch.randn_like(mean) * (0.5 * spread).exp())
    prior = -0.5 * (1 + spread - mean.pow(2) - spread.exp()).sum()
    loss = nn.functional.binary_cross_entropy(seen, x, reduction="sum") + weight * prior
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


for epoch in range(t.epochs):
    order = torch.randperm(rows)
    total = sum(step(pictures[some], min(1.0, (epoch + 1) / 10)) for some in order.split(batch))
    if draws:
        with torch.no_grad():
            grid = decoder(torch.randn(draws, code)).mul(255).byte().numpy().tobytes()
    t.epoch_ended(epoch, total / rows)
