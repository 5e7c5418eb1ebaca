#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures memwatch's cost goals against a floor program and other tools, in interleaved runs.

Usage: tests/bench/bench.py [--quick] [--memwatch PROGRAM] [--venv BIN] [GOAL]...

One line per goal: the median of the runs, what it is compared with, the median of the pairs' ratios, the goal.
"MISSED" means that the median is beyond the goal by more than 2 median absolute deviations of its runs; "noise"
that it is beyond, but not by more. Exit status 1 if a goal is missed, else 0; a goal that cannot be measured here
says why and is not counted."""
import argparse
import collections
import functools
import json
import operator
import os
import re
import signal
import statistics
import sys
import time
from pathlib import Path

import measure as m

QUICK = False
MANY_PAIRS = 8  # fewer do not tell which of them is the odd one
RESULTS = []
ABSENT = "not installed: make bench installs it where PyPI can be reached"


class Config:
    memwatch = "./memwatch"
    venv = None
    rounds, seconds = 5, 3.0


def report(goal, what, mine, limit, other=None, unit="", scale=1.0, digits=2):
    """One line. mine and other are lists over the rounds; without other the goal is about mine itself."""
    values = [a / b for a, b in zip(mine, other)] if other else [v / scale for v in mine]
    mid = statistics.median(values)
    mad = statistics.median(abs(v - mid) for v in values)
    word = "met" if mid <= limit else "noise" if mid - 2 * mad <= limit else "MISSED"

    def show(v):
        return f"{statistics.median(v) / scale:,.{digits}f} {unit}".strip()

    ratio = f"{mid:.3f} ±{mad:.3f}" if other else ""
    print(f"{goal:>4}  {what:<47} {show(mine):>14} {show(other) if other else '':>14} {ratio:>14} "
          f"{limit:>9,.4g}  {word}", flush=True)
    RESULTS.append(word)


def report_mean(goal, what, mine, other, limit, unit="", digits=3):
    """One line for many short pairs: the mean of their ratios and its standard error; of many, without those beyond 4
    deviations, in which the machine did something else. "noise": beyond the goal, but by no more than 2 standard errors."""
    ratios = [a / b for a, b in zip(mine, other)]
    mid = statistics.median(ratios)
    wide = 4 * 1.4826 * statistics.median(abs(r - mid) for r in ratios)
    kept = [r for r in ratios if abs(r - mid) <= wide or len(ratios) < MANY_PAIRS]
    mean = statistics.fmean(kept)
    error = statistics.stdev(kept) / len(kept) ** 0.5 if len(kept) > 1 else float("inf")
    word = "met" if mean <= limit else "noise" if mean - 2 * error <= limit else "MISSED"
    print(f"{goal:>4}  {what:<47} {f'{statistics.fmean(mine):.{digits}f} {unit}':>14} "
          f"{f'{statistics.fmean(other):.{digits}f} {unit}':>14} {f'{mean:.4f} ±{error:.4f}':>14} {limit:>9,.4g}  {word}", flush=True)
    print(f"{'':>4}  (mean of {len(kept)} of {len(ratios)} pairs ± standard error)")
    RESULTS.append(word)


def report_share(goal, what, mine, floor, limit, digits=2):
    """Shares of a core; where the floor program alone is beyond the limit, 1.3 times its share is the goal."""
    least = statistics.median(floor) / 0.01
    report(goal, f"{what} (floor {least:.{digits}f})", mine, max(limit, 1.3 * least), unit="%", scale=0.01, digits=digits)


def skip(goal, what, reason):
    print(f"{goal:>4}  {what:<47} not measured: {reason}", flush=True)


def interleaved(config, **measures):
    """Each measure once per round, in turn, so that a change in the machine's mood meets all of them."""
    results = {name: [] for name in measures}
    for _ in range(config.rounds):
        for name, measure in measures.items():
            results[name].append(measure())
    return results


def sample(program, pid, interval="100ms", n="1"):
    path = m.fresh(f"{Path(program).name}{n}.csv")
    return m.sampler(program, pid, path, interval, "-q"), path


