#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
load helper
load fake_gpu

@test "what the tree holds on each GPU, and what the device has" {
	scenario r550 <<-END
		gpu 0 24000000000 GPU-a Fake A
		gpu 1 12000000000 GPU-b Fake B
		at 1 0 @$PWD/context 500000000 C
		at 1 0 @$PWD/model 9000000000 C
		at 1 1 4194303 7000 C
	END
	"$MEMWATCH" -q -i 20ms --gpu-interval 100ms -o out.csv -- sh -c '. "$AWAIT"
		await grep -q ",0,24000000000," out.csv; echo $$ >context
		await grep -q ",500000000," out.csv; echo $$ >model
		await grep -q ",9000000000," out.csv'
	csv_is_whole out.csv
	[ "$(head -n 1 out.csv)" = "$(header_with gpu0_bytes,gpu0_total_bytes,gpu1_bytes,gpu1_total_bytes)" ]
	[ "$(cells out.csv gpu0_bytes)" = "0 500000000 9000000000" ]
	[ "$(cells out.csv gpu0_total_bytes)" = 24000000000 ]
	[ "$(cells out.csv gpu1_bytes)" = 0 ]
	[ "$(cells out.csv gpu1_total_bytes)" = 12000000000 ]
}

@test "a child's memory counts" {
	scenario r470 <<-END
		gpu 0 24000 GPU-a Fake A
		at 1 0 @$PWD/parent 10 C
		at 1 0 @$PWD/child 500 C
	END
	"$MEMWATCH" -q -i 20ms --gpu-interval 100ms -o out.csv -- \
		sh -c '. "$AWAIT"; echo $$ >parent; sleep 100 & echo $! >child; await grep -q ,510, out.csv; kill $!'
	[[ " $(cells out.csv gpu0_bytes) " == *" 510 "* ]]
}

@test "a GPU lost in mid-run: its cells stay empty, the other goes on, the host never notices" {
	scenario r550 <<-END
		gpu 0 24000 GPU-a Fake A
		gpu 1 24000 GPU-b Fake B
		at 1 0 @$PWD/pid 500 C
		at 1 1 @$PWD/pid 600 C
		at 6 1 @$PWD/pid 700 C
		err GetComputeRunningProcesses 3 999 15 0
	END
	run --separate-stderr "$MEMWATCH" -i 20ms --gpu-interval 100ms -o out.csv -- \
		sh -c '. "$AWAIT"; echo $$ >pid; await grep -q ,700, out.csv; await_more_rows out.csv 10'
	[ "$status" -eq 0 ]
	[[ "$stderr" == *"GPU 0 is lost since "*": GPU is lost (15); its cells stay empty, the rest goes on"* ]]
	[ "$(grep -c 'GPU 0 is lost' <<<"$stderr")" -eq 1 ]
	[[ "$(cells out.csv gpu1_bytes)" == *700 ]]
	[[ "$(all_cells out.csv gpu0_bytes)" == *"- - - - - - - - - -" ]]
	[[ ! "$(cells out.csv rss_bytes)" =~ ^0?$ ]]
}

@test "not available is an empty cell, never 0 and never 2^64" {
	scenario r550 <<-END
		gpu 0 24000 GPU-a Fake A
		used 0 0 500
		at 1 0 @$PWD/pid na C
	END
	"$MEMWATCH" -i 20ms --gpu-interval 100ms -o out.csv -- \
		sh -c '. "$AWAIT"; echo $$ >pid; await grep -q "no figure" words; await_more_rows out.csv 10' 2>words
	grep -q "the driver gives no figure for a process" words
	[[ "$(all_cells out.csv gpu0_bytes)" != *18446744073709551615* ]]
	[[ "$(all_cells out.csv gpu0_bytes)" == *"- - - - - - - - - -" ]]
}

@test "MIG devices have columns of their own" {
	scenario r550 <<-END
		gpu 0 80000 GPU-a Fake A
		mig 0 0 40000 MIG-a
		mig 0 2 20000 MIG-c
		at 1 0.2 @$PWD/pid 500 C
	END
	"$MEMWATCH" -q -i 20ms --gpu-interval 100ms -o out.csv -- sh -c '. "$AWAIT"; echo $$ >pid; await grep -q ,500, out.csv'
	[[ "$(head -n 1 out.csv)" == *,gpu0_mig0_bytes,gpu0_mig0_total_bytes,gpu0_mig2_bytes,gpu0_mig2_total_bytes,* ]]
	[[ "$(cells out.csv gpu0_mig2_bytes)" == *500 ]]
	[ "$(cells out.csv gpu0_mig0_bytes)" = 0 ]
}

@test "what is still held after the end, and by whom" {
	scenario r550 <<-END
		gpu 0 24000000000 GPU-a Fake A
		at 1 0 +$PWD/dead 1048576 C
		at 1 0 @$PWD/daemon 2097152 C
	END
	run --separate-stderr "$MEMWATCH" -i 20ms --gpu-interval 100ms --fail-on retained -o out.csv -- sh -c '. "$AWAIT"
		echo $$ >dead; setsid sleep 60 >/dev/null 2>&1 & echo $! >daemon; await grep -q ,3145728, out.csv'
	kill "$(cat daemon)"
	[ "$status" -eq 3 ]
	[[ "$stderr" == *"1.00 MiB still held after the end by process $(cat dead) (gone)"* ]]
	[[ "$stderr" == *"2.00 MiB still held after the end by process $(cat daemon) (sleep)"* ]]
}

