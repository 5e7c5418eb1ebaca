# SPDX-License-Identifier: MIT
"""What `memwatch --explain` puts into a Python program: the thread of thread.py, which stands before this in one file.

Python imports it at its start from the private folder that comes first in PYTHONPATH. It takes that folder out of
sys.path again and imports the sitecustomize that it hides: none, if there is none, with the exception that says so.
Runs in any Python.
"""
import sys


def _forget(folder, cached):
    """Leaves no trace of the folder but the variable, which the program's own Python processes need."""
    sys.path[:] = [entry for entry in sys.path if entry != folder]
    sys.path_importer_cache.pop(folder, None)
    if getattr(sys, "pycache_prefix", None) and cached:
        import os

        try:
            os.unlink(cached)
            os.rmdir(os.path.dirname(cached))
        except OSError:
            pass


def _folder():
    return __file__.rpartition("/")[0]


def _agent(path=_folder() + "/agent.py"):
    with open(path, "rb") as source:
        return source.read()


try:
    if _can_be_asked():  # noqa: F821
        _begin(_folder(), _agent)
except BaseException:  # whatever it is, the program must not see it
    pass
_forget(_folder(), globals().get("__cached__"))
del sys.modules["sitecustomize"]
import sitecustomize  # noqa: E402,F401