def goal_1(config):
    """A steady tick: its system calls and its instructions."""
    for count, args in ((1, ("hold", "300")), (17, ("tree", "300", "16"))):
        with m.target(*args) as t:
            argv, path = sample(config.memwatch, t.pid, "50ms")
            ticks = m.calls_per_row(argv, path, 20 if QUICK else 60)
        limit = count + count + (count > 1) + 3   # one thread each; only the root's children file is not empty
        report("1", f"system calls per tick, {count} process{'es' * (count > 1)}", [len(t) for t in ticks], limit, digits=0)
        report("1", "  open or close calls in it", [sum(c in ("open", "openat", "close") for c in t) for t in ticks], 0,
               digits=0)
    with m.target("hold", "300") as t:
        argv, path = sample(config.memwatch, t.pid, "2ms")   # what is done once a second then weighs little
        ir = m.instructions_per_row(argv, path, 300)
    report("1", "user instructions per row at 2 ms, 1 process", [ir], 5000, digits=0)


def goals_2_and_3(config):
    """CPU per tick at 10 Hz against the floor and the other tools."""
    bounds = {1: {"psrecord": 15, "mprof": 15, "procpath": 50, "top": 2.5},
              17: {"psrecord": 8, "mprof": 8, "procpath": 20, "top": 1.8}}
    for count, args in ((1, ("hold", "300")), (17, ("tree", "300", "16"))):
        with m.target(*args) as t:
            pids = m.tree_of(t.pid)

            def pair():
                return m.cpu_per_row(config.seconds, sample(config.memwatch, t.pid), sample(m.OUT / "floor", t.pid, n="2"))

            tools = {"pair": pair, "memwatch": lambda: m.cpu_per_row(config.seconds, sample(config.memwatch, t.pid))[0]}
            tools |= {p.name: lambda p=p: p.cpu_per_sample(pids, config.seconds) for p in m.peers(config.venv)}
            got = interleaved(config, **tools)
        what = f"{count} process{'es' * (count > 1)}"
        report("2", f"CPU per tick at 10 Hz, {what}, against floor", [p[0] for p in got["pair"]], 1.3,
               [p[1] for p in got["pair"]], "µs", 1e3, 1)
        for name, bound in bounds[count].items():
            if name in got:
                report("3", f"  against {name}", got["memwatch"], 1 / bound, got[name], "µs", 1e3, 1)
            else:
                skip("3", f"  against {name}", ABSENT)


def goal_2_pss(config):
    """With PSS, which has a budget of its own: workers that share all their memory are the dearest to read."""
    if QUICK:
        return
    with m.target("workers", "300", "16") as t:
        argv, path = sample(config.memwatch, t.pid)
        with m.running(argv) as process:
            m.wait_steady(process, path)
            cpu, begin = m.cpu_ns(process.pid), time.monotonic_ns()
            time.sleep(25)
            share = (m.cpu_ns(process.pid) - cpu) / (time.monotonic_ns() - begin)
    report("2", "all CPU with PSS, 16 forked workers of 300 MiB", [share], 1.25, unit="%", scale=0.01)


def unthrottled():
    return dict(os.environ, LD_PRELOAD=str((m.OUT / "unthrottled.so").resolve()))


def goal_2_unthrottled(config):
    for count, args in ((1, ("hold", "300")), (17, ("tree", "300", "16"))):
        with m.target(*args) as t:
            def own(program):
                return m.cpu_per_row(config.seconds / 3, sample(program, t.pid, "1ms"), env=unthrottled())[0]

            got = interleaved(config, memwatch=lambda: own(config.memwatch), floor=lambda: own(m.OUT / "floor"))
        report("2", f"CPU per tick unthrottled, {count} process{'es' * (count > 1)}, against floor", got["memwatch"], 1.5,
               got["floor"], "µs", 1e3, 1)


def with_fake_gpu(env, pid):
    """One GPU on which the target holds memory, by the fake driver of the tests."""
    scenario = m.fresh("gpu.txt").resolve()
    scenario.write_text(f"gpu 0 24000000000 GPU-a Fake\nat 1 0 {pid} 500000000 C\n")
    driver = Path("build/fakenvml/r550/libnvidia-ml.so.1").resolve()
    return dict(env, FAKENVML=str(scenario), MEMWATCH_NVML=str(driver))


