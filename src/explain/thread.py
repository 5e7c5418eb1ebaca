# SPDX-License-Identifier: MIT
"""One thread that sleeps until memwatch asks what grows, in the FIFO ask-PID of a folder; the answer is the file answer-PID
beside it. What follows this, sitecustomize.py or hook.py, says where and starts it. Runs in any Python, does something in
CPython 3.8 and later with the interpreter's lock: without it, other threads would change what is looked at.
"""
import os
import sys


_ENXIO = 6  # nobody sleeps there now; the module errno would be seen by the program


def _can_be_asked():
    locked = getattr(sys, "_is_gil_enabled", None)
    return sys.version_info >= (3, 8) and sys.implementation.name == "cpython" and (locked is None or locked())


class _Sleeper:
    """The thread. It compiles what source() returns when it is asked for the first time."""

    def __init__(self, folder, source):
        self.folder, self.source = folder, source
        self.pid = os.getpid()
        self.fifo = "%s/ask-%d" % (folder, self.pid)
        self.thread = []  # its number, 0 until it runs; empty: there is none
        self.agent = {}

    def make_fifo(self):
        """Made already by what became this program by exec, or by one that had its number, unless somebody sleeps there. The
        sticky bit keeps it from those who clear /tmp of what is old, where a file system lets it be set."""
        try:
            os.mkfifo(self.fifo, 0o600)
        except FileExistsError:
            if self.knock():
                raise
            return
        try:
            os.chmod(self.fifo, 0o1600)
        except OSError:
            pass

    def knock(self, word=b""):
        """Whether it sleeps in its FIFO; it is woken, by a word if there is one. None: nobody will ever know."""
        try:
            fd = os.open(self.fifo, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as error:
            return False if error.errno == _ENXIO else None
        try:
            return not word or os.write(fd, word) > 0
        except OSError:
            return False
        finally:
            os.close(fd)

    def start(self):
        """All signals stay the program's: its own threads take them, as if this one were not there."""
        import _signal
        import _thread

        faults = {_signal.SIGSEGV, _signal.SIGBUS, _signal.SIGFPE, _signal.SIGILL}
        mask = _signal.pthread_sigmask(_signal.SIG_BLOCK, set(_signal.valid_signals()) - faults)
        self.thread[:] = [0]
        try:
            _thread.start_new_thread(self.run, ())
        finally:
            _signal.pthread_sigmask(_signal.SIG_SETMASK, mask)

    def run(self):
        import _thread

        self.thread[0] = _thread.get_native_id()
        try:
            while self.answer(self.sleep()):
                pass
        except BaseException:  # memwatch has gone, with its folder
            pass

    def sleep(self):
        """Without the interpreter's lock and without a descriptor, until memwatch opens the other end and says what it wants."""
        fd = os.open(self.fifo, os.O_RDONLY | os.O_CLOEXEC)
        try:
            return os.read(fd, 4096)
        finally:
            os.close(fd)

    def answer(self, request):
        """False: it shall end. A question may have been asked in the moment before."""
        ends = request.endswith(b"stop\n")
        question = request[: -len(b"stop\n")] if ends else request
        if question:
            if not self.agent:
                exec(compile(self.source(), "<memwatch>", "exec"), self.agent)
            self.agent["answer"](question, "%s/answer-%d" % (self.folder, self.pid))
        return not ends

    def stop(self):
        """Before a fork: from 3.12 on Python warns of threads. Waits for as long as an answer may take."""
        import time

        until = time.monotonic() + 5
        while self.thread and os.getpid() == self.pid and time.monotonic() < until:
            woken = self.knock(b"stop\n")
            if woken is None:
                return
            if woken:
                break
            time.sleep(0.001)
        while self.thread and os.path.exists("/proc/self/task/%d" % self.thread[0]) and time.monotonic() < until:
            time.sleep(0.0005)
        del self.thread[:]

    def start_again(self):
        if os.getpid() == self.pid and not self.thread and os.path.exists(self.fifo):
            self.start()


def _begin(folder, source):
    sleeper = _Sleeper(folder, source)
    sleeper.make_fifo()
    try:
        sleeper.start()
    except BaseException:
        os.unlink(sleeper.fifo)  # nobody will ever sleep there
        raise
    if sys.version_info >= (3, 12):
        os.register_at_fork(before=sleeper.stop, after_in_parent=sleeper.start_again)


