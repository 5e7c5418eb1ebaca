#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws a list of trainings by lot, records each with memwatch, and writes what is true of them into labels.csv.

    tests/score/record.py --seed 18 --count 200 --memwatch ./memwatch --python PATH --into DIR [--sealed-into DIR] [--zoo PATH]

What is drawn: the program and its seed, the epochs (15 to 45), whether it keeps something in every epoch and how much
(0.05 to 3 % of the program's usual level, evenly on a logarithmic scale), in which way, from which epoch on, the
allocator and its settings, whether memwatch comes late, and whether the machine is busy besides. One training at a time.
Programs are those of programs/ and, with --zoo, the families of another script of the same arguments. Runs of the
families that are sealed by lot (corpus.py) go into a folder of their own. A list that was begun is continued; runs
of another --seed have numbers of their own.
PyPI: tensorflow-cpu keras torch jax lightning transformers accelerate tokenizers scikit-learn pandas pillow lightgbm
xgboost-cpu gensim.
"""
import argparse
import csv
import itertools
import math
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import corpus  # noqa: E402

PROGRAMS = os.path.join(HERE, "programs")
# What each program usually holds, in MiB: sizes of leaks are shares of it.
LEVELS = {"forest": 110, "memmap": 18, "ngrams": 40, "augment": 25, "groups": 60, "pool": 30, "boost": 110, "skipgram": 25,
          "episodes": 20, "factors": 32, "accumulate": 390, "adversarial": 390, "plain_tf": 280, "lightning_fit": 470, "trees": 20,
          "vae": 375, "graphnet": 380, "generate": 380, "rotate": 380, "phases": 375, "custom_step": 320, "jitted": 150, "tfidf": 115,
          "subwords": 65, "sqlite_rows": 18, "thumbs": 20, "async_batches": 20, "federated": 20, "strategies": 18, "replay": 18,
          "genetic": 17, "counters": 22, "cycles": 18, "kmeans": 15, "denoise": 380, "translate": 390, "contrast": 380, "truncated": 380,
          "folds": 380, "checkpoints": 340, "records": 335, "forecasts": 330, "refits": 105, "chunks": 110, "sampler": 210,
          "tagger": 17, "summaries": 22, "matrices": 9,
          "im2col": 17, "partials": 110, "ranker": 105, "rolling": 44, "cooccur": 17, "mosaics": 22, "gaussian": 44, "selfplay": 16,
          "lengths": 188, "itemsets": 8, "tape": 6, "buckets": 380, "packed": 385, "shards": 377, "residual": 350, "reviews": 339,
          "stateful": 400, "dueling": 376, "distil": 375, "widened": 375, "frozen": 375, "figures_each": 449, "towers": 313, "causal": 436,
          "decoded": 562, "handover": 34, "postings": 25, "decoder": 31, "clicks": 655, "averaged": 560, "boxes": 380, "paragraphs": 75,
          "topics": 111, "warm": 121, "panel": 560, "shared": 660, "evaluated": 29, "proximal": 377, "physics": 418, "speech": 402,
          "flows": 217, "gibbs": 20, "tuning": 111, "searches": 350, "finetune": 552, "attend": 440, "pages": 32, "adapters": 800,
          "mixtures": 19, "tasks": 378, "walks": 150, "spells": 440}
ZOO_LEVELS = {"s_np": 18, "s_sgd": 85, "s_mlp": 85, "k_dense": 280, "k_conv": 285, "k_rnn": 295, "k_tfdata": 300,
              "k_multi": 280, "k_loop": 260, "k_predict": 300, "t_mlp": 390, "t_loader": 400, "t_conv": 400, "t_varlen": 400,
              "t_ckpt": 390, "t_eval": 390, "t_buffer": 390, "t_hf": 480}
KINDS = ["array", "small", "tensor", "every5", "batches", "strings", "memo", "closures", "thread", "uneven"]
ZOO_KINDS = KINDS[:5]
COMPILED = {"trees": "trees.c", "kmeans": "kmeans.cpp", "matrices": "matrices.c", "itemsets": "itemsets.cpp", "tape": "tape.c",
            "decoded": "decoded.c", "handover": "handover.c", "postings": "postings.cpp", "decoder": "decoder.cpp",
            "walks": "walks.cpp"}
COMPILED_KINDS = ["array", "small", "every5", "batches"]
# Its records take 296 bytes where it counts 330.
ZOO_SMALL = 296 / 330
PIECES = {"strings": 4064, "memo": 8448, "closures": 65536}     # training.py
# A buffer that fills is growth until it is full, which it is by this epoch.
FULL_BY = {"t_buffer": 30, "replay": 10, "thumbs": 8, "rotate": 4, "contrast": 9, "sampler": 5, "dueling": 8, "frozen": 3, "decoder": 8,
           "physics": 10, "pages": 6}
EPOCHS_AFTER = 5        # that a run must have when it has settled, or leaks
ALLOCATORS = {"": {}, "arenas1": {"MALLOC_ARENA_MAX": "1"}, "arenas2": {"MALLOC_ARENA_MAX": "2"},
              "trim": {"MALLOC_TRIM_THRESHOLD_": "65536"}, "mmap": {"MALLOC_MMAP_THRESHOLD_": "65536"},
              "jemalloc": {"LD_PRELOAD": "libjemalloc.so.2"}}
INTERVAL_MS = 100
EPOCHS_LEAST = 8        # of a run that is worth keeping
RUN_MOST_S = 45
HEAD = ["trace", "series", "family", "class", "growing", "rate_bytes_per_epoch", "share_percent", "epochs", "start", "settled",
        "kind", "level_bytes", "allocator", "late", "busy", "sealed"]


@dataclass
class Plan:
    number: str
    family: str
    seed: int
    epochs: int
    epoch_s: float
    leak_kib: float     # 0: keeps nothing
    kind: str
    start: int
    allocator: str
    late: int           # epochs that are over when memwatch comes; 0: it starts the program
    busy: bool

    @property
    def name(self):
        return "%s_%s_%s" % (self.number, self.family, "leak" if self.leak_kib else "plain")

    @property
    def rate_bytes(self):
        """What is kept comes in whole pieces."""
        size, zoo = int(self.leak_kib * 1024), self.family in ZOO_LEVELS
        if zoo or self.kind not in PIECES:
            return size * (ZOO_SMALL if zoo and self.kind == "small" else 1)
        piece = min(size, PIECES[self.kind])
        return max(1, size // PIECES[self.kind]) * piece


def kinds_of(family):
    return ZOO_KINDS if family in ZOO_LEVELS else COMPILED_KINDS if family in COMPILED else KINDS


def draw(seed, number, levels, pace):
    lot = random.Random("memwatch recordings %d %d" % (seed, number))
    family = lot.choice(sorted(levels))
    epochs = lot.randint(15, 45)
    share = math.exp(lot.uniform(math.log(0.0005), math.log(0.03)))
    leaks, late, starts = lot.random() < 0.5, lot.random() < 0.15, lot.random() < 0.2
    return Plan("%d%03d" % (seed, number), family, lot.randrange(10 ** 6), epochs, lot.uniform(*pace),
                round(share * levels[family] * 1024, 1) if leaks else 0, lot.choice(kinds_of(family)),
                lot.randint(3, epochs // 2) if starts else 0,
                lot.choice(["", "", "", "", "", "arenas1", "arenas2", "trim", "mmap", "jemalloc"]),
                lot.randint(2, 6) if late else 0, lot.random() < 0.15)


def command_of(plan, args, scratch):
    if plan.family in COMPILED:
        return [os.path.join(scratch, plan.family), str(plan.seed), str(plan.epochs), str(plan.leak_kib), plan.kind,
                str(plan.start), str(int(1000 * plan.epoch_s))]
    zoo = plan.family in ZOO_LEVELS
    script = [args.zoo, plan.family] if zoo else [os.path.join(PROGRAMS, plan.family + ".py")]
    return [args.python, os.path.join(PROGRAMS, "paced.py"), "%.2f" % plan.epoch_s, *script, str(plan.seed), "--epochs",
            str(plan.epochs), "--leak" if zoo else "--keep", str(plan.leak_kib), "--kind", plan.kind, "--start", str(plan.start)]


def compile_program(family, scratch):
    source = os.path.join(PROGRAMS, COMPILED[family])
    compiler = "c++" if source.endswith(".cpp") else "cc"
    subprocess.run([compiler, "-O1", "-pthread", "-o", os.path.join(scratch, family), source, "-lm"], check=True)


def environment(plan):
    env = dict(os.environ, OMP_NUM_THREADS="1", PYTHONUNBUFFERED="1", TF_CPP_MIN_LOG_LEVEL="2")
    env.update(ALLOCATORS[plan.allocator])
    return env


def epochs_in(path):
    with open(path, errors="replace") as f:
        return len(re.findall(r"(?:poch|Generation|Round)\W{0,3}\d+", f.read()))


def stopped_late(process, most_s):
    """A run that takes too long ends early; what was recorded of it stays."""
    try:
        process.wait(most_s)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()


def started_by_memwatch(plan, args, command, trace, log):
    watch = [args.memwatch, "-q", "-i", "%dms" % INTERVAL_MS, "-o", trace, "--force"]
    with open(log, "wb") as out:
        stopped_late(subprocess.Popen([*watch, "--", *command], stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                      env=environment(plan), start_new_session=True), args.most_s)


def attached_late(plan, args, command, trace, log):
    watch = [args.memwatch, "-q", "-i", "%dms" % INTERVAL_MS, "-o", trace, "--force"]
    with open(log, "wb") as out:
        training = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=environment(plan),
                                    start_new_session=True)
    while training.poll() is None and epochs_in(log) < plan.late:
        time.sleep(0.05)
    watcher = subprocess.Popen([*watch, "--pid", str(training.pid)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    stopped_late(training, args.most_s)
    watcher.wait()


def burn():
    """A neighbour that takes a processor, three seconds of every five."""
    return subprocess.Popen([sys.executable, "-c", "import time\nwhile True:\n e = time.time() + 3\n"
                             " while time.time() < e: pass\n time.sleep(2)"])


def record(plan, args, trace, scratch):
    neighbour = burn() if plan.busy and os.getloadavg()[0] < (os.cpu_count() or 1) else None    # or it is busy already
    way = attached_late if plan.late else started_by_memwatch
    try:
        way(plan, args, command_of(plan, args, scratch), trace, os.path.join(scratch, "output"))
    finally:
        if neighbour:
            neighbour.kill()
            neighbour.wait()


def facts_of(trace):
    """-> (epochs seen, median of what is held while they run)"""
    with open(trace, newline="") as f:
        rows = [(int(r["epoch"]), int(r["held_bytes"])) for r in csv.DictReader(f) if r["epoch"] and r["held_bytes"]]
    held = sorted(h for e, h in rows if e > rows[0][0])
    return (rows[-1][0], held[len(held) // 2]) if held else (0, 0)


def truth_of(plan, epochs):
    """-> (class, growing)"""
    if plan.leak_kib and epochs - max(plan.start, plan.late) >= EPOCHS_AFTER:
        return "growth", "yes"
    if plan.leak_kib or epochs < FULL_BY.get(plan.family, 0) + EPOCHS_AFTER:
        return "undetermined", ""
    return "flat|reservation|warmup|cyclic", "no"


def label_of(plan, epochs, level):
    leaks = plan.leak_kib > 0
    return [plan.name, "host", plan.family, *truth_of(plan, epochs), "%.0f" % plan.rate_bytes if leaks else "",
            "%.4f" % (100 * plan.rate_bytes / level) if leaks else "", epochs, plan.start, FULL_BY.get(plan.family, 0),
            plan.kind if leaks else "", level, plan.allocator or "glibc", plan.late, int(plan.busy), int(corpus.is_sealed(plan.family))]


def write_label(folder, row):
    path = os.path.join(folder, "labels.csv")
    begun = os.path.exists(path)
    with open(path, "a", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        if not begun:
            out.writerow(HEAD)
        out.writerow(row)


def numbers_in(folders, *files):
    numbers = set()
    for path in (os.path.join(folder, name) for folder in folders for name in files):
        if os.path.exists(path):
            with open(path, newline="") as f:
                numbers |= {r[0].split("_")[0] for r in csv.reader(f) if r and r[0][:1].isdigit()}
    return numbers


def options():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--seed", type=int, default=18)
    p.add_argument("--count", type=int, default=200, help="runs of use to end with")
    p.add_argument("--memwatch", default="./memwatch")
    p.add_argument("--python", default=sys.executable, help="an interpreter that has the frameworks")
    p.add_argument("--zoo", help="a script that takes FAMILY SEED --epochs --leak --kind --start")
    p.add_argument("--into", required=True)
    p.add_argument("--sealed-into", help="default: as --into")
    p.add_argument("--lane", default="0/1", help="I/N: every N-th of the list, from the I-th on")
    p.add_argument("--only", default="", metavar="REGEX", help="draw from these families")
    p.add_argument("--most-s", type=int, default=RUN_MOST_S, help="a run that takes longer ends early")
    p.add_argument("--pace", nargs=2, type=float, default=(0.25, 0.6), metavar="S", help="epochs take so many seconds at least: the lot's bounds")
    p.add_argument("--list", action="store_true", help="print the list, record nothing")
    return p.parse_args()


def main():
    args = options()
    lane, lanes = map(int, args.lane.split("/"))
    levels = {f: mib for f, mib in [*LEVELS.items(), *(ZOO_LEVELS if args.zoo else {}).items()] if re.search(args.only, f)}
    if args.list:
        for number in range(args.count):
            print(draw(args.seed, number, levels, args.pace))
        return
    sealed_into = args.sealed_into or args.into
    for folder in (args.into, sealed_into):
        os.makedirs(folder, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        for family in sorted(COMPILED.keys() & levels.keys()):
            compile_program(family, scratch)
        os.environ["TMPDIR"] = scratch
        for number in itertools.count(lane, lanes):
            if len(numbers_in([args.into, sealed_into], "labels.csv")) >= args.count:
                return
            plan = draw(args.seed, number, levels, args.pace)
            folder = sealed_into if corpus.is_sealed(plan.family) else args.into
            if plan.number in numbers_in([folder], "labels.csv", "unused.csv"):
                continue
            trace = os.path.join(scratch, plan.name + ".csv")
            begun = time.monotonic()
            record(plan, args, trace, scratch)
            epochs, level = facts_of(trace) if os.path.exists(trace) else (0, 0)
            epochs = min(epochs, plan.epochs)       # a summary at the end may be taken for more of them
            print("%s: %d epochs, %.0f s" % (plan.name, epochs, time.monotonic() - begun), flush=True)
            if epochs < EPOCHS_LEAST:
                with open(os.path.join(folder, "unused.csv"), "a") as f:
                    f.write("%s,%d\n" % (plan.name, epochs))
                continue
            os.replace(trace, os.path.join(folder, plan.name + ".csv")) if os.stat(trace).st_dev == os.stat(folder).st_dev else \
                subprocess.run(["mv", trace, os.path.join(folder, plan.name + ".csv")], check=True)
            write_label(folder, label_of(plan, epochs, level))


if __name__ == "__main__":
    main()