def goal_4(config):
    """Own memory with a GPU watched too, early and after many rows."""
    many = 100_000 if QUICK else 1_000_000
    with m.target("hold", "300") as t:
        argv, path = sample(config.memwatch, t.pid, "1ms")
        with m.running(argv, env=with_fake_gpu(unthrottled(), t.pid)) as process:
            m.wait_steady(process, path)
            m.wait_rows(process, path, 1000)
            early = m.status_kib(process.pid, "RssAnon")
            while m.rows(path) < many and process.poll() is None:
                time.sleep(1)
            late, rss = m.status_kib(process.pid, "RssAnon"), m.status_kib(process.pid, "VmRSS")
        path.unlink()
    report("4", "own RSS while sampling", [rss], 4096, unit="KiB", digits=0)
    report("4", f"own anonymous memory after {many:,} rows", [late], 1024, unit="KiB", digits=0)
    report("4", "  more than after 1,000 rows", [late - early], 16, unit="KiB", digits=0)


def goal_gpu(config):
    """What watching a GPU adds, at the usual intervals and with a driver that answers at once. Who starts first finds
    colder caches, so each goes first once in a round."""
    with m.target("hold", "300") as t:
        def both(step):
            watched, (argv, path) = sample(config.memwatch, t.pid, "200ms"), sample(config.memwatch, t.pid, "200ms", "2")
            pair = (watched, ([*argv, "--gpu", "none"], path))[::step]
            return m.cpu_per_row(4 * config.seconds, *pair, apart_s=0.1, env=with_fake_gpu(os.environ, t.pid))[::step]

        def round_trip():
            return [(ahead + behind) / 2 for ahead, behind in zip(both(1), both(-1))]

        got = interleaved(config, pair=round_trip)["pair"]
    report("gpu", "CPU per tick with a GPU, against none", [p[0] for p in got], 1.1, [p[1] for p in got], "µs", 1e3, 1)


def goal_5(config):
    """CPU to the first sample."""
    with m.target("hold", "300") as t:
        def first():
            argv, path = sample(config.memwatch, t.pid, "10s")
            return m.cpu_to_first_row(argv, path)

        tools = {"memwatch": first, "empty": lambda: m.cpu_of_run([m.OUT / "empty"])[0]}
        if config.venv:
            tools["psrecord"] = lambda: m.cpu_of_run([config.venv / "psrecord", t.pid, "--duration", "0.01", "--interval",
                                                      "0.01", "--log", m.OUT / "psrecord.out"])[0]
        got = {name: [] for name in tools}
        for _ in range(1 if QUICK else 3):
            for name, values in interleaved(config, **tools).items():
                got[name] += values
    report("5", "CPU to first sample, against an empty program", got["memwatch"], 1.5, got["empty"], "ms", 1e6)
    if config.venv:
        report("5", "  against psrecord", got["memwatch"], 1 / 15, got["psrecord"], "ms", 1e6)
    else:
        skip("5", "  against psrecord", ABSENT)


def timing(program, pid, interval_ns, seconds):
    """Median lateness, how far the mean interval is off, and what the lateness of its two ends explains of it."""
    stamps, phase, _ = m.stamped(m.sampler(program, pid, "-", f"{interval_ns // 1_000_000}ms", "-q"), seconds)
    mean = (stamps[-1] - stamps[0]) / round((stamps[-1] - stamps[0]) / interval_ns)
    late = m.lateness_ns(stamps, phase, interval_ns)
    return statistics.median(late), abs(mean - interval_ns), max(late[0], late[-1], 0) / (len(stamps) - 1)


def missed_in(words):
    found = re.search(r"([\d,]+)(?: ticks?| samples?)? missed", words) or re.search(r"missed:? ([\d,]+)", words)
    return int(found.group(1).replace(",", "")) if found else None


