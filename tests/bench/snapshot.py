# SPDX-License-Identifier: MIT
"""usage: snapshot.py AGENT OBJECTS ANSWER: processor seconds of one plain pass over all objects, then of three snapshots of --explain, in
a program of so many objects of which a list grows; then the longest of these seconds during which no other thread ran."""
import _thread
import gc
import sys
import time


class Item:
    def __init__(self, i):
        self.name, self.children, self.meta = "item %d" % i, [], {"i": i, "shape": (i, [])}


def plain():
    for one in gc.get_objects():
        type(one)


def cpu_s(call, *arguments):
    begin = time.thread_time()
    call(*arguments)
    return time.thread_time() - begin


agent, items, kept = {}, [], []
with open(sys.argv[1], encoding="utf-8") as source:
    exec(compile(source.read(), "<memwatch>", "exec"), agent)
gc.disable()
while len(gc.get_objects()) < int(sys.argv[2]):
    items.extend(map(Item, range(10000)))
gc.enable()
print(min(cpu_s(plain) for _ in range(3)))
clock, over = [], []


def ask():
    clock.append(time.pthread_getcpuclockid(_thread.get_ident()))
    for _ in range(3):
        kept.append(bytearray(100000))
        print(cpu_s(agent["answer"], b"snapshot\n", sys.argv[3]))
    over.append(True)
    while over:
        time.sleep(0.001)


_thread.start_new_thread(ask, ())
while not clock:
    time.sleep(0.001)
longest, last = 0, time.clock_gettime(clock[0])
while not over:
    time.sleep(0.0005)
    now = time.clock_gettime(clock[0])
    longest, last = max(longest, now - last), now
over.clear()
print(longest)
with open(sys.argv[3], encoding="utf-8") as answer:
    assert "\t__main__.kept\t" in "\t" + answer.read().replace("name\t", "\t"), "the list was not named"
