# SPDX-License-Identifier: MIT
"""How the bench measures: CPU time by the kernel's per-process clock, lateness against the sampler's own timer,
system calls by strace, instructions by callgrind. Knows nothing of goals."""
import concurrent.futures
import contextlib
import csv
import fcntl
import math
import os
import pty
import re
import signal
import sqlite3
import struct
import subprocess
import sys
import termios
import threading
import time
from pathlib import Path

NS = 1_000_000_000
TICK_S = 0.1
OUT = Path("build/bench")


def cpu_ns(pid):
    """CPU time of a process so far, all threads, exact to the nanosecond (clock_getcpuclockid(3))."""
    return time.clock_gettime_ns((~pid << 3) | 2)


def status_kib(pid, field):
    text = Path(f"/proc/{pid}/status").read_text()
    return int(re.search(rf"^{field}:\s+(\d+)", text, re.M).group(1))


def rows(path):
    """Whole rows of a file that is still being written, without its header."""
    try:
        return max(0, Path(path).read_bytes().count(b"\n") - 1)
    except FileNotFoundError:
        return 0


def wait_rows(process, path, count, seconds=120):
    end = time.monotonic() + seconds
    while rows(path) < count:
        if process.poll() is not None:
            raise RuntimeError(f"{process.args[0]} ended with {process.returncode} after {rows(path)} rows")
        if time.monotonic() > end:
            raise RuntimeError(f"{process.args[0]} wrote {rows(path)} of {count} rows in {seconds} s")
        time.sleep(0.002)


def wait_count(path, count, seconds=300):
    end = time.monotonic() + seconds
    while rows(path) < count:
        if time.monotonic() > end:
            raise RuntimeError(f"{rows(path)} of {count} rows in {seconds} s")
        time.sleep(0.02)


def wait_steady(process, path, seconds=30):
    """Until the first rows are written and the first reading of PSS, which a sampler may do at its start, is over."""
    wait_rows(process, path, 3)
    lines = Path(path).read_text().splitlines()
    columns = lines[0].split(",")
    if "pss_bytes" not in columns:
        return
    pss, end = columns.index("pss_bytes"), time.monotonic() + seconds
    while not any(line.split(",")[pss] for line in Path(path).read_text().splitlines()[1:-1]):
        if process.poll() is not None or time.monotonic() > end:
            raise RuntimeError("no PSS was read")
        time.sleep(0.05)


def fresh(name):
    path = OUT / name
    path.unlink(missing_ok=True)
    return path


@contextlib.contextmanager
def running(argv, **kwargs):
    """A process that is gone when the block ends."""
    kwargs.setdefault("stdout", subprocess.DEVNULL)
    kwargs.setdefault("stderr", subprocess.DEVNULL)
    process = subprocess.Popen([str(a) for a in argv], **kwargs)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
        process.wait()


