# SPDX-License-Identifier: MIT
"""Plain Python: words get tags by an averaged perceptron over dictionaries of named features, the best row of tags by Viterbi."""
from collections import defaultdict

from training import Training

t = Training("tagger", ["Iteration done. Epoch %(epoch)d: accuracy %(loss).4f", "epoch %(epoch)d/%(epochs)d acc=%(loss).3f"])
TAGS = ["NOUN", "VERB", "ADJ", "DET", "PUNCT"][:t.lot.choice([3, 5])]
words = ["".join(t.lot.choice("abdegiklmnoprstu") for _ in range(t.lot.randint(2, 9))) for _ in range(t.lot.choice([300, 1500]))]
usual = {word: t.lot.choice(TAGS) for word in words}
follows = {a: [t.lot.random() for _ in TAGS] for a in TAGS}


def sentence():
    row, tag = [], t.lot.choice(TAGS)
    for _ in range(t.lot.randint(4, 15)):
        word = t.lot.choice(words)
        tag = usual[word] if t.lot.random() < 0.8 else t.lot.choices(TAGS, follows[tag])[0]
        row.append((word, tag))
    return row


def features(row, i):
    word = row[i][0]
    yield "bias"
    yield "word=" + word
    yield "end=" + word[-2:]
    yield "length=%d" % len(word)
    yield "before=" + (row[i - 1][0] if i else "<s>")
    yield "after=" + (row[i + 1][0] if i + 1 < len(row) else "</s>")


def best_tags(row):
    scores, back = {tag: 0.0 for tag in TAGS}, []
    for i in range(len(row)):
        named = [weights[name] for name in features(row, i)]
        here = {tag: sum(w[tag] for w in named) for tag in TAGS}
        come = {tag: max(TAGS, key=lambda a, tag=tag: scores[a] + steps[a, tag]) for tag in TAGS}
        scores = {tag: scores[come[tag]] + steps[come[tag], tag] + here[tag] for tag in TAGS}
        back.append(come)
    tags = [max(TAGS, key=scores.get)]
    for come in reversed(back[1:]):
        tags.append(come[tags[-1]])
    return tags[::-1]


def change(tables, key, tag, by):
    tables[0][key][tag] += by
    tables[1][key][tag] += by * clock


corpus = [sentence() for _ in range(t.lot.choice([250, 600]))]
weights, totals = ({name: dict.fromkeys(TAGS, 0.0) for row in corpus for i in range(len(row)) for name in features(row, i)}
                   for _ in range(2))
steps, clock = defaultdict(float), 0
for epoch in range(t.epochs):
    right = count = 0
    t.lot.shuffle(corpus)
    for row in corpus:
        clock += 1
        guess = best_tags(row)
        for i, (_, tag) in enumerate(row):
            right, count = right + (guess[i] == tag), count + 1
            if guess[i] != tag:
                for name in features(row, i):
                    change((weights, totals), name, tag, 1)
                    change((weights, totals), name, guess[i], -1)
            if i and (guess[i - 1], guess[i]) != (row[i - 1][1], tag):
                steps[row[i - 1][1], tag] += 0.1
                steps[guess[i - 1], guess[i]] -= 0.1
    average = {name: {tag: w - totals[name][tag] / clock for tag, w in by_tag.items()} for name, by_tag in weights.items()}
    telling = sorted(average, key=lambda name: -max(average[name].values()))[:3]
    print("  most telling: " + ", ".join(telling))
    t.epoch_ended(epoch, right / count)
