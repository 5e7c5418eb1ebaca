# SPDX-License-Identifier: MIT
"""One thread that sleeps until memwatch asks what grows, in the FIFO ask-PID of a folder; the answer is the file answer-PID
beside it. What follows this, sitecustomize.py or hook.py, says where and starts it. Does something in CPython 3.8 and
later.
"""


def _begin(folder, source):
    """Starts the thread, which compiles what source() returns when it is asked for the first time."""
    import _signal
    import _thread
    import os
    import sys

    pid = os.getpid()
    fifo = "%s/ask-%d" % (folder, pid)
    thread = []  # its number, 0 until it runs; empty: there is none

    def sleep():
        agent = {}
        while True:
            # Here it sleeps, without the interpreter's lock and without a descriptor, until memwatch opens the other end.
            fd = os.open(fifo, os.O_RDONLY | os.O_CLOEXEC)
            try:
                request = os.read(fd, 4096)
            finally:
                os.close(fd)
            if request == b"stop\n":
                return
            if request:
                if not agent:
                    exec(compile(source(), "<memwatch>", "exec"), agent)
                agent["answer"](request, "%s/answer-%d" % (folder, pid))

    def run():
        thread[0] = _thread.get_native_id()
        try:
            sleep()
        except BaseException:  # memwatch has gone, with its folder
            pass

    def start():
        """All signals stay the program's: its own threads take them, as if this one were not there."""
        faults = {_signal.SIGSEGV, _signal.SIGBUS, _signal.SIGFPE, _signal.SIGILL}
        mask = _signal.pthread_sigmask(_signal.SIG_BLOCK, set(_signal.valid_signals()) - faults)
        thread[:] = [0]
        try:
            _thread.start_new_thread(run, ())
        finally:
            _signal.pthread_sigmask(_signal.SIG_SETMASK, mask)

    def stop():
        """Before a fork: from 3.12 on Python warns of threads. Waits for as long as an answer may take."""
        import time

        until = time.monotonic() + 5
        while thread and os.getpid() == pid and time.monotonic() < until:
            try:
                fd = os.open(fifo, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
                os.write(fd, b"stop\n")
                os.close(fd)
                break
            except FileNotFoundError:
                return
            except OSError:
                time.sleep(0.001)
        while thread and os.path.exists("/proc/self/task/%d" % thread[0]) and time.monotonic() < until:
            time.sleep(0.0005)
        del thread[:]

    def start_again():
        if os.getpid() == pid and not thread and os.path.exists(fifo):
            start()

    def make_fifo():
        """Made already by what became this program by exec, or by one that had its number, unless somebody sleeps there."""
        try:
            os.mkfifo(fifo, 0o600)
        except FileExistsError:
            try:
                os.close(os.open(fifo, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC))
            except OSError:
                return
            raise

    make_fifo()
    if sys.version_info >= (3, 12):
        os.register_at_fork(before=stop, after_in_parent=start_again)
    start()


