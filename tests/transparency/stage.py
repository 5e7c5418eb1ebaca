# SPDX-License-Identifier: MIT
"""Runs one command as a job of a session of its own, with or without a terminal, and observes it from outside.

Must not know what is compared with what, nor what memwatch is: the command line arrives ready made.
"""
import ctypes
import errno
import fcntl
import os
import select
import shutil
import signal
import struct
import termios
import time

LIBC = ctypes.CDLL(None, use_errno=True)
PR_SET_CHILD_SUBREAPER = 36
HANG_S = float(os.environ.get("TRANSPARENCY_HANG_S", "60"))
SIZE = (30, 100)
KEPT = 500  # the leader moves what it needs up here and closes the rest


class Hang(Exception):
    """A step waited for something that never came."""


def set_size(fd, rows, cols):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))


def processes():
    """Number, state, parent and group of each."""
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as f:
                    state, parent, group = f.read().rpartition(b")")[2].split()[:3]
                yield int(name), state, int(parent), int(group)
            except (OSError, ValueError):
                pass


def children_of(parent):
    return (pid for pid, _, its_parent, _ in processes() if its_parent == parent)


def goes_on(group):
    states = [state for _, state, _, its_group in processes() if its_group == group]
    return bool(states) and b"T" not in states


def exec_job(argv, stdio, cwd, env, tty):
    """The job: a process group of its own, in the foreground where there is a terminal."""
    os.setpgid(0, 0)
    if tty is not None:
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTTOU])
        os.tcsetpgrp(tty, os.getpid())
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTTOU])
    for sig in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(sig, signal.SIG_DFL)  # a suite in the background of a script ignores SIGINT and SIGQUIT
    for fd, source in enumerate(stdio):
        os.dup2(source, fd, inheritable=True)
    os.chdir(cwd)
    os.umask(0o022)
    try:
        os.execvpe(argv[0], argv, env)
    finally:
        os._exit(111)


def lead(argv, stdio, cwd, env, tty, events, leave):
    """The session's leader, as a login shell is: starts the job, reports its changes, ends when told to."""
    os.setsid()
    LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    *stdio, events, leave = (os.dup2(fd, KEPT + i, inheritable=False) for i, fd in enumerate([*stdio, events, leave]))
    os.closerange(3, KEPT)
    if tty is not None:
        tty = stdio[0]
        fcntl.ioctl(tty, termios.TIOCSCTTY, 0)
    job = os.fork()
    if job == 0:
        exec_job(argv, stdio, cwd, env, tty)
    for fd in (0, 1, 2, *stdio):
        os.close(fd)
    os.write(events, b"pid %d\n" % job)
    while True:
        pid, status = os.waitpid(-1, os.WUNTRACED)
        if pid != job:
            continue
        if os.WIFSTOPPED(status):
            os.write(events, b"stopped %d\n" % os.WSTOPSIG(status))
            continue
        os.write(events, b"ended %d\n" % (status & 0xFF7F))  # the flag of a core file is not compared
        break
    os.read(leave, 1)
    for _ in range(100):
        left = list(children_of(os.getpid()))
        if not left:
            break
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        for _ in left:
            os.waitpid(-1, 0)


