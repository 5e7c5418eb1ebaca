# SPDX-License-Identifier: MIT
"""PyTorch: a language model of characters; after every epoch it writes texts of random length with caches of keys and values."""
import torch
from torch import nn

from training import Training

t = Training("generate", ["| end of epoch %(epoch)3d | valid loss %(loss)5.2f |", "epoch %(epoch)d: train loss %(loss).4f"])
torch.manual_seed(t.args.seed)
torch.set_num_threads(1)
width, heads, layers = t.lot.choice([32, 64, 128]), t.lot.choice([2, 4]), t.lot.choice([1, 2])
length, texts, longest = t.lot.choice([24, 48]), t.lot.choice([4, 16]), t.lot.choice([40, 100])
text = torch.randint(0, 64, (20000,))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
        self.three, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.feed = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x, past=None):
        q, k, v = (part.unflatten(-1, (heads, -1)).transpose(1, 2) for part in self.three(self.first(x)).chunk(3, -1))
        if past:
            k, v = torch.cat([past[0], k], 2), torch.cat([past[1], v], 2)
        seen = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=past is None)
        x = x + self.out(seen.transpose(1, 2).flatten(2))
        return x + self.feed(self.second(x)), (k, v)


embed, place, head = nn.Embedding(64, width), nn.Embedding(512, width), nn.Linear(width, 64)
blocks = nn.ModuleList(Block() for _ in range(layers))
model = nn.ModuleList([embed, place, blocks, head])
optimizer = torch.optim.AdamW(model.parameters(), 1e-3)


def forward(x, at=0, caches=None):
    h, kept = embed(x) + place(torch.arange(at, at + x.shape[1])), []
    for i, block in enumerate(blocks):
        h, cache = block(h, caches[i] if caches else None)
        kept.append(cache)
    return head(h), kept


def step():
    at = torch.randint(0, len(text) - length - 1, (16,))
    x = torch.stack([text[i:i + length + 1] for i in at.tolist()])
    loss = nn.functional.cross_entropy(forward(x[:, :-1])[0].flatten(0, 1), x[:, 1:].flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def write(count):
    written, caches = torch.zeros(texts, 1, dtype=torch.long), None
    for at in range(count):
        scores, caches = forward(written[:, -1:], at, caches)
        chosen = torch.multinomial(scores[:, -1].softmax(-1), 1)
        written = torch.cat([written, chosen], 1)
    return written


for epoch in range(t.epochs):
    total = sum(step() for _ in range(5))
    write(t.lot.randint(longest // 3, longest))
    t.epoch_ended(epoch, total / 5)
