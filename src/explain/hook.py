# SPDX-License-Identifier: MIT
"""What `memwatch hook` prints for a script to run, after thread.py and the source of agent/ as _SOURCE: the thread, in the
folder of this user, where `memwatch --explain --pid` looks for it."""


def _hook():
    import os
    import stat

    explained = os.environ.get("PYTHONPATH", "").partition(":")[0]
    if not _can_be_asked():  # noqa: F821
        return
    if os.path.exists("%s/ask-%d" % (explained, os.getpid())):  # --explain has started it already
        return
    folder = "/tmp/memwatch-%d" % os.geteuid()
    try:
        os.mkdir(folder, 0o700)
    except FileExistsError:
        pass
    found = os.lstat(folder)
    if stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o077:
        _begin(folder, lambda: _SOURCE)  # noqa: F821


try:
    _hook()
except BaseException:  # whatever it is, the program must not see it
    pass
