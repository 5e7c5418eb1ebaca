# SPDX-License-Identifier: MIT
"""PyTorch and scikit-learn: many labels at once; after each epoch curves, areas and a report of them all are worked out."""
import json
import warnings

import torch
from sklearn.metrics import average_precision_score, classification_report, roc_auc_score, roc_curve
from torch import nn

from training import Training

warnings.simplefilter("ignore")
t = Training("figures_each", ["Epoch %(epoch)d/%(epochs)d AUC %(loss).4f", "epoch %(epoch)d auc=%(loss).4f"])
torch.manual_seed(t.args.seed)
torch.set_num_threads(1)
rows, labels, width = t.lot.choice([600, 1500]), t.lot.choice([4, 12]), t.lot.choice([64, 200])
x = torch.rand(rows, 24)
y = (x - 0.5) @ torch.randn(24, labels) + 0.5 * torch.randn(rows, labels)
y = (y > y.median(0).values).float()
net = nn.Sequential(nn.BatchNorm1d(24), nn.Linear(24, width), nn.PReLU(), nn.Linear(width, labels))
optimizer = torch.optim.Adamax(net.parameters(), 2e-3)
cut = rows * 2 // 3
for epoch in range(t.epochs):
    net.train()
    for some in torch.randperm(cut).split(40):
        optimizer.zero_grad()
        nn.functional.binary_cross_entropy_with_logits(net(x[some]), y[some]).backward()
        optimizer.step()
    net.eval()
    with torch.inference_mode():
        guess = torch.cat([net(part).sigmoid() for part in x[cut:].split(64)]).numpy()
    truth = y[cut:].numpy()
    report = classification_report(truth, guess > 0.5, output_dict=True, zero_division=0)
    curves = [roc_curve(truth[:, i], guess[:, i])[0].tolist() for i in range(labels)]
    report["ap"] = average_precision_score(truth, guess)
    print("report of %d characters, %d curves" % (len(json.dumps(report, default=float)), len(curves)))
    t.epoch_ended(epoch, roc_auc_score(truth, guess))
