# SPDX-License-Identifier: MIT
"""PyTorch: proximal policies; several small worlds are stepped together, advantages worked out, a few passes over them, all dropped."""
import torch
from torch import nn
from torch.distributions import Categorical, Normal

from training import Training

t = Training("proximal", ["Epoch %(epoch)d/%(epochs)d return %(loss).3f", "Epoch %(epoch)d | mean return %(loss).2f"])
torch.manual_seed(t.args.seed)
torch.set_num_threads(1)
worlds, steps, passes, width = t.lot.choice([8, 32]), t.lot.choice([32, 64]), t.lot.choice([2, 4]), t.lot.choice([64, 128])
choices, recurrent = t.lot.random() < 0.5, t.lot.random() < 0.3


class Player(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh())
        self.memory = nn.GRUCell(width, width) if recurrent else None
        self.act, self.worth = nn.Linear(width, 5 if choices else 2), nn.Linear(width, 1)
        self.spread = nn.Parameter(torch.zeros(2))

    def forward(self, seen, before):
        seen = self.body(seen)
        after = self.memory(seen, before) if recurrent else before
        seen = after if recurrent else seen
        act = Categorical(logits=self.act(seen)) if choices else Normal(self.act(seen), self.spread.exp())
        return act, self.worth(seen)[:, 0], after


def likelihood(act, done):
    return act.log_prob(done) if choices else act.log_prob(done).sum(1)


moves = torch.tensor([[0.0, 0], [0, 0.1], [0, -0.1], [0.1, 0], [-0.1, 0]])
model = Player()
optimizer = torch.optim.Adam(model.parameters(), 3e-4, eps=1e-5)
state, memory = torch.rand(worlds, 6) - 0.5, torch.zeros(worlds, width)
for epoch in range(t.epochs):
    played = []
    with torch.no_grad():
        for _ in range(steps):
            act, worth, after = model(state, memory)
            done = act.sample()
            push = moves[done] if choices else done.clamp(-1, 1) * 0.1
            place = state[:, :2] + push
            reward = -(place - state[:, 4:]).norm(dim=1)
            over = torch.rand(worlds) < 0.02
            played.append({"state": state, "memory": memory, "done": done, "old": likelihood(act, done), "worth": worth, "reward": reward,
                           "over": over})
            state = torch.cat([place, push, state[:, 4:]], 1)
            state[over] = torch.rand(int(over.sum()), 6) - 0.5
            memory = after * (~over[:, None])
        worth = model(state, memory)[1]
        gain = torch.zeros(worlds)
        for at in reversed(played):
            goes_on = (~at["over"]).float()
            gain = at["reward"] + 0.97 * worth * goes_on - at["worth"] + 0.97 * 0.95 * goes_on * gain
            at["gain"], worth = gain, at["worth"]
    all_of = {name: torch.cat([at[name] for at in played]) for name in played[0]}
    all_of["gain_n"] = (all_of["gain"] - all_of["gain"].mean()) / (all_of["gain"].std() + 1e-8)
    for _ in range(passes):
        for some in torch.randperm(worlds * steps).split(128):
            act, worth, _ = model(all_of["state"][some], all_of["memory"][some])
            ratio = (likelihood(act, all_of["done"][some]) - all_of["old"][some]).exp()
            gain = all_of["gain_n"][some]
            loss = (-torch.min(ratio * gain, ratio.clamp(0.8, 1.2) * gain).mean() - 0.01 * act.entropy().mean()
                    + 0.5 * (worth - all_of["gain"][some] - all_of["worth"][some]).pow(2).mean())
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            optimizer.step()
    t.epoch_ended(epoch, all_of["reward"].mean().item() * steps)
