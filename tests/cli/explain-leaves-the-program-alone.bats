#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What --explain puts into a Python program changes nothing of it: what it sees, prints, returns and starts.
load helper

EXPLAIN=$ROOT/tests/explain
export PYTHONDONTWRITEBYTECODE=1

# alike COMMAND...: bare and with --explain it prints the same on both streams and ends alike.
alike() {
	local bare=0 wrapped=0
	"$@" >bare.out 2>bare.err </dev/null || bare=$?
	"$MEMWATCH" -q --explain --unbuffered never -- "$@" >wrapped.out 2>wrapped.err </dev/null || wrapped=$?
	diff bare.out wrapped.out
	diff bare.err wrapped.err
	[ "$bare" -eq "$wrapped" ]
}

# reached COMMAND...: a Python of this run could be asked; "yes" or "no".
reached() {
	"$MEMWATCH" --explain -r run.json -- "$@" >out 2>words || true
	python3 -c 'import json; print("yes" if json.load(open("run.json"))["explain"]["reached"] else "no")'
}

@test "without --explain nothing is put into the command" {
	unset PYTHONPATH
	run "$MEMWATCH" -q -- python3 -c 'import os; print(os.environ.get("PYTHONPATH"), len(os.listdir("/proc/self/task")))'
	[ "$output" = "None 1" ]
}

@test "paths, modules, threads, descriptors and signals are as without it" {
	alike python3 "$EXPLAIN/state.py" one "two words"
}

@test "with an existing PYTHONPATH" {
	mkdir own
	echo 'print("own module")' >own/ownmodule.py
	PYTHONPATH=$PWD/own:/nowhere alike python3 "$EXPLAIN/state.py"
	PYTHONPATH=$PWD/own alike python3 -c 'import ownmodule, sys; print(sys.path)'
	PYTHONPATH="" alike python3 "$EXPLAIN/state.py"
}

@test "with a sitecustomize of one's own, which runs once and can be found" {
	mkdir own
	printf 'import sys\nsys.marks = getattr(sys, "marks", 0) + 1\nprint("custom", __name__, __file__)\n' >own/sitecustomize.py
	PYTHONPATH=$PWD/own alike python3 "$EXPLAIN/state.py"
	grep -q '^marks 1$' wrapped.out
	grep -q '^sitecustomize True' wrapped.out
}

@test "with a sitecustomize that fails" {
	mkdir own
	echo 'raise ValueError("broken")' >own/sitecustomize.py
	PYTHONPATH=$PWD/own alike python3 "$EXPLAIN/state.py"
	grep -q broken wrapped.err
	echo 'import no_such_module' >own/sitecustomize.py
	PYTHONPATH=$PWD/own alike python3 "$EXPLAIN/state.py"
}

@test "python -m, -c, standard input, a script with a first line, through a shell" {
	cp "$EXPLAIN/state.py" .
	alike python3 -m state one
	alike python3 -c 'import sys; print(sys.argv, sys.path)' one
	(echo '#!/usr/bin/env python3' && cat "$EXPLAIN/state.py") >script
	chmod +x script
	alike ./script one
	[ "$(reached ./script)" = yes ]
	# shellcheck disable=SC2016
	alike sh -c 'python3 "$0/state.py"; echo "status $?"' "$EXPLAIN"
	[ "$(reached sh -c 'python3 -c pass; true')" = yes ]
}

@test "in a virtual environment" {
	python3 -m venv --without-pip venv || skip "this Python has no venv"
	alike venv/bin/python "$EXPLAIN/state.py"
	[ "$(reached venv/bin/python -c pass)" = yes ]
}