def goal_6(config):
    """Keeping time: the interval, the lateness, what a stopped memwatch does, the shortest interval."""
    interval = 20_000_000
    with m.target("hold", "300") as t:
        got = interleaved(config, memwatch=lambda: timing(config.memwatch, t.pid, interval, config.seconds / 2),
                          floor=lambda: timing(m.OUT / "floor", t.pid, interval, config.seconds / 2))
        report("6", "mean interval off by, of 0.01 % plus one lateness", [g[1] for g in got["memwatch"]], 1,
               [interval * 1e-4 + g[2] for g in got["memwatch"]], "µs", 1e3)
        report("6", "median lateness at 50 Hz, against floor", [g[0] for g in got["memwatch"]], 1.5,
               [g[0] for g in got["floor"]], "µs", 1e3, 1)

        def pause(process):
            process.send_signal(signal.SIGSTOP)
            time.sleep(1)
            process.send_signal(signal.SIGCONT)

        stamps, _, words = m.stamped(m.sampler(config.memwatch, t.pid, "-", "20ms"), 1, pause)
        gaps = [b - a for a, b in zip(stamps, stamps[1:])]
        after = gaps[gaps.index(max(gaps)) + 1:]
        report("6", "rows bunched after a stop of 1 s", [sum(g < interval / 2 for g in after[1:])], 2, digits=0)
        told = missed_in(words)
        report("6", "missed ticks not told of (of some 50)", [max(0, round(max(gaps) / interval) - 1 - (told or 0))], 1,
               digits=0)

        def share(program):
            return m.cpu_per_row(config.seconds / 2, sample(program, t.pid, "1ms"))[0] / 1e6

        got = interleaved(config, memwatch=lambda: share(config.memwatch), floor=lambda: share(m.OUT / "floor"))
        report_share("6", "CPU at 1 ms, of a core", got["memwatch"], got["floor"], 5)


def goal_7(config):
    """Judging a long recorded run."""
    count = 200_000 if QUICK else 1_000_000
    path = m.fresh("long.csv")
    m.write_long_csv(path, count)
    tools = {"memwatch": lambda: m.cpu_of_run([config.memwatch, "report", path])}
    if config.venv:
        read = ["-c", f"import pandas; pandas.read_csv({str(path)!r})"]
        tools["pandas"] = lambda: m.cpu_of_run([config.venv / "python", *read])
        tools["import"] = lambda: m.cpu_of_run([config.venv / "python", "-c", "import pandas"])
    got = interleaved(config, **tools)
    mine = [g[0] for g in got["memwatch"]]
    report("7", f"report: CPU of a million rows ({count:,} read)", [v * 1e6 / count for v in mine], 1000 / 6, unit="ms",
           scale=1e6, digits=0)
    report("7", "  highest RSS", [g[1] for g in got["memwatch"]], 6144, unit="KiB", digits=0)
    if config.venv:
        pandas = [a[0] - b[0] for a, b in zip(got["pandas"], got["import"])]
        report("7", "  against pandas.read_csv without its import", mine, 1 / 3, pandas, "ms", 1e6, 0)
    else:
        skip("7", "  against pandas.read_csv", ABSENT)


def goal_8(config):
    """What the watched process feels: a process that maps and unmaps all the time, watched and not."""
    seconds = 3.0
    used, floor_used = [], []

    def churn(t):
        t.stdin.write("go\n")
        t.stdin.flush()
        return [float(v) for v in t.stdout.readline().split()]

    def watched(program, shares):
        with m.target("churn", "300", seconds) as t:
            argv, path = sample(program, t.pid)
            with m.running(argv) as process:
                m.wait_rows(process, path, 2)
                cpu, begin = m.cpu_ns(process.pid), time.monotonic_ns()
                figures = churn(t)
                shares.append((m.cpu_ns(process.pid) - cpu) / (time.monotonic_ns() - begin))
        return figures

    def alone():
        with m.target("churn", "300", seconds) as t:
            return churn(t)

    got = interleaved(config, watched=lambda: watched(config.memwatch, used), alone=alone,
                      floor=lambda: watched(m.OUT / "floor", floor_used))
    report("8", "times a busy process slept more than its twin, 3 s",
           [a[0] - b[0] for a, b in zip(got["watched"], got["alone"])], 2, digits=0)
    report_share("8", "CPU while watching it at 10 Hz", used, floor_used, 0.1, digits=3)
    slower = [(b[2] / b[3]) / (a[2] / a[3]) for a, b in zip(got["watched"], got["alone"])]
    print(f"{'':>4}  (its CPU per round, watched against twin: {statistics.median(slower):.4f}, for information)")


# Of the beginning of a turn with a walk and of that of one without: CPU seconds, seconds, voluntary switches; and the CPU seconds of
# both turns.
Pair = collections.namedtuple("Pair", "cpu_walked s_walked switches_walked cpu_alone s_alone switches_alone cpu_both")


