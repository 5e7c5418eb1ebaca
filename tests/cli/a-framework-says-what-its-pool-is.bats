#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# --explain and GPUs: what is reserved and not in use is the framework's pool. The driver and the framework are stand-ins.
load helper
load fake_gpu

export PACE=run.csv PYTHONDONTWRITEBYTECODE=1

pool() {
	scenario r550 <<-END
		gpu 0 25769803776 GPU-a Fake A
		at 1 0 @$PWD/model 24000000000 C
	END
	"$MEMWATCH" --explain -i 10ms --gpu-interval 100ms -o run.csv -r run.json --unbuffered never -- \
		python3 "$ROOT/tests/explain/pool.py" "$1" >out 2>words
}

@test "PyTorch's own counters stand below the GPU's verdict" {
	pool torch
	cat words
	grep -qx "  PyTorch on cuda:0: 22.0 GiB reserved, 4.10 GiB in use: the rest is the framework's pool, not a leak" words
	python3 - <<-'END'
		import json
		pool, = json.load(open("run.json"))["explain"]["pools"]
		assert pool == {"framework": "PyTorch", "device": "cuda:0", "used_bytes": 4402341478, "reserved_bytes": 23622320128}
	END
	run ! grep -E 'snapshots? of' words
}

@test "no framework, no counters" {
	pool none
	run ! grep -F "the framework's pool" words
}
