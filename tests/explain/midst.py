# SPDX-License-Identifier: MIT
"""usage: midst.py AGENT: a child that is forked in the midst of a snapshot collects and takes turns as its parent did before;
so does the parent after it, unless it has set them itself meanwhile. At the end of the program a question has an answer still."""
import gc
import os
import sys

agent = {}
with open(sys.argv[1], encoding="utf-8") as source:
    exec(compile(source.read(), "<memwatch>", "exec"), agent)


def settings():
    return gc.isenabled(), gc.get_threshold(), sys.getswitchinterval()


before = settings()
with agent["Turn"]():
    assert settings() != before
    child = os.fork()
    if child == 0:
        os._exit(settings() != before)
assert os.waitpid(child, 0)[1] == 0, "the child is not as before"
assert settings() == before, "the parent is not as before"
with agent["Turn"]():
    gc.set_threshold(500, 5, 5)
assert gc.get_threshold() == (500, 5, 5), "what the program has set is lost"
agent["let_end"]()
assert not agent["working"].locked(), "who asks now waits for ever"
agent["answer"](b"snapshot\n", "answer")
with open("answer", encoding="utf-8") as answer:
    assert "objects" not in answer.read(), "a snapshot is taken of a program that ends"
