# SPDX-License-Identifier: MIT
"""When the program waits, and for how long; what its end and its children find."""
LOOK_S = 2.0  # of processor time, for the names in one answer
END_S = 2.0  # for which the program's end waits at most for a snapshot to let go of its objects
TURN_S = 0.1  # for which the program's threads wait at most while they are looked at, but for one call of C
PAUSE_S = 0.001  # for which they are let in

working = _thread.allocate_lock()  # while there is an answer to be found
ending = False  # the program; what is held then would never be freed


def let_end(pid=os.getpid()):
    """What is asked from now on finds nothing, at once."""
    global ending
    if os.getpid() == pid:
        ending = True
        if working.acquire(timeout=END_S):
            working.release()


atexit.register(let_end)


class Clock:
    def __init__(self):
        self.until = time.thread_time() + LOOK_S

    def over(self):
        return ending or time.thread_time() > self.until


turns = []  # the one that is taken


def leave_in_child():
    """A child that is forked in the midst of a snapshot has no thread that would end it."""
    while turns:
        turns.pop().end()


os.register_at_fork(after_in_child=leave_in_child)


class Turn:
    """The interpreter's lock for longer than a few milliseconds: a training that went on would drop what is held here, and
    need memory for what takes its place. So its threads are let in for a moment only, but often; one that was not quick
    enough to take it asks for it itself after TURN_S. Python's collector rests meanwhile: it would go through the long lists
    that are made here, and run the program's code in this thread."""

    def __enter__(self):
        self.pause()
        self.collects = gc.get_threshold()
        gc.set_threshold(0, *self.collects[1:])
        self.rests = gc.get_threshold()
        turns.append(self)
        return self

    def __exit__(self, *_):
        turns.remove(self)
        self.end()

    def end(self):
        if gc.get_threshold() == self.rests:
            gc.set_threshold(*self.collects)
        self.give()

    def give(self):
        """As the program has set it, unless it does that now."""
        if sys.getswitchinterval() == self.set:
            sys.setswitchinterval(self.before)

    def pause(self):
        self.before = sys.getswitchinterval()
        self.hold(min(self.before, PAUSE_S))
        time.sleep(PAUSE_S)
        if sys.getswitchinterval() != self.set:
            self.before = sys.getswitchinterval()
        self.hold(TURN_S)
        self.since = time.monotonic()

    def hold(self, seconds):
        sys.setswitchinterval(seconds)
        self.set = sys.getswitchinterval()

    def step(self):
        """Between two calls of C."""
        if time.monotonic() - self.since > TURN_S / 2:
            self.give()
            self.pause()
