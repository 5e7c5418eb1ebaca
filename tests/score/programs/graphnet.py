# SPDX-License-Identifier: MIT
"""PyTorch: a graph network over sparse matrices of neighbourhoods that are drawn anew, and of another size, for every batch."""
import torch
from torch import nn

from training import Training

t = Training("graphnet", ["Epoch: %(epoch)03d, Loss: %(loss).4f", "Epoch %(epoch)05d | Loss %(loss).4f"])
torch.manual_seed(t.args.seed)
torch.set_num_threads(1)
nodes, degree, width = t.lot.choice([1000, 5000, 20000]), t.lot.choice([4, 10]), t.lot.choice([16, 64])
features, labels = torch.rand(nodes, 32), torch.randint(0, 7, (nodes,))
neighbours = torch.randint(0, nodes, (nodes, degree))
first, second = nn.Linear(32, width), nn.Linear(width, 7)
optimizer = torch.optim.Adam([*first.parameters(), *second.parameters()], 0.01, weight_decay=5e-4)


def neighbourhood(roots):
    """-> (nodes, their normalised adjacency, where the roots are among them)"""
    near = neighbours[roots].flatten()
    those, at = torch.unique(torch.cat([roots, near]), return_inverse=True)
    mine, other = at[:len(roots)].repeat_interleave(degree), at[len(roots):]
    n = len(those)
    loops = torch.arange(n)
    edges = torch.stack([torch.cat([mine, other, loops]), torch.cat([other, mine, loops])])
    matrix = torch.sparse_coo_tensor(edges, torch.ones(edges.shape[1]), (n, n)).coalesce()
    scale = torch.sparse.sum(matrix, 1).to_dense().rsqrt()
    rows, columns = matrix.indices()
    return those, torch.sparse_coo_tensor(matrix.indices(), scale[rows] * scale[columns], (n, n)), at[:len(roots)]


for epoch in range(t.epochs):
    total, batches = 0.0, t.lot.randint(6, 12)
    for _ in range(batches):
        roots = torch.randperm(nodes)[:t.lot.randint(50, 400)]
        those, matrix, at = neighbourhood(roots)
        seen = torch.sparse.mm(matrix, first(features[those])).relu()
        seen = torch.sparse.mm(matrix, second(nn.functional.dropout(seen, 0.5)))
        loss = nn.functional.cross_entropy(seen[at], labels[roots])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    t.epoch_ended(epoch, total / batches)
