#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
load helper
load fake_gpu

@test "no driver: says so, status 0" {
	export MEMWATCH_NVML=$PWD/none.so
	run --separate-stderr "$MEMWATCH" gpus
	[ "$status" -eq 0 ]
	[[ "$output" == "memwatch "*" on Linux "* ]]
	[[ "$output" == *"nvml: $PWD/none.so: cannot open shared object file"* ]]
	[[ "$output" == *"no GPU" ]]
	run --separate-stderr "$MEMWATCH" gpus -q --json
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	python3 -c 'import json, sys; d = json.load(sys.stdin); assert d["devices"] == [] and len(d["backends"]) == 3' <<<"$output"
}

@test "calls, entry size, device and first error, as text" {
	[ "$(readlink /proc/self/ns/pid)" = 'pid:[4026531836]' ] || skip "a container: its namespace is in the text"
	scenario r535.54 <<-END
		driver 535.54.03
		gpu 0 25769803776 GPU-1234 Fake A
		at 0 0 4242 1073741824 C
		err GetGraphicsRunningProcesses 1 9 999
		err GetHandleByIndex 1 9 4 1
		gpu 1 25769803776 GPU-5678 Fake B
	END
	run --separate-stderr "$MEMWATCH" gpus -q
	[ "$status" -eq 0 ]
	diff - <(tail -n +2 <<<"$output" | grep -v '^drm\|^kfd') <<-END
		nvml:
		  library           $MEMWATCH_NVML
		  driver            535.54.03
		  compute list      nvmlDeviceGetComputeRunningProcesses_v2
		  graphics list     nvmlDeviceGetGraphicsRunningProcesses_v2
		  mps list          nvmlDeviceGetMPSComputeRunningProcesses_v2
		  entry bytes       24
		  memory call       nvmlDeviceGetMemoryInfo_v2
		  pid namespace     initial
		  dropped entries   0
		  first error       nvmlDeviceGetHandleByIndex_v2: 4 (Insufficient Permissions)
		GPU 0: Fake A
		  memory            24.0 GiB, 1.00 GiB in use
		  figures           exact
		  uuid              GPU-1234
		  pci               0000:01:00.0
	END
}

@test "the same as JSON, numbers as numbers" {
	scenario r440 <<-END
		driver 570.124.06
		gpu 0 24000 GPU-1234 Fake "A"
		at 0 0 4242 1000 C
	END
	"$MEMWATCH" gpus --json >out.json
	python3 - out.json <<-'END'
		import json, sys
		d = json.load(open(sys.argv[1]))
		nvml = d["backends"][0]
		assert nvml["name"] == "nvml" and nvml["why"] is None and nvml["driver"] == "570.124.06", nvml
		assert nvml["compute_list"] == "nvmlDeviceGetComputeRunningProcesses" and nvml["mps_list"] is None, nvml
		assert nvml["entry_bytes"] == 16 and nvml["first_error"] is None and nvml["dropped_entries"] == 0, nvml
		assert d["devices"] == [{"index": 0, "mig": None, "name": 'Fake "A"', "uuid": "GPU-1234", "pci": "0000:01:00.0",
			"total_bytes": 24000, "used_bytes": 1000, "processes": 1, "basis": "exact"}], d["devices"]
	END
}

@test "a driver upgraded without a reboot is named as that" {
	scenario r550 <<-END
		gpu 0 24000 GPU-a Fake A
		err Init 1 9 18
	END
	run "$MEMWATCH" gpus
	[ "$status" -eq 0 ]
	[[ "$output" == *"upgraded without a reboot"* ]]
}

@test "takes no argument" {
	run --separate-stderr "$MEMWATCH" gpus all
	[ "$status" -eq 125 ]
	says "memwatch: gpus: 'all': takes no argument (see memwatch --help)"
}
