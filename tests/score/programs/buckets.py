# SPDX-License-Identifier: MIT
"""PyTorch: sentences of any length sorted into buckets, an encoder over them, gradients summed; validated every third epoch."""
import torch
from torch import nn

from training import Training

t = Training("buckets", ["Epoch %(epoch)d/%(epochs)d train %(loss).4f", "epoch %(epoch)d | loss %(loss).4f | lr 1e-3"])
torch.manual_seed(t.args.seed)
torch.set_num_threads(1)
width, depth, heads = t.lot.choice([32, 64]), t.lot.choice([1, 2]), t.lot.choice([2, 4])
longest, several, count = t.lot.choice([24, 60]), t.lot.choice([2, 4]), t.lot.choice([300, 600])
texts = [torch.randint(1, 400, (t.lot.randint(3, longest),)) for _ in range(count)]
labels = torch.tensor([int(x.float().mean() > 200) for x in texts])


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(400, width, padding_idx=0), nn.Embedding(64, width)
        self.layers = nn.ModuleList(nn.TransformerEncoderLayer(width, heads, 2 * width, 0.1, batch_first=True) for _ in range(depth))
        self.out = nn.Linear(width, 2)

    def forward(self, x):
        seen, gap = self.words(x) + self.places(torch.arange(x.shape[1])), x == 0
        for layer in self.layers:
            seen = layer(seen, src_key_padding_mask=gap)
        return self.out(seen.masked_fill(gap[..., None], 0).sum(1) / (~gap).sum(1, keepdim=True))


def batches(which):
    order = sorted(which, key=lambda i: len(texts[i]) + t.lot.random())
    cut = [order[i:i + 16] for i in range(0, len(order), 16)]
    t.lot.shuffle(cut)
    for some in cut:
        yield nn.utils.rnn.pad_sequence([texts[i] for i in some], batch_first=True), labels[some]


net = Reader()
optimizer = torch.optim.AdamW(net.parameters(), 1e-3)
train, held_back = range(count * 4 // 5), range(count * 4 // 5, count)
for epoch in range(t.epochs):
    net.train()
    total = 0.0
    for step, (x, y) in enumerate(batches(train)):
        loss = nn.functional.cross_entropy(net(x), y) / several
        loss.backward()
        total += loss.item()
        if step % several == several - 1:
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
    if epoch % 3 == 2:
        net.eval()
        with torch.no_grad():
            right = sum(int((net(x).argmax(1) == y).sum()) for x, y in batches(held_back))
        print("validation accuracy %.3f" % (right / len(held_back)))
    t.epoch_ended(epoch, total)