class Job:
    """One run of one case. `outputs` is "pipe", "file" or "terminal"; `terminal` is forced by cases that need one."""

    def __init__(self, argv, cwd, env, outputs):
        self.cwd = cwd
        self.bytes = {"stdout": bytearray(), "stderr": bytearray(), "terminal": bytearray()}
        self.seen = 0
        self.events = []
        self.pid = None
        self.notes = []
        self.deadline = time.monotonic() + HANG_S
        self.readers = {}
        self.files = {}
        self.held = None
        self.start(argv, env, outputs)

    def start(self, argv, env, outputs):
        tty = None
        close_here = []
        if outputs == "terminal":
            self.keyboard, tty = os.openpty()
            set_size(tty, *SIZE)
            stdio = [tty, tty, tty]
            self.readers[self.keyboard] = "terminal"
            self.held = tty  # until the job ended, or the terminal would hang up on a job that closes all three
        else:
            stdin, self.keyboard = os.pipe()
            stdio = [stdin]
            close_here = [stdin]
            for name in ("stdout", "stderr"):
                stdio.append(self.open_output(name, outputs, close_here))
        event_reader, events = os.pipe()
        leave, self.leave = os.pipe()
        self.leader = os.fork()
        if self.leader == 0:
            try:
                os.close(self.leave)
                os.close(self.keyboard)
                lead(argv, stdio, self.cwd, env, tty, events, leave)
            finally:
                os._exit(0)
        for fd in (events, leave, *close_here):
            os.close(fd)
        self.readers[event_reader] = "events"
        self.pending = b""
        self.until(lambda: self.pid, "start")

    def open_output(self, name, outputs, close_here):
        if outputs == "file":
            path = os.path.join(os.path.dirname(self.cwd), f"{os.path.basename(self.cwd)}.{name}")
            fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
            self.files[name] = path
        else:
            reader, fd = os.pipe()
            self.readers[reader] = name
        close_here.append(fd)
        return fd

    def pump(self, seconds):
        ready, _, _ = select.select(list(self.readers), [], [], seconds)
        for fd in ready:
            name = self.readers[fd]
            try:
                data = os.read(fd, 65536)
            except OSError as e:  # EIO: the last holder of the terminal is gone
                if e.errno != errno.EIO:
                    raise
                data = b""
            if not data:
                del self.readers[fd]
                os.close(fd)
                if fd == self.keyboard:
                    self.keyboard = None
            elif name == "events":
                self.take_events(data)
            else:
                self.bytes[name] += data
        return bool(ready)

    def take_events(self, data):
        *lines, self.pending = (self.pending + data).split(b"\n")
        for line in lines:
            word, value = line.split()
            if word == b"pid":
                self.pid = int(value)
            else:
                self.events.append((word.decode(), int(value)))

    def until(self, true, what):
        while not true():
            if time.monotonic() > self.deadline:
                raise Hang(what)
            self.pump(0.004)

    def log(self):
        try:
            with open(os.path.join(self.cwd, "log"), "rb") as f:
                return f.read()
        except FileNotFoundError:
            return b""

    def logged_pid(self):
        words = self.log().split()
        return int(words[words.index(b"ready") + 1])

    def output_has(self, text):
        where = self.bytes["terminal"] or self.bytes["stdout"] or self.filed("stdout")
        at = where.find(text, self.seen)
        if at >= 0:
            self.seen = at + len(text)
        return at >= 0

    def filed(self, name):
        if name not in self.files:
            return b""
        with open(self.files[name], "rb") as f:
            return f.read()

    def ended(self):
        return any(word == "ended" for word, _ in self.events)

    # Steps: what a case's script may do, in order.

    def step_log(self, text):
        self.until(lambda: text.encode() in self.log(), f"log {text!r}")

    def step_log_count(self, text, count):
        self.until(lambda: self.log().count(text.encode()) >= count, f"log {text!r} {count} times")

    def step_out(self, text):
        self.until(lambda: self.output_has(text), f"output {text!r}")

    def step_send(self, data):
        while data:
            _, ready, _ = select.select([], [self.keyboard], [], 0)
            if ready:
                data = data[os.write(self.keyboard, data[:2048]):]
            self.pump(0)
            if time.monotonic() > self.deadline:
                raise Hang("send")

    def step_close(self):
        os.close(self.keyboard)
        self.keyboard = None

    def step_kill(self, sig):
        os.kill(self.pid, sig)

    def step_killpg(self, sig):
        os.killpg(self.pid, sig)

    def step_queue(self, sig, value):
        if LIBC.sigqueue(self.pid, sig, ctypes.c_void_p(value)):
            raise OSError(ctypes.get_errno(), "sigqueue")

    def step_size(self, rows, cols):
        set_size(self.keyboard, rows, cols)

    def step_stopped(self, sig):
        self.until(lambda: ("stopped", sig) in self.events, f"stop by signal {sig}")

    def job_has_terminal(self):
        group = os.tcgetpgrp(self.keyboard)
        return group not in (0, self.pid) and goes_on(group)

    def step_resumed(self):
        """A shell shows the job first, then gives it the terminal, then continues it: a Ctrl-Z before that is lost."""
        self.until(self.job_has_terminal, "the job in the foreground")

    def step_touch(self, name):
        open(os.path.join(self.cwd, name), "w").close()

    def step_ended(self):
        self.until(self.ended, "end of the job")

    def step_kill_and_wait(self, sig):
        """For cases that only a wrapper has: end the wrapper, the command lives."""
        os.kill(self.pid, sig)
        self.step_ended()

    def step_alive(self):
        try:
            os.kill(self.logged_pid(), 0)
            self.notes.append("alive")
        except ProcessLookupError:
            self.notes.append("gone")

    def finish(self, lingers):
        """Ends the run and returns what was seen. What is left behind keeps the outputs open: their end is not awaited, and
        the script has to await the last that is written to them."""
        self.step_ended()
        self.let_go()
        if lingers:
            while self.pump(0.05):
                pass
        else:
            self.until(lambda: not any(n != "events" for n in self.readers.values()), "end of the outputs")

    def let_go(self):
        if self.held is not None:
            os.close(self.held)
        self.held = None

    def observe(self, script, lingers):
        """Plays the script; a hang is an observation too."""
        try:
            for step, *args in script:
                getattr(self, "step_" + step)(*args)
            self.finish(lingers)
        except (Hang, OSError) as e:
            self.notes.append(f"hang or error: {e}")
        seen = {name: bytes(data) for name, data in self.bytes.items() if data}
        for name, path in self.files.items():
            with open(path, "rb") as f:
                seen[name] = f.read()
            os.unlink(path)
        seen["status"] = repr(self.events).encode()
        seen["log"] = self.log()
        if self.notes:
            seen["notes"] = "\n".join(self.notes).encode()
        return seen

    def clear(self):
        if not self.ended() and self.pid:
            try:
                os.kill(self.pid, signal.SIGKILL)
                os.killpg(self.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.let_go()
        os.close(self.leave)
        for fd in {*self.readers, self.keyboard} - {None}:
            os.close(fd)
        os.waitpid(self.leader, 0)


def fresh_directory(path):
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path)


def run(argv, cwd, env, outputs, script, lingers):
    """Observations of one run: name -> bytes. cwd is emptied first but for what `script` touches later."""
    job = Job(argv, cwd, env, outputs)
    try:
        return job.observe(script, lingers)
    finally:
        job.clear()
