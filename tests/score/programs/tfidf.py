# SPDX-License-Identifier: MIT
"""pandas and scikit-learn: texts weighed and classified by a pipeline that is fitted anew to another fold in every epoch."""
import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.feature_selection import SelectKBest, chi2
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

from training import Training

t = Training("tfidf", ["epoch %(epoch)d: error %(loss).4f", "Epoch %(epoch)d/%(epochs)d val_error=%(loss).4f"])
words = ["".join(t.lot.choices("abcdefghijklmnopqrstuvwxyz", k=t.lot.randint(2, 9))) for _ in range(t.lot.choice([1000, 5000]))]
count, long = t.lot.choice([300, 800]), t.lot.choice([20, 60])
table = pd.DataFrame({"text": [" ".join(t.lot.choices(words, k=t.lot.randint(long // 2, long))) for _ in range(count)],
                      "kind": t.rng.choice(["news", "mail", "novel"], count)})
grams, model = t.lot.choice([(1, 1), (1, 2)]), t.lot.choice(["sgd", "bayes", "logistic"])


def fitted(fold, epoch):
    last = {"sgd": SGDClassifier("log_loss", max_iter=5, tol=None, random_state=epoch), "bayes": MultinomialNB(),
            "logistic": LogisticRegression(max_iter=20, tol=0.1)}[model]
    pipeline = make_pipeline(TfidfVectorizer(ngram_range=grams, sublinear_tf=True), SelectKBest(chi2, k=500), last)
    return pipeline.fit(fold["text"], fold["kind"])


for epoch in range(t.epochs):
    fold = table.sample(frac=0.8, random_state=epoch)
    rest = table.drop(fold.index)
    rest = rest.assign(guess=fitted(fold, epoch).predict(rest["text"]))
    wrong = (rest["guess"] != rest["kind"]).groupby(rest["kind"]).mean()
    t.epoch_ended(epoch, float(wrong.mean()))
