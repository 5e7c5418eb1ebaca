# SPDX-License-Identifier: MIT
"""Hugging Face tokenizers and NumPy: subwords are learnt from texts, which are cut into them for a model of pairs."""
import os

os.environ["TOKENIZERS_PARALLELISM"] = "false"
import numpy as np  # noqa: E402
from tokenizers import Tokenizer, models, pre_tokenizers, trainers  # noqa: E402

from training import Training  # noqa: E402

t = Training("subwords", ["Epoch %(epoch)d | perplexity %(loss).3f", "epoch: %(epoch)d, train loss: %(loss).3f"])
words = ["".join(t.lot.choices("abcdefghijklmnop", k=t.lot.randint(2, 10))) for _ in range(t.lot.choice([1000, 4000]))]
texts = [" ".join(t.lot.choices(words, k=t.lot.randint(10, 80))) for _ in range(t.lot.choice([300, 1000]))]
pieces, way = t.lot.choice([300, 1000]), t.lot.choice(["bpe", "dropout", "wordpiece"])
# The library (0.23) never gives back what a dropped BPE model had cached, so those are learnt once.
anew = way == "wordpiece" and t.lot.random() < 0.5


def learnt(sample):
    if way == "wordpiece":
        tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
        trainer = trainers.WordPieceTrainer(vocab_size=pieces, special_tokens=["[UNK]"], show_progress=False)
    else:
        tokenizer = Tokenizer(models.BPE(dropout=0.1 if way == "dropout" else None, unk_token="[UNK]"))
        trainer = trainers.BpeTrainer(vocab_size=pieces, special_tokens=["[UNK]"], show_progress=False)
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.train_from_iterator(sample, trainer)
    tokenizer.enable_padding()
    tokenizer.enable_truncation(128)
    return tokenizer


tokenizer = learnt(texts)
scores = np.zeros((pieces, pieces), np.float32)
for epoch in range(t.epochs):
    if anew:
        tokenizer = learnt(t.lot.sample(texts, len(texts) // 3))
    t.lot.shuffle(texts)
    total = 0.0
    for at in range(0, len(texts), 32):
        coded = tokenizer.encode_batch(texts[at:at + 32])
        ids = np.array([c.ids for c in coded])
        a, b = ids[:, :-1].ravel(), ids[:, 1:].ravel()
        p = np.exp(scores[a])
        p /= p.sum(1, keepdims=True)
        total -= float(np.log(p[np.arange(len(a)), b] + 1e-9).mean())
        np.add.at(scores, (a, b), 0.01 * (1 - p[np.arange(len(a)), b]))
    t.epoch_ended(epoch, total / (len(texts) / 32))
