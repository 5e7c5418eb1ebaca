# SPDX-License-Identifier: MIT
"""usage: held.py AGENT: what the program drops after a snapshot is freed at once, and what it has when it ends in the middle of
one is freed at its end."""
import _thread
import gc
import sys
import time
import weakref

agent = {}
with open(sys.argv[1], encoding="utf-8") as source:
    exec(compile(source.read(), "<memwatch>", "exec"), agent)


class Batch:
    def __init__(self):
        self.data = bytearray(200000)
        self.kept = [self.data]


batches, batch = [Batch()], Batch()
gc.collect()
gc.disable()  # nothing may need the collector
for _ in range(3):
    batches.append(Batch())
    batch.data = batch.data + bytes(100000)
    batch.kept.append(bytes(100000))
    agent["answer"](b"snapshot\n", "answer")
with open("answer", encoding="utf-8") as answer:
    text = answer.read()
    assert "Batch.kept" in text and "Batch.data" in text and "__main__.batches" in text, text
gone = [weakref.ref(batch), weakref.ref(batches[0])]
del batch, batches
assert all(one() is None for one in gone)
print("let go", flush=True)


class Last:
    def __del__(self, write=sys.stdout.write):
        write("freed\n")


# Holds what grows until the program ends, and is not done even then. Apart from the program's own names, which a thread would keep.
AT_WORK = """
def growing_containers(values, known):
    busy.append(True)
    while not agent["ending"]:
        time.sleep(0.001)
    time.sleep(0.05)
    return []
"""
busy, lasts = [], [Last()]
apart = {"agent": agent, "busy": busy, "time": time}
exec(AT_WORK, apart)
agent["answer"](b"afresh\n", "answer")
lasts.append(0)
agent["growing_containers"] = apart["growing_containers"]
_thread.start_new_thread(agent["answer"], (b"snapshot\n", "answer"))
while not busy:
    time.sleep(0.001)
