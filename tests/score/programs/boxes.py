# SPDX-License-Identifier: MIT
"""PyTorch: things are found in pictures; any number of them in each, matched to anchors by overlap, the rest dropped by rank."""
import torch
from torch import nn

from training import Training

t = Training("boxes", ["Epoch [%(epoch)d/%(epochs)d] loss: %(loss).4f", "Epoch: [%(epoch)d] total_loss %(loss).3f"])
torch.manual_seed(t.args.seed)
torch.set_num_threads(1)
rows, batch, wide = t.lot.choice([24, 40]), t.lot.choice([2, 4]), t.lot.choice([16, 24])
sizes, most = t.lot.choice([(48, 64), (48, 64, 80)]), t.lot.choice([12, 40])
many_scales, every = t.lot.random() < 0.5, t.lot.choice([2, 4])


def scene():
    side = t.lot.choice(sizes)
    picture, boxes = torch.rand(3, side, side) * 0.2, []
    for _ in range(t.lot.randint(1, most)):
        x, y, w, h = (t.lot.randint(0, side - 16), t.lot.randint(0, side - 16), t.lot.randint(5, 16), t.lot.randint(5, 16))
        picture[t.lot.randrange(3), y:y + h, x:x + w] += 0.7
        boxes.append([x, y, x + w, y + h])
    return picture, torch.tensor(boxes, dtype=torch.float32)


def overlaps(a, b):
    low, high = torch.maximum(a[:, None, :2], b[None, :, :2]), torch.minimum(a[:, None, 2:], b[None, :, 2:])
    both = (high - low).clamp(min=0).prod(2)
    return both / ((a[:, 2:] - a[:, :2]).prod(1)[:, None] + (b[:, 2:] - b[:, :2]).prod(1)[None] - both)


def anchors_of(height, width, stride):
    y, x = torch.meshgrid(torch.arange(height) * stride, torch.arange(width) * stride, indexing="ij")
    middle = torch.stack([x, y, x, y], 2).float()[:, :, None] + stride / 2
    return (middle + torch.tensor([[-s, -s, s, s] for s in (4.0, 7.0)])).reshape(-1, 4)


class Finder(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, wide, 3, 2, 1), nn.BatchNorm2d(wide), nn.ReLU(), nn.Conv2d(wide, 2 * wide, 3, 2, 1),
                                  nn.BatchNorm2d(2 * wide), nn.ReLU(), nn.Conv2d(2 * wide, 2 * wide, 3, 1, 1), nn.ReLU())
        self.there, self.shift = nn.Conv2d(2 * wide, 2, 1), nn.Conv2d(2 * wide, 8, 1)

    def forward(self, x):
        seen = self.body(x)
        n, _, height, width = seen.shape
        there = self.there(seen).permute(0, 2, 3, 1).reshape(n, -1)
        return there, self.shift(seen).permute(0, 2, 3, 1).reshape(n, -1, 4), anchors_of(height, width, 4)


def loss_of(there, shift, anchors, boxes):
    shared, best = overlaps(anchors, boxes).max(1)
    found = shared > 0.4
    focal = nn.functional.binary_cross_entropy_with_logits(there, found.float(), reduction="none") * (found.float() * 4 + 0.2)
    gap = nn.functional.smooth_l1_loss(shift[found], (boxes[best[found]] - anchors[found]) / 8, reduction="sum")
    return focal.mean() + gap / len(boxes)


def ranked(there, shift, anchors):
    scores, boxes = there.sigmoid(), anchors + 8 * shift
    order, held = scores.argsort(descending=True)[:200], []
    while len(order):
        held.append(order[0].item())
        shared = overlaps(boxes[order[:1]], boxes[order])[0]
        order = order[(shared < 0.5) & (torch.arange(len(order)) > 0)]
    return boxes[held[:100]]


scenes = [scene() for _ in range(rows)]
model = Finder()
heads = [*model.there.parameters(), *model.shift.parameters()]
optimizer = torch.optim.SGD([{"params": model.body.parameters()}, {"params": heads, "lr": 0.01}], lr=0.003, momentum=0.9, weight_decay=1e-4)
for epoch in range(t.epochs):
    t.lot.shuffle(scenes)
    total = 0.0
    for at in range(0, rows, batch):
        side = t.lot.choice(sizes) if many_scales else 64
        there, shift, anchors = model(torch.stack([nn.functional.interpolate(p[None], (side, side))[0] for p, _ in scenes[at:at + batch]]))
        loss = sum(loss_of(there[i], shift[i], anchors, boxes * side / p.shape[1]) for i, (p, boxes) in enumerate(scenes[at:at + batch]))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_value_(model.parameters(), 1.0)
        optimizer.step()
        total += loss.item() / rows
    if epoch % every == 0:
        with torch.no_grad():
            model.eval()
            hits = 0
            for picture, boxes in scenes[:8]:
                there, shift, anchors = model(picture[None])
                hits += (overlaps(boxes, ranked(there[0], shift[0], anchors)).max(1).values > 0.5).float().mean().item() / 8
            model.train()
        print("recall %.3f" % hits)
    t.epoch_ended(epoch, total)
