# SPDX-License-Identifier: MIT
"""The table: one row is one command, the world it starts in, and what is done to it while it runs.

"@probe" stands for the probe program, "@W" for the wrapper's words in scripts (empty when bare).
"""
import dataclasses
import signal

S = signal
CTRL_C, CTRL_D, CTRL_Z, CTRL_BACKSLASH = b"\x03", b"\x04", b"\x1a", b"\x1c"


@dataclasses.dataclass(frozen=True)
class Case:
    name: str
    argv: tuple = ("@probe", "state")
    before: tuple = ()          # words before the wrapper: they set the world up and exec the rest
    script: tuple = ()          # steps of stage.Job; ("wrapped", ...) only when wrapped
    terminal: bool = False      # needs a pseudo-terminal; else where outputs go is the caller's choice
    shell: bool = False         # argv is typed to an interactive bash by the script, nothing is wrapped here
    lingers: bool = False       # leaves something behind that keeps the outputs open
    reference: tuple = ()       # words instead of the wrapper when bare: env, where the exec itself fails
    compared: tuple = ()        # observations to compare; all when empty
    files: tuple = ()           # (name, mode, bytes) in the working directory
    env: tuple = ()             # more variables
    only_outputs: tuple = ()    # where outputs may go, when not anywhere


def sh(text):
    return ("bash", "-c", text + '; exec "$@"', "sh")


def signal_name(n):
    return f"{n}-{S.Signals(n).name}" if n in set(S.Signals) else f"{n}-RT"


REALTIME = (*range(34, 63), 64)
DEADLY = [n for n in range(1, 32) if n not in (17, 18, 19, 20, 21, 22, 23, 28)]
FORWARDED = [n for n in range(1, 32) if n not in (S.SIGKILL, S.SIGSTOP)]
# Python sleeps through a signal that comes between its last look and the system call: 2 of 3,000 runs hung, without
# memwatch.
PYTHON_WAITS = "while True: time.sleep(0.01)\n"
LAST = ("queue", 63, 0)  # ends "probe collect"; the highest but one, since valgrind keeps 64 for itself

exits = [Case(f"exit-status-{n}", ("@probe", "exit", str(n))) for n in range(256)]

deaths = [Case(f"death-by-{signal_name(n)}", ("@probe", "die", str(n))) for n in (*DEADLY, *REALTIME, 63)]

collected = [
    Case(f"signal-arrives-once-{signal_name(n)}", ("@probe", "collect"),
         script=(("log", "ready"), ("kill", n), ("log", "continued" if n == 18 else f"got {n} "), LAST))
    for n in FORWARDED
] + [
    Case(f"queued-signal-keeps-its-value-{signal_name(n)}", ("@probe", "collect"),
         script=(("log", "ready"), ("queue", n, 1000 + n), ("log", f"got {n} "), LAST))
    for n in (S.SIGUSR1, S.SIGTERM, *REALTIME)
] + [
    Case(f"group-signal-arrives-once-{signal_name(n)}", ("@probe", "collect"),
         script=(("log", "ready"), ("killpg", n), ("log", f"got {n} "), LAST))
    for n in (S.SIGHUP, S.SIGINT, S.SIGQUIT, S.SIGTERM, S.SIGUSR1, S.SIGUSR2, S.SIGALRM, S.SIGWINCH, 34, 50)
] + [
    Case("queued-signals-are-all-there-in-order", ("@probe", "collect"),
         script=(("log", "ready"), *(("queue", 40, v) for v in range(30)), ("log", "value 29"), LAST)),
    Case("many-signals-one-after-the-other", ("@probe", "collect"),
         script=(("log", "ready"), *(s for n in (1, 2, 3, 10, 12, 14, 15, 23, 28, 29, 30, 34, 62)
                                     for s in (("kill", n), ("log", f"got {n} "))), LAST)),
    Case("group-then-single", ("@probe", "collect"),
         script=(("log", "ready"), ("killpg", 10), ("log", "got 10 "), ("kill", 12), ("log", "got 12 "), LAST)),
]

