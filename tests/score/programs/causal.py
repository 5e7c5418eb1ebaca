# SPDX-License-Identifier: MIT
"""Hugging Face transformers without their Trainer: a small GPT-2 in a loop of its own; some text is made after every epoch."""
import warnings

import torch
import transformers

from training import Training

warnings.simplefilter("ignore")
transformers.logging.set_verbosity_error()
t = Training("causal", ["Epoch %(epoch)d/%(epochs)d perplexity %(loss).3f", "epoch %(epoch)d - lm loss %(loss).4f"])
transformers.set_seed(t.args.seed)
torch.set_num_threads(1)
width, depth, span, batches = t.lot.choice([32, 64]), t.lot.choice([1, 2]), t.lot.choice([16, 32]), t.lot.choice([6, 10])
config = transformers.GPT2Config(vocab_size=200, n_positions=64, n_embd=width, n_layer=depth, n_head=2, bos_token_id=0, eos_token_id=1)
model = transformers.GPT2LMHeadModel(config)
optimizer = torch.optim.AdamW(model.parameters(), 1e-3, weight_decay=0.01)
schedule = transformers.get_linear_schedule_with_warmup(optimizer, 10, t.epochs * batches)
text = (torch.arange(20000) * 17 % 190 + torch.randint(0, 5, (20000,))) % 198 + 2
for epoch in range(t.epochs):
    model.train()
    total = 0.0
    for _ in range(batches):
        at = torch.randint(0, len(text) - span, (8,))
        x = torch.stack([text[i:i + span] for i in at])
        loss = model(input_ids=x, labels=x).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad()
        total += loss.item() / batches
    model.eval()
    with torch.no_grad():
        made = model.generate(x[:2, :4], max_new_tokens=t.lot.randint(4, 16), do_sample=True, pad_token_id=0)
    print("made %d words" % made.shape[1])
    t.epoch_ended(epoch, total)