@test "--gpu none asks no driver" {
	scenario r550 <<-END
		gpu 0 24000 GPU-a Fake A
	END
	"$MEMWATCH" -q -i 20ms --gpu none -o out.csv -- sh -c "$AWAIT_ROWS" out.csv 3
	[ "$(head -n 1 out.csv)" = "$HEADER" ]
}

@test "--gpu takes indices and UUIDs" {
	scenario r550 <<-END
		gpu 0 24000 GPU-a Fake A
		gpu 1 24000 GPU-bbbb Fake B
		gpu 2 24000 GPU-c Fake C
	END
	"$MEMWATCH" -q -i 20ms --gpu 2,GPU-bb -o out.csv -- sh -c "$AWAIT_ROWS" out.csv 3
	[ "$(head -n 1 out.csv)" = "$(header_with gpu1_bytes,gpu1_total_bytes,gpu2_bytes,gpu2_total_bytes)" ]
}

@test "no driver: not a word, no column, the command's status" {
	unset MEMWATCH_NVML
	[ ! -e /usr/lib/x86_64-linux-gnu/libnvidia-ml.so.1 ] || skip "there is a driver here"
	run --separate-stderr "$MEMWATCH" -q -i 20ms -o out.csv -- sh -c 'exit 7'
	[ "$status" -eq 7 ]
	[ -z "$stderr" ]
	[ "$(head -n 1 out.csv)" = "$HEADER" ]
}

@test "a GPU that was asked for and is not there: nothing is started" {
	scenario r550 <<-END
		gpu 0 24000 GPU-a Fake A
	END
	run --separate-stderr "$MEMWATCH" --gpu 3 -- touch started
	[ "$status" -eq 125 ]
	says "memwatch: --gpu: 3: no GPU 3 here, only 0"
	export MEMWATCH_NVML=$PWD/nothing.so
	run --separate-stderr "$MEMWATCH" --gpu 0 -- touch started
	[ "$status" -eq 125 ]
	[[ "$stderr" == "memwatch: --gpu: 0: "*"nothing.so: cannot open shared object file"* ]]
	[ ! -e started ]
}

@test "64 GPUs with 512 processes each" {
	python3 - "$PWD/pid" >many <<-'END'
		import sys
		for g in range(64):
		    print(f"gpu {g} 85899345920 GPU-{g:04d} Big")
		    for p in range(511):
		        print(f"at 0 {g} {3000000 + p} 1000 C")
		    print(f"at 0 {g} @{sys.argv[1]} {(g + 1) * 1000000} C")
	END
	scenario r550 <many
	"$MEMWATCH" -q -i 50ms --gpu-interval 200ms -o out.csv -- \
		sh -c '. "$AWAIT"; echo $$ >pid; await grep -q ,64000000, out.csv'
	csv_is_whole out.csv
	[ "$(head -n 1 out.csv | tr , '\n' | grep -c '^gpu[0-9]*_bytes$')" -eq 64 ]
	[[ "$(cells out.csv gpu0_bytes)" == *1000000 ]]
	[[ "$(cells out.csv gpu63_bytes)" == *64000000 ]]
}

@test "how the program numbers its devices is said once" {
	scenario r550 <<-END
		gpu 0 24000000000 GPU-aaaa Fake
		gpu 1 24000000000 GPU-bbbb Fake
		at 1 0 @$PWD/pid 500000000 C
		at 1 1 @$PWD/pid 500000000 C
	END
	CUDA_VISIBLE_DEVICES=1,0 run --separate-stderr "$MEMWATCH" -i 20ms --gpu-interval 100ms -o out.csv -- \
		sh -c '. "$AWAIT"; echo $$ >pid; await grep -q ",500000000,.*,500000000," out.csv'
	[ "$(grep -c '^gpu[01]: ' <<<"$stderr")" -eq 2 ]
	[ "$(grep -c 'CUDA_VISIBLE_DEVICES=1,0: ' <<<"$stderr")" -eq 1 ]
}

@test "the report names the devices, and how the program numbers them" {
	scenario r550 <<-END
		gpu 0 24000000000 GPU-aaaa Fake
		gpu 1 24000000000 GPU-bbbb Fake
		at 1 1 @$PWD/pid 500000000 C
	END
	CUDA_VISIBLE_DEVICES=1 run --separate-stderr "$MEMWATCH" -i 20ms --gpu-interval 100ms -o out.csv -r out.json -- \
		sh -c '. "$AWAIT"; echo $$ >pid; await grep -q ,500000000, out.csv'
	[ "$status" -eq 0 ]
	[[ "$stderr" == *"gpu1: "*$'\n'"  on Fake, GPU-bbbb"$'\n'"  CUDA_VISIBLE_DEVICES=1: cuda:0 is GPU 1"* ]]
	python3 - out.json <<-'END'
		import json, sys
		d = json.load(open(sys.argv[1]))
		assert d["gpu_numbers"] == "CUDA_VISIBLE_DEVICES=1: cuda:0 is GPU 1", d
		assert d["gpus"][1] == {"series": "gpu1", "name": "Fake", "uuid": "GPU-bbbb", "pci": "0000:02:00.0",
			"total_bytes": 24000000000, "basis": "exact"}, d["gpus"]
	END
}