default_actions = [
    Case(f"kill-{signal_name(n)}-ends-both", ("@probe", "linger"), script=(("log", "ready"), ("kill", n)))
    for n in (*[d for d in DEADLY if d != S.SIGKILL], 34, 62)
] + [
    Case(f"group-kill-{signal_name(n)}-ends-both", ("@probe", "linger"), script=(("log", "ready"), ("killpg", n)))
    for n in (S.SIGHUP, S.SIGINT, S.SIGQUIT, S.SIGTERM, S.SIGKILL)
] + [
    Case(f"kill-{signal_name(n)}-is-ignored-by-default", ("@probe", "linger"),
         script=(("log", "ready"), ("kill", n), ("touch", "go")))
    for n in (S.SIGCHLD, S.SIGCONT, S.SIGURG, S.SIGWINCH)
] + [
    Case(f"kill-{signal_name(n)}-stops-and-continues", ("@probe", "linger"),
         script=(("log", "ready"), ("kill", n), ("stopped", int(n)), ("kill", S.SIGCONT), ("touch", "go")))
    for n in (S.SIGTSTP, S.SIGTTIN, S.SIGTTOU)
] + [
    Case("stop-of-the-group-and-continue", ("@probe", "linger"),
         script=(("log", "ready"), ("killpg", S.SIGTSTP), ("stopped", 20), ("killpg", S.SIGCONT), ("touch", "go"))),
    Case("command-stops-itself-SIGSTOP", ("@probe", "stop", "19"),
         script=(("log", "stopping"), ("stopped", 19), ("kill", S.SIGCONT))),
    Case("command-stops-itself-SIGTSTP", ("@probe", "stop", "20"),
         script=(("log", "stopping"), ("stopped", 20), ("kill", S.SIGCONT))),
    Case("command-that-ignores-SIGTSTP", ("env", "--ignore-signal=TSTP", "@probe", "linger"),
         script=(("log", "ready"), ("kill", S.SIGTSTP), ("touch", "go"))),
    Case("trap-in-a-shell", ("bash", "-c", "trap 'echo caught; exit 5' TERM; echo on; while :; do sleep 0.01; done"),
         script=(("out", b"on"), ("kill", S.SIGTERM)), only_outputs=("pipe", "terminal")),
    Case("alarm-set-before-exec", ("@probe", "collect"),
         before=("perl", "-e", "alarm 1; exec @ARGV"), script=(("log", "got 14 "), LAST)),
]

ignored = [
    Case(f"ignored-at-start-{name}", before=("env", f"--ignore-signal={name}"))
    for name in ("HUP", "INT", "QUIT", "PIPE", "TERM", "CHLD", "TSTP", "TTIN", "TTOU", "USR1", "WINCH", "ALRM", "CONT")
] + [
    Case(f"blocked-at-start-{name}", before=("env", f"--block-signal={name}"))
    for name in ("HUP", "INT", "TERM", "CHLD", "TSTP", "USR2", "WINCH", "PIPE", "RTMIN+3")
] + [
    Case("all-ignored", before=("env", "--ignore-signal")),
    Case("all-blocked", before=("env", "--block-signal")),
    Case("ignored-hangup-does-not-end-it", ("@probe", "linger"), before=("env", "--ignore-signal=HUP"),
         script=(("log", "ready"), ("kill", S.SIGHUP), ("touch", "go"))),
    Case("ignored-interrupt-does-not-end-it", ("@probe", "linger"), before=("env", "--ignore-signal=INT"),
         script=(("log", "ready"), ("killpg", S.SIGINT), ("touch", "go"))),
    Case("blocked-terminate-does-not-end-it", ("@probe", "linger"), before=("env", "--block-signal=TERM"),
         script=(("log", "ready"), ("kill", S.SIGTERM), ("touch", "go"))),
    Case("status-with-child-signal-ignored", ("@probe", "exit", "42"), before=("env", "--ignore-signal=CHLD")),
    Case("death-with-child-signal-ignored", ("@probe", "die", "15"), before=("env", "--ignore-signal=CHLD")),
    Case("status-with-all-blocked", ("@probe", "exit", "43"), before=("env", "--block-signal")),
    Case("death-with-all-blocked", ("@probe", "die", "15"), before=("env", "--block-signal")),
    Case("death-by-a-signal-ignored-at-start", ("@probe", "die", "1"), before=("env", "--ignore-signal=HUP")),
    Case("children-with-child-signal-ignored", ("sh", "-c", "true & wait $!; echo $?"),
         before=("env", "--ignore-signal=CHLD")),
    Case("nohup", before=("nohup",)),
    Case("writes-after-the-reader-left", ("sh", "-c", "yes | head -1; echo $?")),
]

