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

# standin KIND: what is answered of a program with stand-ins for that framework.
standin() {
	put_agent
	run python3 "$ROOT/tests/explain/standins.py" agent.py "$1"
	echo "$output"
	[ "$status" -eq 0 ]
}

@test "tensors on GPUs are named by device, and PyTorch's counters are those of each" {
	standin torch
	[[ "$output" == *"name|Callback.kept|list|Tensor|float32 50000|cuda:0|4|400000|0|0|"* ]]
	[[ "$output" == *"name|Callback.kept|list|Tensor|float32 50000|cuda:1|4|400000|0|0|"* ]]
	[[ "$output" == *"name|Callback.hidden|object|Tensor|float32 150000|cuda:1|0|400000|0|0|"* ]]
	[[ "$output" == *"name|Callback.loss|graph|Tensor||||0|0|1|10|"* || "$output" == *"name|Callback.loss|graph|Tensor|||0|0|1|10|"* ]]
	[[ "$output" == *"pool|PyTorch|cuda:0|1073741824|8589934592"* ]]
	[[ "$output" == *"pool|PyTorch|cuda:1|2147483648|8589934592"* ]]
}

@test "a graph of more nodes than are counted is known by what is new in it" {
	standin torch-long
	[[ "$output" == *"name|Callback.loss|graph|Tensor|||0|0|1|10|"* ]]
}

@test "TensorFlow's and JAX's counters" {
	standin tensorflow
	[ "$output" = "pool|TensorFlow|gpu:0|1073741824|-1
pool|TensorFlow|gpu:1|1073741824|-1
['tensorflow']" ]
	standin jax
	[ "$output" = "pool|JAX|gpu:0|1073741824|3221225472
['jax']" ]
}

@test "a framework that has no GPU in use, fails, or is not loaded has no counters, and none is imported" {
	local kind
	for kind in torch tensorflow jax; do
		standin "$kind-unused"
		[ "$output" = "['$kind']" ]
		standin "$kind-fails"
		[ "$output" = "['$kind']" ]
	done
	standin none
	[ "$output" = "[]" ]
}
