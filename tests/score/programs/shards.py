# SPDX-License-Identifier: MIT
"""PyTorch: files of rows are read as a stream by a DataLoader's workers, mixed in a small buffer, copied into fixed buffers."""
import os
import tempfile
import warnings

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from training import Training

warnings.simplefilter("ignore")
t = Training("shards")
torch.manual_seed(t.args.seed)
torch.set_num_threads(1)
features, files, rows = t.lot.choice([30, 100, 300]), t.lot.choice([4, 8]), t.lot.choice([200, 500])
batch, mixed, workers = t.lot.choice([32, 64]), t.lot.choice([50, 200]), t.lot.choice([0, 1, 2, 2])
folder = tempfile.mkdtemp()
for i in range(files):
    np.save(os.path.join(folder, "shard%d.npy" % i), t.rng.random((rows, features), dtype=np.float32))


class Shards(IterableDataset):
    def __init__(self):
        self.epoch = 0

    def __iter__(self):
        info = get_worker_info()
        me, of = (info.id, info.num_workers) if info else (0, 1)
        lot = np.random.default_rng(t.args.seed + 100 * self.epoch + me)
        waiting = []
        for i in lot.permutation(files):
            if i % of != me:
                continue
            for row in np.load(os.path.join(folder, "shard%d.npy" % i)):
                waiting.append(row.copy())
                if len(waiting) > mixed:
                    yield waiting.pop(int(lot.integers(len(waiting))))
        yield from waiting


data = Shards()
loader = DataLoader(data, batch, num_workers=workers, persistent_workers=bool(workers) and t.lot.random() < 0.5,
                    prefetch_factor=t.lot.choice([2, 4]) if workers else None,
                    collate_fn=lambda rows: torch.from_numpy(np.stack(rows)))
fixed = torch.empty(batch, features)
net = nn.Sequential(nn.Linear(features, 128), nn.GELU(), nn.LayerNorm(128), nn.Linear(128, features))
optimizer = torch.optim.NAdam(net.parameters(), 1e-3)
for epoch in range(t.epochs):
    data.epoch = epoch
    total = 0.0
    for rows_now in loader:
        held = fixed[:len(rows_now)]
        held.copy_(rows_now)
        optimizer.zero_grad()
        loss = nn.functional.smooth_l1_loss(net(held + 0.1 * torch.randn_like(held)), held)
        loss.backward()
        optimizer.step()
        total += loss.item()
    t.epoch_ended(epoch, total)
