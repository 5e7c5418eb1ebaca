#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The fake driver is worth only as much as its likeness: programs made for the real one read the same numbers from it as
# memwatch does, and memwatch's declarations of NVML agree with NVIDIA's header.
load helper

setup()
{
	cd "$ROOT" || return 1
	PYTHON=build/venv/bin/python
}

# reads CLIENT VARIANT
reads()
{
	[ "$1" = memwatch ] && PYTHON=$(command -v python3)
	[ -x "$PYTHON" ] || skip "PyPI could not be reached"
	run "$PYTHON" tests/fakenvml/clients.py "$@"
	echo "$output"
	[ "$status" -ne 77 ] || skip "$output"
	[ "$status" -eq 0 ]
}

# nvidia-ml-py and gpustat know the newest calls only; nvitop picks them as memwatch does, by what it finds.
@test "nvidia-ml-py, driver 550" { reads nvidia-ml-py r550; }
@test "gpustat, driver 550" { reads gpustat r550; }
@test "nvitop, driver 550" { reads nvitop r550; }
@test "nvitop, driver 535.98" { reads nvitop r535.98; }
@test "nvitop, driver 535.54" { reads nvitop r535.54; }
@test "nvitop, driver 470" { reads nvitop r470; }
@test "memwatch, driver 550" { reads memwatch r550; }
@test "memwatch, driver 535.98" { reads memwatch r535.98; }
@test "memwatch, driver 535.54" { reads memwatch r535.54; }
@test "memwatch, driver 470" { reads memwatch r470; }
@test "memwatch, driver 440" { reads memwatch r440; }

@test "own declarations agree with NVIDIA's header" {
	local header headers
	mapfile -t headers < <(find build/venv/ -path '*/include/nvml.h' 2>/dev/null)
	[ "${#headers[@]}" -gt 0 ] || skip "no nvml.h: PyPI's nvidia-nvml-dev could not be had"
	for header in "${headers[@]}"; do
		"${CC:-cc}" -std=c11 -Wall -Werror -fsyntax-only -I "$(dirname "$header")" tests/fakenvml/abi_check.c
	done
}

# A check that cannot fail proves nothing.
@test "a wrong declaration would be found" {
	local header
	header=$(find build/venv/ -path '*/include/nvml.h' 2>/dev/null | head -n 1)
	[ -n "$header" ] || skip "no nvml.h: PyPI's nvidia-nvml-dev could not be had"
	mkdir -p "$BATS_TEST_TMPDIR/tests/fakenvml" "$BATS_TEST_TMPDIR/src/gpu"
	cp tests/fakenvml/abi_check.c "$BATS_TEST_TMPDIR/tests/fakenvml"
	sed 's/NVML_GPU_IS_LOST = 15/NVML_GPU_IS_LOST = 14/' src/gpu/nvml_abi.h >"$BATS_TEST_TMPDIR/src/gpu/nvml_abi.h"
	run ! "${CC:-cc}" -std=c11 -fsyntax-only -I "$(dirname "$header")" "$BATS_TEST_TMPDIR/tests/fakenvml/abi_check.c"
}