descriptors = [
    Case("closed-" + "-".join(str(fd) for fd in range(3) if mask >> fd & 1),
         before=sh("exec " + " ".join(f"{fd}{'<' if fd == 0 else '>'}&-" for fd in range(3) if mask >> fd & 1)))
    for mask in range(1, 8)
] + [
    Case("descriptor-3-stays-open", before=sh("exec 3</dev/null")),
    Case("descriptor-10-stays-open", before=sh("exec 10>/dev/null")),
    Case("descriptor-200-stays-open", before=sh("exec 200<>data"), files=(("data", 0o644, b"0123456789"),)),
    Case("many-descriptors-stay-open", before=sh("for i in {3..120}; do eval \"exec $i</dev/zero\"; done")),
    Case("offset-of-an-inherited-file", ("bash", "-c", "read -n 3 -u 5 x; echo $x; cat <&5"), before=sh("exec 5<data"),
         files=(("data", 0o644, b"0123456789\n"),)),
    Case("append-flag-of-an-inherited-file", before=sh("exec 4>>data")),
    Case("descriptor-3-is-the-commands", ("bash", "-c", "echo hello >&3; cat data"), before=sh("exec 3>data")),
    Case("stdin-is-a-file", ("cat",), before=sh("exec <data"), files=(("data", 0o644, bytes(range(256)) * 50),)),
    Case("stdin-is-dev-null", before=sh("exec </dev/null")),
    Case("stdout-is-dev-null", before=sh("exec >/dev/null")),
    Case("stderr-is-dev-null", before=sh("exec 2>/dev/null")),
    Case("all-are-dev-null", before=sh("exec </dev/null >/dev/null 2>&1")),
    Case("stdout-is-full", ("sh", "-c", "echo x; echo status $? >&2"), before=sh("exec >/dev/full")),
    Case("stderr-is-full", ("sh", "-c", "echo x >&2; echo status $?"), before=sh("exec 2>/dev/full")),
    Case("both-are-full", ("sh", "-c", "echo x; echo x >&2; exit 6"), before=sh("exec >/dev/full 2>&1")),
    Case("stdout-is-a-file-in-append-mode", ("sh", "-c", "echo one; cat data"), before=sh("echo zero >data; exec >>data"),
         compared=("status", "stderr")),
    Case("stdout-and-stderr-are-one-file", ("sh", "-c", "echo a; echo b >&2; echo c; cp data log"),
         before=sh("exec >data 2>&1")),
    Case("stdin-closed-command-reads", ("sh", "-c", "cat; echo $?"), before=sh("exec <&-")),
    Case("read-only-stdout", ("sh", "-c", "echo x; echo $? >&2"), before=sh("exec 1</dev/null")),
    Case("socket-as-stdin", before=("python3", "-c", "import os,socket,sys\na,b=socket.socketpair()\n"
                                    "os.dup2(a.fileno(),0)\nos.execvp(sys.argv[1],sys.argv[1:])")),
    Case("nonblocking-stdin", before=("python3", "-c", "import os,sys\nos.set_blocking(0,False)\n"
                                      "os.execvp(sys.argv[1],sys.argv[1:])")),
]

streams = [
    Case("stdin-bytes-all-values", ("cat",), script=(("send", bytes(range(256))), ("close",)),
         only_outputs=("pipe", "file")),
    Case("stdin-one-megabyte", ("cat",), script=(("send", bytes(range(251)) * 4178), ("close",)),
         only_outputs=("pipe", "file")),
    Case("stdin-empty", ("cat",), script=(("close",),), only_outputs=("pipe", "file")),
    Case("stdin-unread", ("true",), script=()),
    Case("stdin-line-by-line", ("sh", "-c", "read a; echo got $a; read b; echo got $b"),
         script=(("send", b"one\n"), ("out", b"got one"), ("send", b"two\n")), only_outputs=("pipe", "terminal")),
    Case("stdin-rest-is-left-alone", ("sh", "-c", "read a; @W head -c 2; cat"),
         script=(("send", b"a\nb\nrest\n"), ("close",)), shell=True, only_outputs=("pipe", "file")),
    Case("stdout-bytes-all-values", ("python3", "-c", "import os; os.write(1, bytes(range(256)) * 3)"),
         only_outputs=("pipe", "file")),
    Case("stderr-bytes-all-values", ("python3", "-c", "import os; os.write(2, bytes(range(256)) * 3)"),
         only_outputs=("pipe", "file")),
    Case("stdout-four-megabytes", ("head", "-c", "4000000", "/dev/zero")),
    Case("stderr-two-megabytes", ("sh", "-c", "head -c 2000000 /dev/zero >&2")),
    Case("stdout-without-newline", ("printf", "no newline")),
    Case("stdout-partial-lines", ("sh", "-c", "printf 'Epoch 1'; sleep 0.05; printf '/2\\rEpoch 2/2\\n'")),
    Case("epoch-lines", ("sh", "-c", "for i in 1 2 3; do echo \"Epoch $i/3\"; echo \"loss $i\" >&2; done"),
         compared=("status", "stdout", "stderr")),
    Case("long-line", ("sh", "-c", "head -c 300000 /dev/zero | tr '\\0' x; echo")),
    Case("invalid-utf8", ("printf", "\\303\\050\\377\\376\\n")),
    Case("nothing-written", ("true",)),
    Case("closes-its-stdout-early", ("sh", "-c", "echo a; exec >&-; exit 3")),
    Case("both-in-order-on-one-pipe", ("sh", "-c", "exec 2>&1; echo a; echo b >&2; echo c")),
    Case("pipeline-inside", ("sh", "-c", "seq 1000 | sort -rn | head -3")),
]