@test "in a prefix of its own with a sitecustomize and a .pth file, as conda makes them" {
	python3 - <<-'END' || skip "this Python cannot be moved"
		import os, subprocess, sys, sysconfig
		library = sysconfig.get_path("stdlib")
		own = os.path.join(os.getcwd(), "prefix", "lib", os.path.basename(library))
		os.makedirs(os.path.join(own, "site-packages"))
		os.mkdir("prefix/bin")
		for name in os.listdir(library):
		    if name not in ("site-packages", "dist-packages", "sitecustomize.py", "__pycache__"):
		        os.symlink(os.path.join(library, name), os.path.join(own, name))
		with open(os.path.realpath(sys.executable), "rb") as binary, open("prefix/bin/python", "wb") as copy:
		    copy.write(binary.read())
		os.chmod("prefix/bin/python", 0o755)
		with open(os.path.join(own, "site-packages", "sitecustomize.py"), "w") as custom:
		    custom.write("import sys\nsys.marks = getattr(sys, 'marks', 0) + 1\n")
		with open(os.path.join(own, "site-packages", "own.pth"), "w") as path:
		    path.write("import sys; sys.marks = getattr(sys, 'marks', 0) + 10\n")
		said = subprocess.run(["prefix/bin/python", "-c", "import sys; print(sys.prefix, sys.marks)"], stdout=subprocess.PIPE, text=True)
		sys.exit(said.stdout.split() != [os.path.join(os.getcwd(), "prefix"), "11"])
	END
	alike prefix/bin/python "$EXPLAIN/state.py"
	grep -q '^marks 11$' wrapped.out
	[ "$(reached prefix/bin/python -c pass)" = yes ]
	mkdir own
	PYTHONPATH=$PWD/own PYTHONUSERBASE=$PWD/user alike prefix/bin/python "$EXPLAIN/state.py"
}

@test "with the lines of memwatch hook, with and without memwatch" {
	printf '%s\n' 'import subprocess' 'exec(subprocess.run("memwatch hook", shell=True, capture_output=True).stdout, {})' >lines.py
	cat lines.py "$EXPLAIN/state.py" >hooked.py
	sed 1,2d hooked.py >bare.py
	python3 bare.py | grep -v '^argv' >bare
	python3 hooked.py | grep -v '^argv' >without
	PATH=$(dirname "$MEMWATCH"):$PATH python3 hooked.py | grep -v '^argv' >with
	diff <(grep -v '^modules' bare) <(grep -v '^modules' without)
	diff <(grep -v '^modules' bare) <(grep -v '^modules' with)
	# With --explain there is one thread, not two.
	echo 'import os; print(len(os.listdir("/proc/self/task")))' >>lines.py
	PATH=$(dirname "$MEMWATCH"):$PATH run "$MEMWATCH" -q --explain -- python3 lines.py
	[ "$output" = 2 ]
}

@test "nothing of the program is held after a snapshot, nor when it ends in the middle of one" {
	put_agent
	run python3 "$EXPLAIN/held.py" agent.py
	[ "$status" -eq 0 ]
	[ "$output" = "let go
freed" ]
}

@test "statuses, exceptions and signals" {
	alike python3 -c 'import sys; sys.exit(7)'
	alike python3 -c 'raise KeyError("lost")'
	run "$MEMWATCH" -q --explain -- python3 -c 'import os, signal; os.kill(os.getpid(), signal.SIGKILL)'
	[ "$status" -eq 137 ]
	# A handler runs in the main thread, which is woken by it.
	alike python3 -c '
import os, signal, threading
signal.signal(signal.SIGUSR1, lambda *a: print("handled in", threading.current_thread().name))
os.kill(os.getpid(), signal.SIGUSR1)
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2])
os.kill(os.getpid(), signal.SIGUSR2)
print(signal.sigwait([signal.SIGUSR2]), signal.sigpending())'
}

@test "forked children have no thread, and forking gives no warning" {
	alike python3 -W error -c '
import os
for i in range(20):
    pid = os.fork()
    if pid == 0:
        os._exit(len(os.listdir("/proc/self/task")))
    assert os.waitpid(pid, 0)[1] == 256
print("forked")'
}

@test "workers that are forked and spawned" {
	cat >workers.py <<-'END'
		import multiprocessing, sys

		def square(x):
		    return x * x

		if __name__ == "__main__":
		    with multiprocessing.get_context(sys.argv[1]).Pool(2) as pool:
		        print(pool.map(square, range(10)))
	END
	alike python3 workers.py fork
	alike python3 workers.py spawn
	alike python3 workers.py forkserver
}

@test "no file is left, also none of compiled code" {
	mkdir prefix temp
	TMPDIR=$PWD/temp PYTHONDONTWRITEBYTECODE='' PYTHONPYCACHEPREFIX=$PWD/prefix "$MEMWATCH" -q --explain -- python3 -c pass
	[ -z "$(ls temp)" ]
	[ -z "$(find prefix -name '*sitecustomize*')" ]
	TMPDIR=$PWD/temp "$MEMWATCH" -q --explain -- python3 -c 'import os; os.kill(os.getpid(), 9)' || true
	[ -z "$(ls temp)" ]
	TMPDIR=$PWD/temp run -127 "$MEMWATCH" -q --explain -- ./no-such-command
	[ -z "$(ls temp)" ]
	TMPDIR=$PWD/temp run -125 "$MEMWATCH" -q --explain --epochs log:no-such-folder/log -- true
	[ -z "$(ls temp)" ]
}