@contextlib.contextmanager
def target(*args):
    with running([OUT / "target", *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        if process.stdout.readline() != "ready\n":
            raise RuntimeError("the target did not start")
        yield process


def tree_of(pid):
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid] + [p for c in children for p in tree_of(int(c))]


def sampler(program, pid, path, interval="100ms", *more):
    return [program, "--pid", pid, "-i", interval, "-o", path, *more]


def cpu_per_row(seconds, *samplers, apart_s=TICK_S / 2, env=None):
    """Steady CPU nanoseconds per row of samplers (argv, path) that write each row at once; the first rows do not
    count. Several run side by side, half a tick apart, so that they share the machine's mood tick by tick; one that
    comes sooner after another finds warmer caches."""
    with contextlib.ExitStack() as stack:
        started = []
        for argv, path in samplers:
            started.append((stack.enter_context(running(argv, env=env)), path))
            time.sleep(apart_s)
        for process, path in started:
            wait_steady(process, path)
        before = [(cpu_ns(process.pid), rows(path)) for process, path in started]
        time.sleep(seconds)
        after = [(cpu_ns(process.pid), rows(path)) for process, path in started]
    return [(c2 - c1) / (r2 - r1) for (c1, r1), (c2, r2) in zip(before, after)]


@contextlib.contextmanager
def on_terminal(argv, rows, columns):
    """A process with a terminal of its own, of that size, which takes all that is written to it."""
    pid, fd = pty.fork()
    if pid == 0:
        os.environ["TERM"], os.environ["LANG"] = "xterm-256color", "C.UTF-8"
        os.execv(str(argv[0]), [str(a) for a in argv])
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    reader = threading.Thread(target=drain, args=(fd,), daemon=True)
    reader.start()
    try:
        yield pid
    finally:
        os.kill(pid, signal.SIGTERM)
        os.waitpid(pid, 0)
        reader.join()
        os.close(fd)


def drain(fd):
    with contextlib.suppress(OSError):   # EIO: nobody has it open any more
        while os.read(fd, 65536):
            pass


class Peer:
    """Another tool at 10 Hz: its command line, and the mean interval it kept, read from what it wrote."""

    def __init__(self, name, argv, interval, settle):
        self.name, self.argv, self.interval, self.settle = name, argv, interval, settle

    def cpu_per_sample(self, pids, seconds):
        path = fresh(f"{self.name}.out")
        length = self.settle + seconds + 0.5
        with open(OUT / f"{self.name}.log", "w") as log, \
             running(self.argv(pids, path, length), stdout=log, stderr=log) as process:
            time.sleep(self.settle)
            begin, cpu = time.monotonic(), cpu_ns(process.pid)
            time.sleep(seconds)
            cpu, wall = cpu_ns(process.pid) - cpu, time.monotonic() - begin
            process.wait(length + 20)
        return cpu / (wall / self.interval(path))


def mean_step(stamps):
    if len(stamps) < 3:
        raise RuntimeError("too few samples")
    return (stamps[-1] - stamps[0]) / (len(stamps) - 1)


def psrecord_interval(path):
    return mean_step([float(line.split()[0]) for line in path.read_text().splitlines()[1:]])


def mprof_interval(path):
    return mean_step([float(line.split()[2]) for line in path.read_text().splitlines() if line.startswith("MEM")])


def procpath_interval(path):
    with contextlib.closing(sqlite3.connect(path)) as base:
        return mean_step([ts for (ts,) in base.execute("SELECT DISTINCT ts FROM record ORDER BY ts")])


def peers(venv):
    python = [
        Peer("psrecord", lambda pids, path, length: [
            venv / "psrecord", pids[0], "--interval", TICK_S, "--include-children", "--log", path,
            "--duration", length], psrecord_interval, 1.0),
        Peer("mprof", lambda pids, path, length: [
            venv / "mprof", "attach", "-C", "-T", TICK_S, "-t", math.ceil(length), "-o", path, pids[0]], mprof_interval, 1.2),
        Peer("procpath", lambda pids, path, length: [
            venv / "procpath", "record", "-i", TICK_S, "-r", int(length / TICK_S), "-d", path, "-p", pids[0],
            f"$..children[?(@.stat.pid == {pids[0]})]"], procpath_interval, 1.2),
    ] if venv else []
    return python + [Peer("top", lambda pids, path, length: [
        "top", "-b", "-d", TICK_S, "-n", int(length / TICK_S) + 1, *(a for p in pids for a in ("-p", p))],
        lambda path: TICK_S, 0.5)]


def cpu_to_first_row(argv, path):
    """CPU nanoseconds until the first row is in the file."""
    with running(argv) as process:
        wait_rows(process, path, 1)
        return cpu_ns(process.pid)


def cpu_of_run(argv, **kwargs):
    """CPU nanoseconds of a whole run, children included, and its highest resident KiB."""
    peak = 0
    with running(argv, **kwargs) as process:
        pid = process.pid
        while True:
            done, code, usage = os.wait4(pid, os.WNOHANG)
            if done:
                process.returncode = os.waitstatus_to_exitcode(code)
                break
            with contextlib.suppress(OSError, AttributeError):
                peak = max(peak, status_kib(pid, "VmHWM"))
            time.sleep(0.002)
    if process.returncode:
        raise RuntimeError(f"{argv[0]} ended with {process.returncode}")
    return (usage.ru_utime + usage.ru_stime) * NS, peak


def output_of(argv):
    return subprocess.run([str(a) for a in argv], check=True, stdout=subprocess.PIPE, text=True).stdout


def words_of(argv):
    """What a run says on standard error, its own words and the command's; one thread does the arithmetic."""
    env = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    return subprocess.run([str(a) for a in argv], check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env=env).stderr


def at_once(call, names):
    """{name: call(name)}, all at the same time."""
    with concurrent.futures.ThreadPoolExecutor(len(names)) as pool:
        return dict(zip(names, pool.map(call, names)))


def python_with(module, venv):
    """The first that has it, that of the frameworks' tests among them; None without."""
    for python in (sys.executable, *([venv / "python"] if venv else []), os.environ.get("FRAMEWORKS_PYTHON", sys.executable)):
        if subprocess.run([str(python), "-c", f"import {module}"], stderr=subprocess.DEVNULL).returncode == 0:
            return python
    return None


def timer_phase_ns(pid):
    """A moment at which the sampler's timer expires, from its fdinfo: the time left, added to the time now."""
    best, tries, end = None, 0, time.monotonic() + 5
    while tries < 20 or best is None and time.monotonic() < end:
        tries += 1
        for info in Path(f"/proc/{pid}/fdinfo").iterdir():
            before = time.monotonic_ns()
            text = info.read_text()
            bracket = time.monotonic_ns() - before
            left = re.search(r"it_value: \((\d+), (\d+)\)", text)
            left = left and int(left.group(1)) * NS + int(left.group(2))
            if left and (best is None or bracket < best[0]):   # 0: expired, but not yet read
                best = bracket, before + bracket // 2 + left
    if best is None:
        raise RuntimeError("no timerfd found")
    return best[1]


def stamped(argv, seconds, meanwhile=None):
    """Runs a sampler into the stamping reader: moments of its rows (header and first row left out), an expiry of
    its timer, and its words."""
    with running([OUT / "stamp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as reader:
        with running(argv, stdout=reader.stdin, stderr=subprocess.PIPE, text=True) as process:
            reader.stdin.close()
            reader.stdin = None
            time.sleep(0.3)
            phase = timer_phase_ns(process.pid)
            if meanwhile:
                meanwhile(process)
            time.sleep(seconds)
            process.send_signal(signal.SIGINT)
            words = process.communicate(timeout=10)[1]
        stamps = [int(line) for line in reader.communicate(timeout=10)[0].split()]
    return stamps[2:], phase, words


def lateness_ns(stamps, phase, interval_ns):
    """Time from each tick to its row. The phase is known to some microseconds only: a little early is not late."""
    early = interval_ns // 20
    return [(s - phase + early) % interval_ns - early for s in stamps]


CALL = re.compile(r"^\d+ +(\w+)\((.*)")


def calls_per_row(argv, path, count):
    """System calls between one row and the next, as a list of lists of names."""
    trace = fresh("strace.log")
    with running(["strace", "-f", "-qq", "-o", trace, *argv]) as process:
        wait_rows(process, path, count)
    ticks, names = [], []
    for line in trace.read_text().splitlines():
        call = CALL.match(line)
        if not call:
            continue
        names.append(call.group(1))
        if call.group(1) == "write" and re.match(r"\d+, \"\d+\.\d{3},", call.group(2)):
            ticks.append(names)
            names = []
    return ticks[3:]


def instructions_per_row(argv, path, count):
    """User instructions per row between two dumps of a running callgrind, so that start and end do not count."""
    result = fresh("callgrind.out")
    with running(["valgrind", "--tool=callgrind", f"--callgrind-out-file={result}", *argv]) as process:
        seen = []
        for length in (count, 4 * count):
            wait_rows(process, path, length)
            seen.append(rows(path))
            subprocess.run(["callgrind_control", "-d", str(process.pid)], check=True, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
        text = Path(f"{result}.2").read_text()
    return int(re.search(r"^totals: (\d+)", text, re.M).group(1)) / (seen[1] - seen[0])


def write_long_csv(path, count):
    """A recorded run with columns as memwatch writes them: a plateau with a collector's sawtooth."""
    header = ("elapsed_s,time,epoch,procs,rss_bytes,anon_bytes,file_bytes,shmem_bytes,swap_bytes,pss_bytes,"
              "held_bytes,available_bytes,limit_bytes,heap_used_bytes,heap_free_bytes,pressure_us,major_faults,"
              "heap_passing_bytes,heap_untouched_bytes")
    with open(path, "w", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(header.split(","))
        for i in range(count):
            anon = 3_000_000_000 + i % 500 * 40_960 + i * 7919 % 1000 * 4096
            out.writerow((f"{i * 0.2:.3f}", f"{1.7e9 + i * 0.2:.3f}", i // 1500, 5, anon + 90_112_000, anon, 90_112_000,
                          0, 0, "", anon, 24_000_000_000, 32_000_000_000, *[""] * 6))