attributes = [
    Case("state-as-is"),
    Case("environment-empty", ("@probe", "state"), before=("env", "-i")),
    Case("environment-odd-names", before=("env", "A.B=1", "=x", "C=a=b", "D=", "E=two\nlines")),
    Case("environment-duplicates-and-long", before=("env", "LONG=" + "x" * 300)),
    Case("environment-without-path", before=("env", "-u", "PATH")),
    Case("environment-of-python", ("python3", "-c", 'import os; os.execv("@probe", ["probe", "state"])')),
    Case("environment-of-python-its-own-value", ("sh", "-c", 'exec "$0" state # python', "@probe"), env=(("PYTHONUNBUFFERED", ""),)),
    Case("environment-with-memwatch-words", before=("env", "MEMWATCHX=1", "memwatch=2")),
    Case("directory", before=sh("cd /usr")),
    Case("directory-deleted", before=sh("mkdir d; cd d; rmdir ../d"), argv=("sh", "-c", "pwd -P 2>&1; exit 2")),
    Case("umask-077", before=sh("umask 077")),
    Case("umask-000", before=sh("umask 000")),
    Case("files-get-the-umask", ("sh", "-c", "touch f; stat -c %a f"), before=sh("umask 027")),
    Case("nice-5", before=("nice", "-n", "5")),
    Case("nice-19", before=("nice", "-n", "19")),
    Case("nice-minus-3", before=("nice", "-n", "-3")),
    Case("ionice-idle", before=("ionice", "-c", "3")),
    Case("ionice-best-effort-6", before=("ionice", "-c", "2", "-n", "6")),
    Case("sched-batch", before=("chrt", "-b", "0")),
    Case("sched-idle", before=("chrt", "-i", "0")),
    Case("sched-round-robin", before=("chrt", "-r", "1")),
    Case("one-cpu", before=("taskset", "-c", "0")),
    Case("oom-score-500", before=("choom", "-n", "500", "--")),
    Case("oom-score-1000", before=("choom", "-n", "1000", "--")),
    Case("coredump-filter", before=sh("echo 0x11 >/proc/self/coredump_filter")),
    Case("personality-no-randomisation", before=("setarch", "-R")),
    Case("no-new-privileges", before=("setpriv", "--no-new-privs")),
    Case("capabilities-dropped", before=("setpriv", "--bounding-set", "-net_raw,-sys_time", "--inh-caps", "-all")),
    Case("another-user", ("id",), before=("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups")),
    Case("parent-death-signal", before=("setpriv", "--pdeathsig", "clear")),
    Case("own-session", before=("setsid", "-w")),
]

LIMITS = ("as=8000000000", "core=0", "cpu=100", "data=4000000000", "fsize=100000000", "locks=77", "memlock=65536",
          "msgqueue=8192", "nice=7", "nofile=64", "nofile=64:512", "nofile=1024:4096", "nofile=20000:20000", "nproc=5000",
          "rss=1000000000", "rtprio=3", "rttime=1000000", "sigpending=500", "stack=4194304", "stack=16777216")
limits = [Case("limit-" + text.replace("=", "-").replace(":", "-"), before=("prlimit", "--" + text, "--"))
          for text in LIMITS] + [
    Case("file-size-limit-signals-the-command", ("sh", "-c", "head -c 400000 /dev/zero >data; echo $?"),
         before=("prlimit", "--fsize=262144", "--"), only_outputs=("pipe", "terminal")),
    Case("cpu-limit-ends-the-command", ("sh", "-c", "while :; do :; done"), before=("prlimit", "--cpu=1:2", "--")),
    Case("descriptor-limit-is-the-commands-own", ("sh", "-c", "ulimit -n; ulimit -Hn"),
         before=("prlimit", "--nofile=50:60", "--")),
]

names = [
    Case("name-in-path", ("true", "x")),
    Case("name-with-slash", ("/bin/echo", "a", "b")),
    Case("name-relative", ("./script", "1"), files=(("script", 0o755, b"#!/bin/sh\necho \"$0\" \"$1\"\n"),)),
    Case("script-with-arguments-in-shebang", ("./script",), files=(("script", 0o755, b"#!/bin/sh -e\necho a; false; echo b\n"),)),
    Case("script-without-shebang", ("./script", "1"), reference=("env",),
         files=(("script", 0o755, b"echo \"$0\" \"$1\"; exit 4\n"),)),
    Case("script-with-missing-interpreter", ("./script",), reference=("env",), compared=("status", "stdout"),
         files=(("script", 0o755, b"#!/no/such/interpreter\n"),)),
    Case("script-in-path", ("script",), reference=("env",), before=sh("PATH=$PWD:$PATH"), files=(("script", 0o755, b"#!/bin/sh\necho $0\n"),)),
    Case("path-with-an-empty-part", ("script",), reference=("env",), before=sh("PATH=:$PATH"), files=(("script", 0o755, b"#!/bin/sh\necho $0\n"),)),
    Case("not-found", ("no-such-command-here",), reference=("env",), compared=("status", "stdout")),
    Case("not-found-with-slash", ("./no/such",), reference=("env",), compared=("status", "stdout")),
    Case("not-executable", ("./file",), reference=("env",), compared=("status", "stdout"), files=(("file", 0o644, b"x"),)),
    Case("a-directory", ("/usr",), reference=("env",), compared=("status", "stdout")),
    Case("a-part-is-no-directory", ("/etc/passwd/x",), reference=("env",), compared=("status", "stdout")),
    Case("empty-name", ("",), reference=("env",), compared=("status", "stdout")),
    Case("bad-binary", ("./file",), reference=("env",), compared=("status", "stdout"),
         files=(("file", 0o755, b"\x7fELF\x02\x01\x01" + b"\0" * 100),)),
    Case("empty-file", ("./file",), reference=("env",), files=(("file", 0o755, b""),)),
    Case("name-too-long", ("x" * 300,), reference=("env",), compared=("status", "stdout")),
    Case("argument-empty", ("@probe", "state", "", "", "x")),
    Case("argument-not-utf8", ("@probe", "state", b"\xff\xfe", b"\xc3(")),
    Case("argument-with-blanks-and-newline", ("@probe", "state", " a  b ", "c\nd", "\t")),
    Case("argument-like-options", ("@probe", "state", "-i", "--pid", "1", "--", "-q", "--help")),
    Case("argument-with-shell-signs", ("@probe", "state", "$HOME", "`id`", "*", "'", '"', "\\", ";", "|", "&")),
    Case("argument-with-percent", ("@probe", "state", "%p", "%%", "%n%s")),
    Case("many-arguments", ("@probe", "state", *(str(i) for i in range(500)))),
    Case("long-argument", ("@probe", "state", "x" * 200)),
    Case("double-dash-first", ("echo", "--", "--")),
    Case("name-like-a-subcommand", ("./report", "x"), files=(("report", 0o755, b"#!/bin/sh\necho $1\n"),)),
]

