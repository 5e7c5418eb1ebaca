# SPDX-License-Identifier: MIT
"""usage: pool.py torch|none: a program that uses a GPU, with a stand-in for the part of PyTorch that is asked for its counters."""
import os
import sys
import types

sys.dont_write_bytecode = True
from pace import epoch_ends

if sys.argv[1] == "torch":
    torch, cuda = types.ModuleType("torch"), types.ModuleType("torch.cuda")
    cuda.is_initialized = lambda: True
    cuda.device_count = lambda: 1
    cuda.memory_allocated = lambda device: 4402341478
    cuda.memory_reserved = lambda device: 23622320128
    torch.cuda = cuda
    sys.modules.update({"torch": torch, "torch.cuda": cuda})
with open("model", "w", encoding="ascii") as file:
    file.write("%d\n" % os.getpid())
for epoch in range(12):
    epoch_ends(epoch + 1, 12, 20)
