#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Every log of tests/fixtures/logs, damaged in every way that logs are: one line says what is wrong, and what is left has its values.
load helper

setup()
{
	cd "$BATS_TEST_TMPDIR" || return 1
	cat >damage.py <<'PYTHON'
import glob, os, re, subprocess, sys

memwatch, logdump, logs, kind = sys.argv[1:]


def damaged(text):
    lines = text.split(b"\n")
    half = len(lines) // 2
    spoken = [b"Epoch 1/10 - loss: 0.5", b"  50%|#####     | 5/10 [00:01<00:01,  3.2it/s]"]
    return {
        "cut": text[:-5],
        "half": text[: len(text) // 2],
        "mixed": b"\n".join(lines[:half] + spoken + lines[half:]),
        "first": b"\n".join(spoken + lines),
        "nul": b"\n".join(lines[:half]) + b"\n" + b"\0" * 100 + b"\n".join(lines[half:]),
        "comma": re.sub(rb"(\d)\.(\d)", rb"\1,\2", text),
        "crlf": text.replace(b"\n", b"\r\n"),
        "bom": b"\xef\xbb\xbf" + text,
        "wide": text.decode().encode("utf-16"),
    }[kind]


def samples(path):
    """Seconds, series and bytes of each sample; the first line, which names the tool, is left out."""
    done = subprocess.run([logdump, path], capture_output=True, text=True)
    return [row.split() for row in done.stdout.splitlines()[1:]]


def values_hold(name, before, after):
    """Whole in spite of it, or some rows less; the row at a cut may be the sum of fewer processes."""
    if kind in ("mixed", "first", "crlf", "bom") or (kind == "comma" and not name.endswith(".csv")):
        return after == before
    if kind == "comma":
        return after in (before, [])
    if kind in ("cut", "half"):
        return all(a == b or (i == len(after) - 1 and int(a[2]) < int(b[2])) for i, (a, b) in enumerate(zip(after, before)))
    return len(before) - len(after) <= max(2, len(before) // 4) or name.startswith(("nvidia", "docker", "pidstat_r_h_e"))


failed = 0
for path in sorted(glob.glob(logs + "/*")):
    name = os.path.basename(path)
    if name == "README.md":
        continue
    text = damaged(open(path, "rb").read())
    with open(name, "wb") as out:
        out.write(text)
    done = subprocess.run([memwatch, "report", name], capture_output=True, text=True)
    said = done.stderr.splitlines()
    whole = subprocess.run([memwatch, "report", path], capture_output=True, text=True).stderr
    right = done.returncode in (0, 125) and len(said) <= 1 and all(line.startswith(f"memwatch: {name}: ") for line in said)
    unread = kind == "mixed" and name == "pidstat_u_r.txt"  # the words stand in its table of processors, which nobody reads
    right = right and (len(said) == 1 or kind in ("crlf", "bom", "comma") or unread or (kind == "half" and text.endswith(b"\n")))
    right = right and (done.returncode == 0 or len(said) == 1)
    if kind in ("crlf", "bom"):
        right = right and done.stderr == whole.replace(logs + "/", "")
    before = samples(path)
    if not right or (before and kind != "wide" and not values_hold(name, before, samples(name))):
        failed += 1
        print(name, done.returncode, said, len(before), len(samples(name)))
sys.exit(failed > 0)
PYTHON
}

damage()
{
	python3 damage.py "$MEMWATCH" "$ROOT/${BUILD:-build}/tests/logdump" "$ROOT/tests/fixtures/logs" "$1"
}

@test "cut off in its last line" {
	damage cut
}

@test "cut off in the middle" {
	damage half
}

@test "with the output of the program in its middle" {
	damage mixed
}

@test "with the output of the program before it" {
	damage first
}

@test "with NUL bytes, as after a crash" {
	damage nul
}

@test "of a locale that writes commas" {
	damage comma
}

@test "with the line ends of Windows" {
	damage crlf
}

@test "with a byte order mark" {
	damage bom
}

@test "in UTF-16" {
	damage wide
}