processes = [
    Case("vfork", ("@probe", "vfork", "17")),
    Case("double-fork-leaves-no-zombie", ("@probe", "orphan")),
    Case("daemon-left-behind", ("@probe", "daemon"), lingers=True,
         script=(("log", "ready"), ("ended",), ("alive",), ("touch", "go"), ("log", "end"), ("out", b"lingered"))),
    Case("background-child-left-behind", ("sh", "-c", "@probe linger & exit 3"), lingers=True,
         script=(("ended",), ("log", "ready"), ("alive",), ("touch", "go"), ("log", "end"), ("out", b"lingered"))),
    Case("statuses-of-subprocesses", ("bash", "-c", "for i in 0 1 77 255; do @probe exit $i; echo $?; done; "
                                      "@probe die 9; echo $?; @probe die 15; echo $?; exit 12")),
    Case("parallel-children", ("bash", "-c", "for i in {1..20}; do @probe exit $i & p[$i]=$!; done; "
                               "for i in {1..20}; do wait ${p[$i]}; echo $?; done")),
    Case("exec-in-the-command", ("sh", "-c", "exec @probe exit 33")),
    Case("wait-sees-only-its-own-children", ("bash", "-c", "wait; echo $?; sleep 0.01 & wait $!; echo $?")),
    Case("pipefail", ("bash", "-c", "set -o pipefail; @probe die 13 | cat; echo ${PIPESTATUS[0]}")),
    Case("nested-shells", ("sh", "-c", "sh -c 'sh -c \"@probe exit 9\"; exit $?'; echo $?")),
    Case("kill-0-reaches-the-callers-group", ("bash", "-c", "trap 'echo caller' USR1; @W @probe killgroup; echo status $?"),
         shell=True),
    Case("python-subprocess", ("python3", "-c", "import subprocess,sys\nprint(subprocess.run(['sh','-c','exit 3']).returncode)\n"
                               "print(subprocess.run(['@probe','die','6']).returncode)\nsys.exit(8)")),
    Case("python-multiprocessing", ("python3", "-c", "import multiprocessing as m,math\nif __name__=='__main__':\n"
                                    " with m.Pool(2) as p: print(p.map(math.sqrt,[1,4,9]))")),
    Case("python-keyboard-interrupt", ("python3", "-c", "import os,time\nos.write(1, b'on\\n')\n" + PYTHON_WAITS),
         script=(("out", b"on"), ("kill", S.SIGINT)), only_outputs=("pipe", "terminal"),
         compared=("status", "stdout")),
    Case("timeout-inside", ("timeout", "0.05", "sleep", "10")),
    Case("timeout-outside", ("sleep", "10"), before=("timeout", "0.1")),
    Case("timeout-outside-foreground", ("sleep", "10"), before=("timeout", "--foreground", "0.1")),
    Case("timeout-outside-kill", ("env", "--ignore-signal=TERM", "sleep", "10"), compared=("stdout",), lingers=True,
         before=("timeout", "-k", "0.1", "0.1")),
    Case("wrapper-killed-command-goes-on", ("@probe", "linger"), compared=("log", "stdout", "stderr", "terminal"), lingers=True,
         script=(("log", "ready"), ("wrapped", "kill_and_wait", S.SIGKILL), ("touch", "go"), ("log", "end"), ("out", b"lingered"))),
    Case("wrapper-killed-output-still-arrives", ("sh", "-c", "@probe linger; seq 100; @probe linger"), lingers=True,
         compared=("log", "stdout", "stderr", "terminal"),
         script=(("log", "ready"), ("wrapped", "kill_and_wait", S.SIGKILL), ("touch", "go"), ("out", b"100"), ("out", b"lingered"),
                 ("log_count", "end", 2)),
         only_outputs=("pipe", "terminal")),
]

