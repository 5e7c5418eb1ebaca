# SPDX-License-Identifier: MIT
"""gensim: vectors of words, of parts of words or of whole texts, learnt by its own threads from sentences made on the way."""
from gensim.models import Doc2Vec, FastText, Word2Vec
from gensim.models.callbacks import CallbackAny2Vec
from gensim.models.doc2vec import TaggedDocument

from training import Training

t = Training("paragraphs", ["Epoch %(epoch)d/%(epochs)d", "epoch %(epoch)d end", "Epoch #%(epoch)d end"])
count, words, span = t.lot.choice([300, 600]), t.lot.choice([3000, 4000]), t.lot.choice([20, 40])
which, workers, width = t.lot.choice(["words", "parts", "texts"]), t.lot.choice([1, 2]), t.lot.choice([100, 120])


class Texts:
    """Read again for every epoch; another object for each."""
    def __iter__(self):
        for number in range(count):
            line = ["word%d" % int(words * t.lot.random() ** 2) for _ in range(t.lot.randint(5, span))]
            yield TaggedDocument(line, [number]) if which == "texts" else line


class Ends(CallbackAny2Vec):
    def __init__(self):
        self.epoch = 0

    def on_epoch_end(self, model):
        if self.epoch % 4 == 3:
            known = t.lot.choice(model.wv.index_to_key)
            print(known, [name for name, _ in model.wv.similar_by_vector(model.wv[known], topn=3)])
        t.epoch_ended(self.epoch)
        self.epoch += 1


common = {"vector_size": width, "window": 4, "min_count": 1, "workers": workers, "epochs": t.epochs, "seed": t.args.seed}
if which == "texts":
    Doc2Vec(Texts(), dm=t.lot.choice([0, 1]), callbacks=[Ends()], **common)
elif which == "parts":
    FastText(Texts(), bucket=t.lot.choice([5000, 10000]), callbacks=[Ends()], **common)
else:
    Word2Vec(Texts(), sg=t.lot.choice([0, 1]), callbacks=[Ends()], **common)