def heap_run(config, mib, pairs):
    """What the program says of its turns, whether it had a processor of its own, and of the walks: their CPU seconds, how many,
    how long all took."""
    out, err = m.fresh("blocks.out"), m.fresh("blocks.err")
    with open(out, "w") as o, open(err, "w") as e:
        begin = time.monotonic()
        m.cpu_of_run([config.memwatch, "--", str(m.OUT / "target"), "blocks", str(mib), str(pairs)], stdout=o, stderr=e)
        took_s = time.monotonic() - begin
    said = re.search(r"of that, ([0-9.]+) s for ([0-9,]+) readings of the heaps", err.read_text())
    lines = [line for line in out.read_text().splitlines() if line.startswith("#")]
    turns = [Pair(*map(float, line.split()[1:])) for line in lines if line != "# real time"]
    return turns, "# real time" in lines, said and (float(said[1]), int(said[2].replace(",", "")), took_s)


def goal_heap(config):
    """Walks of the heaps: what they take, and what the process that is read feels of them. What it loses, it loses at the
    beginning of a turn; the goal is about the whole of it."""
    mib, pairs = 24, 200  # more than half a minute: from then on the budget holds
    turns, walks, slept = [], [], []
    for _ in range(1 if QUICK else 3):
        got, real_time, walked = heap_run(config, mib, pairs)
        turns += got
        walks += [walked] if walked else []
        slept.append(sum(t.switches_walked - t.switches_alone for t in got))
    whole = [t.cpu_both / 2 for t in turns]
    alone = "" if real_time else ", not alone on a core"
    for what, lost in (("CPU", [t.cpu_walked - t.cpu_alone for t in turns]), ("time", [t.s_walked - t.s_alone for t in turns])):
        report_mean("heap", f"{what} of a busy process, walked or not{alone}", list(map(operator.add, whole, lost)), whole,
                    1.005, "s")
    report("heap", f"times it slept more in {pairs} turns, walked or not", slept, 2, digits=0)
    if not walks:
        skip("heap", "CPU for walks", "none was made")
        return
    report("heap", "CPU for walks, of a core", [cpu / run for cpu, _, run in walks], 1, unit="%", scale=0.01)
    each = statistics.median(cpu / n for cpu, n, _ in walks)
    print(f"{'':>4}  ({1e3 * each:.1f} ms CPU for a walk of {mib} MiB in small blocks, {1e3 * each / mib:.3f} ms per MiB, "
          f"{statistics.median(n for _, n, _ in walks):.0f} walks at {pairs} ends of epochs)")