terminal = [
    Case("terminal-state", terminal=True),
    Case("terminal-state-stdin-from-null", terminal=True, before=sh("exec </dev/null")),
    Case("terminal-state-stdout-to-null", terminal=True, before=sh("exec >/dev/null")),
    Case("terminal-state-stderr-to-null", terminal=True, before=sh("exec 2>/dev/null")),
    Case("terminal-state-stdout-to-a-file", terminal=True, before=sh("exec >data")),
    Case("terminal-state-stdout-to-a-pipe", ("sh", "-c", "@W @probe state | cat"), terminal=True, shell=True),
    Case("terminal-state-stdin-from-a-pipe", ("sh", "-c", "echo x | @W @probe state"), terminal=True, shell=True),
    Case("terminal-without-a-session", terminal=True, before=("setsid", "-w")),
    Case("terminal-nohup", terminal=True, before=("nohup",)),
    Case("terminal-stty-a", ("stty", "-a"), terminal=True),
    Case("terminal-stty-size", ("stty", "size"), terminal=True),
    Case("terminal-tput-cols", ("tput", "cols"), terminal=True, env=(("TERM", "xterm"),)),
    Case("terminal-ls-in-columns", ("ls", "-C", "/etc/init.d"), terminal=True),
    Case("terminal-ls-colours", ("ls", "--color=auto", "-d", "/usr", "/bin"), terminal=True),
    Case("terminal-tty-s", ("tty", "-s"), terminal=True),
    Case("terminal-process-is-in-the-foreground", ("sh", "-c", "ps -o stat= -p $$ | grep -o +"), terminal=True),
    Case("terminal-python-isatty", ("python3", "-c", "import sys,os; print([f.isatty() for f in (sys.stdin,sys.stdout,"
                                    "sys.stderr)], os.get_terminal_size())"), terminal=True),
    Case("terminal-modes-set-by-the-command-stay", ("sh", "-c", "stty -echo; stty -a; stty echo"), terminal=True),
    Case("terminal-modes-left-by-the-command", ("bash", "-c", "@W stty -echoctl rows 11; stty -a"), terminal=True, shell=True),
    Case("terminal-modes-set-before", ("stty", "-a"), terminal=True, before=sh("stty -icanon -echo min 2")),
    Case("terminal-line-input", ("head", "-n", "2"), terminal=True,
         script=(("send", b"one\n"), ("out", b"one\r\none"), ("send", b"two\n"))),
    Case("terminal-erase-and-kill-keys", ("head", "-n", "1"), terminal=True, script=(("send", b"xx\x15ab\x7fc\n"),)),
    Case("terminal-end-of-file", ("cat",), terminal=True,
         script=(("send", b"a\n"), ("out", b"a\r\na"), ("send", CTRL_D))),
    Case("terminal-raw-keys", ("@probe", "raw", "9"), terminal=True,
         script=(("out", b"raw>"), ("send", b"a\x03\x1a\x1c\x04\r\n\x1b\xff"))),
    Case("terminal-raw-arrow-keys", ("@probe", "raw", "6"), terminal=True,
         script=(("out", b"raw>"), ("send", b"\x1b[A\x1b[B"))),
    Case("terminal-modes-after-raw", ("sh", "-c", "@probe raw 1; stty -a"), terminal=True,
         script=(("out", b"raw>"), ("send", b"x"))),
    Case("terminal-password", ("@probe", "getpass"), terminal=True,
         script=(("out", b"Password: "), ("send", b"secret\n"))),
    Case("terminal-password-with-stdin-redirected", ("@probe", "getpass"), terminal=True, before=sh("exec </dev/null >/dev/null"),
         script=(("out", b"Password: "), ("send", b"secret\n"))),
    Case("terminal-password-python", ("python3", "-c", "import getpass; print(len(getpass.getpass()))"), terminal=True,
         script=(("out", b"Password: "), ("send", b"secret\n"))),
    Case("terminal-writes-to-dev-tty", ("sh", "-c", "echo direct >/dev/tty; echo out"), terminal=True),
    Case("terminal-reads-from-dev-tty", ("sh", "-c", "read x </dev/tty; echo got $x"), terminal=True,
         script=(("send", b"line\n"),)),
    Case("terminal-ctrl-c-ends", ("@probe", "linger"), terminal=True, script=(("log", "ready"), ("send", CTRL_C))),
    Case("terminal-ctrl-backslash-ends", ("@probe", "linger"), terminal=True,
         script=(("log", "ready"), ("send", CTRL_BACKSLASH))),
    Case("terminal-ctrl-c-arrives-once", ("@probe", "collect"), terminal=True,
         script=(("log", "ready"), ("send", CTRL_C), ("log", "got 2 "), LAST)),
    Case("terminal-ctrl-backslash-arrives-once", ("@probe", "collect"), terminal=True,
         script=(("log", "ready"), ("send", CTRL_BACKSLASH), ("log", "got 3 "), LAST)),
    Case("terminal-ctrl-z-arrives-once", ("@probe", "collect"), terminal=True,
         script=(("log", "ready"), ("send", CTRL_Z), ("log", "got 20 "), LAST)),
    Case("terminal-ctrl-c-five-times", ("@probe", "collect"), terminal=True,
         script=(("log", "ready"), *(s for i in range(1, 6) for s in (("send", CTRL_C), ("log_count", "got 2 ", i))), LAST)),
    Case("terminal-ctrl-c-caught", ("bash", "-c", "trap 'echo caught; exit 9' INT; echo on; while :; do sleep 0.01; done"),
         terminal=True, script=(("out", b"on"), ("send", CTRL_C))),
    Case("terminal-ctrl-c-python", ("python3", "-c", "import time\ntry:\n print('on')\n " + PYTHON_WAITS +
                                    "except KeyboardInterrupt:\n print('interrupted')\n raise SystemExit(4)"),
         terminal=True, script=(("out", b"on"), ("send", CTRL_C))),
    Case("terminal-ctrl-c-reaches-children", ("sh", "-c", "sh -c 'trap \"echo child; exit 1\" INT; echo on; "
                                              "while :; do sleep 0.01; done'; echo parent"),
         terminal=True, script=(("out", b"on"), ("send", CTRL_C))),
    Case("terminal-ctrl-z-and-continue", ("@probe", "linger"), terminal=True,
         script=(("log", "ready"), ("send", CTRL_Z), ("stopped", 20), ("killpg", S.SIGCONT), ("touch", "go"))),
    Case("terminal-ctrl-z-ignored", ("env", "--ignore-signal=TSTP", "@probe", "linger"), terminal=True,
         script=(("log", "ready"), ("send", CTRL_Z), ("out", b"^Z"), ("touch", "go"))),
    Case("terminal-kill-does-not-come-back", ("@probe", "collect"), terminal=True,
         script=(("log", "ready"), ("kill", S.SIGINT), ("log", "got 2 "), LAST)),
    Case("terminal-group-signal-arrives-once", ("@probe", "collect"), terminal=True,
         script=(("log", "ready"), ("killpg", S.SIGTERM), ("log", "got 15 "), LAST)),
    Case("terminal-size-change", ("@probe", "winch", "1"), terminal=True, script=(("log", "size 30"), ("size", 41, 132))),
    Case("terminal-size-changes-twice", ("@probe", "winch", "2"), terminal=True,
         script=(("log", "size 30"), ("size", 41, 132), ("log", "size 41"), ("size", 7, 20))),
    Case("terminal-size-change-arrives-once", ("@probe", "collect"), terminal=True,
         script=(("log", "ready"), ("size", 41, 132), ("log", "got 28 "), LAST)),
    Case("terminal-size-after-change", ("sh", "-c", "read x; stty size"), terminal=True,
         script=(("size", 12, 34), ("send", b"\n"))),
    Case("terminal-less", ("less", "data"), terminal=True, env=(("TERM", "xterm"), ("LESS", "")),
         script=(("out", b"data"), ("send", b"q")), files=(("data", 0o644, b"line\n" * 100),)),
    Case("terminal-vi", ("vim", "-u", "NONE", "-N", "data"), terminal=True, env=(("TERM", "ansi"),),
         script=(("out", b"hello"), ("send", b":q!\r")), files=(("data", 0o644, b"hello\n"),)),
    Case("terminal-large-output", ("seq", "20000"), terminal=True),
    Case("terminal-binary-output", ("python3", "-c", "import os; os.write(1, bytes(range(256)))"), terminal=True),
    Case("terminal-progress-bar", ("sh", "-c", "for i in 1 2 3; do printf '\\r%d/3' $i; sleep 0.01; done; echo"), terminal=True),
    Case("terminal-hangup", ("@probe", "linger"), terminal=True, script=(("log", "ready"), ("kill", S.SIGHUP))),
    Case("terminal-daemon-left-behind", ("@probe", "daemon"), terminal=True, lingers=True,
         script=(("log", "ready"), ("ended",), ("alive",), ("touch", "go"), ("log", "end"), ("out", b"lingered"))),
    Case("terminal-python-input", ("python3", "-c", "print(input('name? '))"), terminal=True,
         script=(("out", b"name? "), ("send", b"bob\n"))),
    Case("terminal-stdout-to-a-pipe-keys-still-work", ("sh", "-c", "@W sh -c 'read x; echo got $x' | cat"), terminal=True,
         shell=True, script=(("send", b"key\n"),)),
]


