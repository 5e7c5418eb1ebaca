# SPDX-License-Identifier: MIT
"""Prints what a program can see of its interpreter: the same with and without --explain."""
import os
import signal
import sys
import threading

print("argv", sys.argv, __name__, __spec__ and __spec__.name)
print("path", sys.path)
print("sitecustomize", "sitecustomize" in sys.modules, getattr(sys.modules.get("sitecustomize"), "__file__", None))
print("usercustomize", "usercustomize" in sys.modules)
print("marks", getattr(sys, "marks", None))
print("caches", sorted(p for p in sys.path_importer_cache if "memwatch" in p))
print("threads", [t.name for t in threading.enumerate()], threading.active_count())
print("descriptors", len(os.listdir("/proc/self/fd")))
print("signals", signal.pthread_sigmask(signal.SIG_BLOCK, []), signal.getsignal(signal.SIGINT))
print("modules", sorted(m for m in sys.modules if not m.startswith("encodings")))
print("prefix", sys.prefix, sys.executable, sys.flags)
print("variables", sorted(k for k in os.environ if not k.startswith("MEMWATCH_") and k != "PYTHONPATH"))