@test "the folder is private" {
	mkdir temp
	TMPDIR=$PWD/temp run "$MEMWATCH" -q --explain -- python3 -c '
import os
folder = os.environ["PYTHONPATH"].split(":")[0]
print(oct(os.stat(folder).st_mode & 0o777), sorted(f.partition("-")[0] for f in os.listdir(folder)))'
	[ "$output" = "0o700 ['__pycache__', 'agent.py', 'ask', 'sitecustomize.py']" ]
}

@test "where Python shuts it out, or is none, the run says so" {
	local option
	for option in -I -E -S; do
		[ "$(reached python3 "$option" -c pass)" = no ]
		grep -q '^  --explain: no Python of this run can be asked' words
	done
	[ "$(reached true)" = no ]
	grep -q '^  --explain: no Python of this run can be asked' words
	[ "$(reached python3 -c pass)" = yes ]
	grep -qx '  --explain: nothing grew for long enough to ask what it is' words
}

# A variable of sys says that there is no lock, before sitecustomize runs.
@test "a free-threaded Python has no thread of ours, and the run says so" {
	mkdir venv
	python3 -m venv --without-pip venv || skip "this Python has no venv"
	echo 'import sys; sys._is_gil_enabled = lambda: False' >"$(echo venv/lib/python3*/site-packages)/unlocked.pth"
	[ "$(reached venv/bin/python -c 'import os; print(len(os.listdir("/proc/self/task")))')" = no ]
	[ "$(cat out)" = 1 ]
	grep -q '^  --explain: no Python of this run can be asked: .*free-threaded' words
	echo 'import sys; sys._is_gil_enabled = lambda: True' >"$(echo venv/lib/python3*/site-packages)/unlocked.pth"
	[ "$(reached venv/bin/python -c pass)" = yes ]
}

@test "PyPy runs as without it, and the run says that it cannot be asked" {
	command -v pypy3 || skip "there is no pypy3"
	alike pypy3 -c 'import sys; print(sys.path, sorted(sys.modules))'
	[ "$(reached pypy3 -c pass)" = no ]
	grep -q '^  --explain: no Python of this run can be asked: .*not CPython' words
}

# What cannot be marked is asked all the same; what cannot start a thread leaves nothing behind.
@test "a FIFO that cannot be marked is used, and one without its thread is not left" {
	python3 -m venv --without-pip venv || skip "this Python has no venv"
	local site
	site=$(echo venv/lib/python3*/site-packages)
	printf 'import os; exec("def refuse(*_):\\n raise OSError(1)\\nos.chmod = refuse")\n' >"$site/refused.pth"
	[ "$(reached venv/bin/python -c pass)" = yes ]
	printf 'import _thread; exec("def refuse(*_):\\n raise RuntimeError()\\n_thread.start_new_thread = refuse")\n' >"$site/refused.pth"
	[ "$(reached venv/bin/python -c pass)" = no ]
}

@test "no room for the folder: the command runs all the same, without names" {
	# shellcheck disable=SC2016
	sh -c '(ulimit -f 0 && exec "$0" --explain -- python3 -c "print(1)") 2>&1; echo "status $?"' "$MEMWATCH" | cat >words
	grep -qx 1 words
	grep -qx 'status 0' words
	grep -q '^memwatch: --explain: no private folder can be made (File too large): the run goes on without names$' words
}

@test "a snapshot holds nothing that the program is about to fill, and too many objects are refused" {
	put_agent
	run python3 "$EXPLAIN/unfinished.py" agent.py
	[ "$status" -eq 0 ]
	[ "$output" = refused ]
}

@test "a child that is forked in the midst of a snapshot is as its parent was before" {
	put_agent
	python3 "$EXPLAIN/midst.py" agent.py
}

@test "no code of hostile objects is run, and the leak among them is named" {
	PACE=run.csv "$MEMWATCH" --explain -i 10ms -o run.csv --unbuffered never -- python3 "$EXPLAIN/hostile.py" 40 >out 2>words
	grep -E '^  kept by __main__\.kept: list of bytearray' words
}
