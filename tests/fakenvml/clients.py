#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shows one scenario of the fake driver to real clients of NVML and to memwatch: all must read the same numbers.
Usage: clients.py CLIENT VARIANT, from the project's root, under the Python that has the clients; 77 when it has not."""
import csv
import importlib.util
import json
import os
import subprocess
import sys
import tempfile

MIB = 1 << 20
CODE = {
    "nvidia-ml-py": """
import json, pynvml
pynvml.nvmlInit()
out = []
for i in range(pynvml.nvmlDeviceGetCount()):
    d = pynvml.nvmlDeviceGetHandleByIndex(i)
    for p in pynvml.nvmlDeviceGetComputeRunningProcesses(d):
        out.append([i, p.pid, p.usedGpuMemory])
    for p in pynvml.nvmlDeviceGetGraphicsRunningProcesses(d):
        out.append([i, p.pid, p.usedGpuMemory])
    m = pynvml.nvmlDeviceGetMemoryInfo(d)
    out.append([i, "total", m.total])
    out.append([i, "used", m.used])
    out.append([i, "name", pynvml.nvmlDeviceGetName(d)])
    out.append([i, "uuid", pynvml.nvmlDeviceGetUUID(d)])
print(json.dumps(out))
""",
    "nvitop": """
import json, nvitop
out = []
for i, d in enumerate(nvitop.Device.all()):
    for pid, p in d.processes().items():
        out.append([i, pid, p.gpu_memory()])
    out += [[i, "total", d.memory_total()], [i, "used", d.memory_used()], [i, "name", d.name()], [i, "uuid", d.uuid()]]
print(json.dumps(out))
""",
}
MODULE = {"nvidia-ml-py": "pynvml", "nvitop": "nvitop", "gpustat": "gpustat"}


def environment(variant, scenario):
    folder = os.path.abspath(f"build/fakenvml/{variant}")
    return dict(os.environ, LD_LIBRARY_PATH=folder, FAKENVML=scenario, MEMWATCH_NVML=f"{folder}/libnvidia-ml.so.1")


def from_python(client, env):
    got = subprocess.run([sys.executable, "-c", CODE[client]], env=env, check=True, stdout=subprocess.PIPE)
    return {(i, key): value for i, key, value in json.loads(got.stdout)}


def from_gpustat(env):
    got = subprocess.run([sys.executable, "-m", "gpustat", "--json"], env=env, check=True, stdout=subprocess.PIPE)
    out = {}
    for gpu in json.loads(got.stdout)["gpus"]:
        i = gpu["index"]
        out.update({(i, "total"): gpu["memory.total"] * MIB, (i, "used"): gpu["memory.used"] * MIB, (i, "name"): gpu["name"],
                    (i, "uuid"): gpu["uuid"]})
        out.update({(i, p["pid"]): p["gpu_memory_usage"] * MIB for p in gpu["processes"]})
    return out


def watched_alone(memwatch, pid, env):
    """What memwatch finds for one process on each device: the first row that tells of all."""
    watcher = subprocess.Popen([memwatch, "-q", "--no-children", "-i", "50ms", "--gpu-interval", "100ms", "-o", "-", "--pid", str(pid)],
                               env=env, stdout=subprocess.PIPE, text=True)
    try:
        for row in csv.DictReader(watcher.stdout):
            cells = {int(name[3:].split("_")[0]): cell for name, cell in row.items()
                     if name.startswith("gpu") and not name.endswith("total_bytes")}
            if all(cells.values()):
                return {gpu: int(cell) for gpu, cell in cells.items()}
        return {}
    finally:
        watcher.terminate()
        watcher.communicate()


def from_memwatch(env, pids):
    memwatch = os.environ.get("MEMWATCH", "./memwatch")
    got = subprocess.run([memwatch, "gpus", "--json"], env=env, check=True, stdout=subprocess.PIPE)
    out = {}
    for d in json.loads(got.stdout)["devices"]:
        i = d["index"]
        out.update({(i, "total"): d["total_bytes"], (i, "used"): d["used_bytes"], (i, "name"): d["name"], (i, "uuid"): d["uuid"]})
    for pid in pids:
        out.update({(i, pid): v for i, v in watched_alone(memwatch, pid, env).items() if v})
    return out


def write_scenario(f, pids):
    f.write(f"""driver 570.124.06
gpu 0 {24 * 1024 * MIB} GPU-11111111-2222-3333-4444-555555555555 Fake GPU A
gpu 1 {80 * 1024 * MIB} GPU-66666666-7777-8888-9999-aaaaaaaaaaaa Fake GPU B
at 0 0 {pids[0]} {500 * MIB} C
at 0 0 {pids[1]} {1500 * MIB} C
at 0 0 {pids[2]} {20 * MIB} G
at 0 1 {pids[1]} {40960 * MIB} C
used 0 0 {2100 * MIB}
used 0 1 {41000 * MIB}
""")
    f.flush()
    return {(0, pids[0]): 500 * MIB, (0, pids[1]): 1500 * MIB, (0, pids[2]): 20 * MIB, (1, pids[1]): 40960 * MIB,
            (0, "total"): 24 * 1024 * MIB, (1, "total"): 80 * 1024 * MIB, (0, "used"): 2100 * MIB, (1, "used"): 41000 * MIB,
            (0, "name"): "Fake GPU A", (1, "name"): "Fake GPU B",
            (0, "uuid"): "GPU-11111111-2222-3333-4444-555555555555", (1, "uuid"): "GPU-66666666-7777-8888-9999-aaaaaaaaaaaa"}


def main():
    client, variant = sys.argv[1:]
    if client != "memwatch" and not importlib.util.find_spec(MODULE[client]):
        print(f"{client} is not installed: PyPI cannot be reached")
        return 77
    sleepers = [subprocess.Popen(["sleep", "600"]) for _ in range(3)]
    try:
        with tempfile.NamedTemporaryFile("w") as f:
            pids = [p.pid for p in sleepers]
            expected = write_scenario(f, pids)
            env = environment(variant, f.name)
            if client == "memwatch":
                got = from_memwatch(env, pids)
            elif client == "gpustat":
                got = from_gpustat(env)
            else:
                got = from_python(client, env)
    finally:
        for p in sleepers:
            p.kill()
    for key in sorted(set(expected) | set(got), key=str):
        if expected.get(key) != got.get(key):
            print(f"{client} on {variant}: {key}: {got.get(key)}, should be {expected.get(key)}")
    return expected != got


if __name__ == "__main__":
    sys.exit(main())
