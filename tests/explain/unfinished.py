# SPDX-License-Identifier: MIT
"""usage: unfinished.py AGENT: a snapshot while the program fills a tuple. C code may do that only as long as nobody else refers
to it: one reference that is left over makes tuple() fail. Then prints what it answers of more
objects than it looks at."""
import sys

agent = {}
with open(sys.argv[1], encoding="utf-8") as source:
    exec(compile(source.read(), "<memwatch>", "exec"), agent)
kept = []


def elements():
    for i in range(5):
        yield (i, [i])
    kept.append([bytes(100000)] * 3)
    agent["answer"](b"snapshot\n", "answer")
    for i in range(50):
        yield i


for _ in range(6):
    assert len(tuple(elements())) == 55
with open("answer", encoding="utf-8") as answer:
    assert "failed" not in answer.read()
agent["OBJECTS_MAX"] = 100
agent["answer"](b"afresh\n", "answer")
with open("answer", encoding="utf-8") as answer:
    print(answer.read().split("\n")[1].split("\t")[0])