def goal_live(config):
    """The live view: what it takes of a core, and that it does not grow. Rows every 10 ms make ten minutes' worth of
    them, at 200 ms, in half a minute."""
    rows = 600 if QUICK else 3000

    def viewed(t, interval, size):
        path = m.fresh("live.csv")
        return path, m.on_terminal([config.memwatch, "--live", "--pid", t.pid, "-i", interval, "-o", path, "--no-keep"], *size)

    def share(size):
        with m.target("tree", "300", "4") as t:
            path, view = viewed(t, "200ms", size)
            with view as pid:
                m.wait_count(path, 10)
                before, begin = m.cpu_ns(pid), time.monotonic_ns()
                time.sleep(config.seconds)
                return (m.cpu_ns(pid) - before) / (time.monotonic_ns() - begin)

    for size in ((24, 80), (50, 200)):
        got = interleaved(config, share=lambda size=size: share(size))
        report("live", f"live view of {size[1]} x {size[0]}, of a core", got["share"], 1, unit="%", scale=0.01)
    with m.target("tree", "300", "4") as t:
        path, view = viewed(t, "10ms", (24, 80))
        with view as pid:
            m.wait_count(path, rows // 3)
            first = m.status_kib(pid, "VmRSS")
            m.wait_count(path, rows)
            grown = m.status_kib(pid, "VmRSS") - first
    report("live", f"  grown by from {rows // 3:,} to {rows:,} rows", [grown], 64, unit="KiB", digits=0)


def goal_explain(config):
    """--explain: a snapshot of a million objects against one plain pass over them in the same program, and a training that is
    asked against one that is not."""
    count = 200_000 if QUICK else 1_000_000
    here = Path(__file__).parent

    def snapshots():
        agent = m.fresh("agent.py")
        agent.write_text(m.output_of([config.memwatch, "-q", "--explain", "--", "sh", "-c", 'cat "${PYTHONPATH%%:*}/agent.py"']))
        said = m.output_of([sys.executable, here / "snapshot.py", agent, count, m.fresh("answer")])
        plain, *taken, longest = (float(line) for line in said.split())
        return statistics.mean(taken), plain, longest

    got = [snapshots() for _ in range(config.rounds)]
    report("expl", f"CPU of a snapshot of {count:,}, against a plain pass", [g[0] for g in got], 9, [g[1] for g in got], "s", digits=3)
    report("expl", "  of that, the longest without another thread", [g[2] for g in got], 4, [g[1] for g in got], "s", digits=3)
    explained_trainings(config, here)


def explained_trainings(config, here):
    """The same training asked and not asked, both at the same time, so that what else the machine does is the same for them; of
    Keras where it is there. What counts is processors' time: of two at a time the clock tells more of the machine."""
    keras = m.python_with("keras", config.venv)
    python = keras or m.python_with("numpy", config.venv)
    what = "a training of Keras" if keras else "a training of NumPy"
    if not python:
        skip("expl", f"{what} that is asked, against one that is not", "no Python here has NumPy")
        return
    script, epochs = ("training_keras.py", 60 if QUICK else 150) if keras else ("training.py", 300 if QUICK else 1200)
    got, shares = {"explained": [], "alone": []}, []
    for k in range(1 if QUICK else 4):
        for name, (worked_s, share) in m.at_once(functools.partial(train, config, [python, here / script, epochs]),
                                                 ("explained", "alone")[:: 1 if k % 2 else -1]).items():
            got[name].append(worked_s)
            shares += [share] if name == "explained" else []
    if not all(shares):
        raise RuntimeError("the training was never asked")
    report_mean("expl", f"{what} that is asked, against one not", got["explained"], got["alone"], 1.02, "s", 2)
    report("expl", "  CPU of its snapshots, of its time", shares, 2, unit="%", scale=0.01)


def train(config, command, name):
    """Seconds of processors, and the share of the run that snapshots took."""
    path = m.fresh(f"{name}.json")
    options = ["--explain"] if name == "explained" else []
    words = m.words_of([config.memwatch, "-i", "20ms", "-r", path, *options, "--", *command])
    run = json.loads(path.read_text())
    return (float(re.search(r"^took .* ([0-9.]+) s of processors$", words, re.M)[1]),
            (run["explain"]["cpu_s"] or 0) / run["duration_s"] if options else 0)


GOALS = {"1": [goal_1], "2": [goals_2_and_3, goal_2_unthrottled, goal_2_pss], "3": [goals_2_and_3], "4": [goal_4], "5": [goal_5],
         "6": [goal_6], "7": [goal_7], "8": [goal_8], "gpu": [goal_gpu], "heap": [goal_heap], "live": [goal_live],
         "explain": [goal_explain]}


def main():
    global QUICK
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer and shorter runs: about two minutes")
    parser.add_argument("--memwatch", default="./memwatch")
    parser.add_argument("--venv", type=Path, default=Path("build/venv-bench/bin"), help="bin directory with psrecord, mprof, procpath and pandas")
    parser.add_argument("goals", nargs="*", metavar="GOAL", help="1 to 8, gpu, heap, live or explain; all when none is given")
    args = parser.parse_args()
    for goal in args.goals:
        if goal not in GOALS:
            parser.error(f"no goal {goal}: {', '.join(GOALS)}")
    signal.signal(signal.SIGINT, signal.default_int_handler)   # ignored in the background of a script, and in all it starts
    config = Config()
    config.memwatch = args.memwatch
    config.venv = args.venv.resolve() if (args.venv / "psrecord").exists() else None
    if args.quick:
        QUICK, config.rounds, config.seconds = True, 3, 1.2
    m.OUT.mkdir(parents=True, exist_ok=True)
    print(f"{'goal':>4}  {'what':<47} {'memwatch':>14} {'other':>14} {'ratio':>14} {'at most':>9}")
    wanted = dict.fromkeys(f for g in args.goals or GOALS for f in GOALS[g])
    begin = time.monotonic()
    for measure in wanted:
        try:
            measure(config)
        except (RuntimeError, OSError) as e:
            skip("", measure.__name__, str(e))
            RESULTS.append("MISSED")
    print(f"{RESULTS.count('met')} met, {RESULTS.count('noise')} beyond the goal within noise, "
          f"{RESULTS.count('MISSED')} missed; {time.monotonic() - begin:.0f} s")
    return 1 if "MISSED" in RESULTS else 0


if __name__ == "__main__":
    sys.exit(main())