def typed(name, *steps):
    """An interactive bash with job control; "$W" before a command is empty when bare."""
    return Case("shell-" + name, ("bash", "--norc", "--noprofile", "--noediting", "-i"), terminal=True, shell=True,
                script=(("out", b"$ "), *steps, ("send", b"exit 0\n")), env=(("PS1", "$ "), ("PS2", "> ")))


def line(text, reply=b"$ "):
    return (("send", text.encode() + b"\n"), ("out", text.encode()), ("out", reply))


STOPPED = (("send", CTRL_Z), ("out", b"Stopped"), ("out", b"$ "))
RESUMED = (*line("fg", b"linger"), ("resumed",))
# In bash, until it has reaped the job, and until it knows of the stop: what it then says comes before the next prompt.
REAPED = "while kill -0 %1 2>/dev/null; do :; done"
STOP_SEEN = "until [ \"$(jobs -s)\" ]; do :; done"
KILLED = (*line(f"kill %1; {REAPED}; wait %1; echo $?", b"Terminated"), ("out", b"143\r\n"), ("out", b"$ "))

shell = [
    typed("status", *line("$W @probe exit 9"), *line("echo $?")),
    typed("ctrl-z-and-fg", *line("$W @probe linger", b"\r\n"), ("log", "ready"), *STOPPED, *line("fg", b"linger"),
          ("touch", "go"), ("log", "end"), ("out", b"$ "), *line("echo status $?", b"$ ")),
    typed("ctrl-z-bg-and-wait", *line("$W @probe linger", b"\r\n"), ("log", "ready"), *STOPPED, *line("bg"),
          *line("wait; echo over", b"\r\n"), ("touch", "go"), ("out", b"over\r\n"), ("out", b"$ ")),
    typed("ctrl-z-three-times", *line("$W @probe linger", b"\r\n"), ("log", "ready"), *STOPPED, *RESUMED, *STOPPED,
          *RESUMED, *STOPPED, *RESUMED, ("touch", "go"), ("log", "end"), ("out", b"$ ")),
    typed("ctrl-z-in-cat", *line("$W cat", b"\r\n"), ("send", b"one\n"), ("out", b"one\r\none"), *STOPPED,
          *line("fg", b"cat"), ("send", b"two\n"), ("out", b"two\r\ntwo"), ("send", CTRL_D), ("out", b"$ ")),
    typed("jobs-and-kill", *line("$W @probe linger", b"\r\n"), ("log", "ready"), *STOPPED, *line("jobs"),
          *KILLED),
    typed("background-reader-is-stopped", *line(f"$W cat & {STOP_SEEN}", b"Stopped"), ("out", b"$ "), *line("fg", b"cat"),
          ("send", b"x\n"), ("out", b"x\r\nx"), ("send", CTRL_D), ("out", b"$ ")),
    typed("background-writer", ("send", b"stty -tostop; $W @probe exit 5 & wait $!; echo $?\n"), ("out", b"\n5\r\n"), ("out", b"$ ")),
    typed("background-is-not-in-the-foreground", *line("$W @probe state </dev/null >/dev/null 2>&1 & wait $!; echo over", b"over\r\n"), ("out", b"$ ")),
    typed("ctrl-c-in-a-loop-ends-the-loop", *line("for i in 1 2 3; do $W @probe linger; done", b"\r\n"), ("log", "ready"),
          ("send", CTRL_C), ("out", b"$ "), *line("echo $?")),
    typed("ctrl-c-then-prompt", *line("$W @probe linger", b"\r\n"), ("log", "ready"), ("send", CTRL_C), ("out", b"$ "),
          *line("echo $?")),
    typed("ctrl-backslash-then-prompt", *line("$W @probe linger", b"\r\n"), ("log", "ready"), ("send", CTRL_BACKSLASH),
          ("out", b"$ "), *line("echo $?")),
    typed("pipeline", *line("$W echo abc | tr a-c x-z", b"xyz"), ("out", b"$ ")),
    typed("pipeline-ctrl-z", *line("$W @probe linger | cat", b"\r\n"), ("log", "ready"), *STOPPED, *line("fg", b"cat"),
          ("touch", "go"), ("out", b"lingered"), ("out", b"$ ")),
    typed("terminal-modes-after-ctrl-z", *line("$W sh -c 'stty -echo; @probe linger; stty echo'", b"\r\n"), ("log", "ready"),
          *STOPPED, *line("stty -a"), *line("fg", b"echo'"), ("touch", "go"), ("log", "end"), ("out", b"$ "), *line("stty -a")),
    typed("nested-interactive-shell", *line("$W bash --norc --noprofile --noediting -i"), *line("tty -s; echo inner $?"),
          *line("@probe linger", b"\r\n"), ("log", "ready"), *STOPPED, *KILLED, *line("exit 3")),
    typed("suspend-the-nested-shell", *line("$W bash --norc --noprofile --noediting -i"), *line("suspend", b"Stopped"), ("out", b"$ "),
          *line("fg", b"-i\r\n"), ("out", b"$ "), *line("exit 4"), *line("echo $?")),
    typed("command-substitution", *line("echo \"[$($W echo in)]\"", b"[in]"), ("out", b"$ ")),
    typed("kill-stopped-job", *line("$W @probe linger", b"\r\n"), ("log", "ready"), *STOPPED,
          *line(f"kill -9 %1; {REAPED}", b"Killed"), ("out", b"$ ")),
    typed("ctrl-c-ends-the-script-around-it", *line("bash -c 'for i in 1 2 3; do $W @probe linger; done; echo after'", b"\r\n"),
          ("log", "ready"), ("send", CTRL_C), ("out", b"$ "), *line("echo $?")),
    typed("running-job-comes-to-the-foreground", *line("$W @probe linger &"), ("log", "ready"), *line("fg", b"linger"),
          ("touch", "go"), ("out", b"lingered"), ("out", b"$ "), *line("echo $?")),
    typed("background-writer-is-stopped-by-tostop", *line(f"stty tostop; $W echo hello & {STOP_SEEN}", b"Stopped"), ("out", b"$ "),
          *line("fg", b"hello\r\nhello"), ("out", b"$ "), *line("stty -tostop")),
    typed("disown-and-exit", *line("$W @probe exit 0 & disown; while kill -0 $! 2>/dev/null; do :; done; echo ok", b"ok\r\n"), ("out", b"$ ")),
]

CASES = (exits + deaths + collected + default_actions + ignored + descriptors + streams + attributes + limits + names
         + processes + terminal + shell)
