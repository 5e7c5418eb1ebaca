#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
load helper

# COMMAND's standard output is a pipe in each of these: it goes through the relay.

@test "memwatch's words come after all that COMMAND wrote" {
	for _ in 1 2 3 4 5; do
		"$MEMWATCH" -- seq 20000 2>&1 | cat >all
		[ "$(grep -n '^20000$' all | cut -d: -f1)" -eq 20000 ]
		[ "$(wc -l <all)" -gt 20000 ]
	done
}

@test "standard output and error on one pipe keep their order" {
	"$MEMWATCH" -q -- bash -c 'for i in {1..2000}; do echo $i; echo $((-i)) >&2; done' 2>&1 | cat >all
	for i in {1..2000}; do echo "$i"; echo $((-i)); done | cmp - all
}

@test "standard output and error on two pipes stay apart" {
	{ "$MEMWATCH" -q -- sh -c 'echo out; echo err >&2' 2>&3 | cat >out; } 3>&1 | cat >err
	[ "$(cat out)" = out ]
	[ "$(cat err)" = err ]
}

@test "COMMAND gets SIGPIPE when its reader leaves" {
	timeout 60 bash -c '"$0" -q -- yes | head -n 1; exit "${PIPESTATUS[0]}"' "$MEMWATCH" && status=0 || status=$?
	[ "$status" -eq 141 ]
}

@test "a reader that was gone at the start makes the first write fail" {
	python3 - "$MEMWATCH" <<'END'
import os, subprocess, sys
r, w = os.pipe()
os.close(r)
for _ in range(10):
    p = subprocess.run([sys.argv[1], "-q", "--", "sh", "-c", "trap '' PIPE; echo x 2>/dev/null; exit $?"], stdout=w)
    assert p.returncode != 0, p
END
}

@test "a reader that leaves an idle COMMAND is noticed by its next write" {
	timeout 60 bash -c '"$0" -q -- sh -c "trap \"\" PIPE; echo first
		while [ ! -e gone ] || echo again 2>/dev/null; do sleep 0.01; done; exit 9" | { read -r _; exec <&-; touch gone; }
		exit "${PIPESTATUS[0]}"' "$MEMWATCH" && status=0 || status=$?
	[ "$status" -eq 9 ]
}

@test "a full pipe holds COMMAND up and loses nothing" {
	mkfifo fifo
	start sh -c "exec '$MEMWATCH' -q -- seq 100000 >fifo"
	exec 7<fifo
	read -r first <&7
	[ "$first" = 1 ]
	[ -e "/proc/$pid" ] # far more is to come than all the pipes hold
	cat <&7 | cmp - <(seq 2 100000)
	exec 7<&-
}

@test "a daemon that keeps the pipe open does not hold memwatch up, and its later words arrive" {
	mkfifo fifo
	start sh -c "'$MEMWATCH' -q -- sh -c '{ while [ ! -e go ]; do sleep 0.01; done; echo late; } & echo early' >fifo; touch over"
	exec 7<fifo
	read -r line <&7
	[ "$line" = early ]
	timeout 60 sh -c 'until [ -e over ]; do sleep 0.01; done'
	touch go
	[ "$(cat <&7)" = late ]
	exec 7<&-
}

@test "a socket stays a socket" {
	python3 - "$MEMWATCH" <<'END'
import socket, subprocess, sys
a, b = socket.socketpair()
code = "import os,stat,sys; sys.exit(0 if stat.S_ISSOCK(os.fstat(1).st_mode) and os.write(1, b'x' * 300000) else 1)"
p = subprocess.Popen([sys.argv[1], "-q", "--", "python3", "-c", code], stdout=b)
b.close()
total = 0
while data := a.recv(65536):
    total += len(data)
assert p.wait() == 0 and total > 0, (p.returncode, total)
END
}

@test "a non-blocking pipe is non-blocking for COMMAND, and all arrives" {
	python3 - "$MEMWATCH" <<'END'
import os, subprocess, sys
r, w = os.pipe()
os.set_blocking(w, False)
code = """
import os, select
assert not os.get_blocking(1)
data = b'y' * 1000000
while data:
    try: data = data[os.write(1, data):]
    except BlockingIOError: select.select([], [1], [])
"""
p = subprocess.Popen([sys.argv[1], "-q", "--", "python3", "-c", code], stdout=w)
os.close(w)
total = 0
while data := os.read(r, 65536):
    total += len(data)
assert p.wait() == 0 and total == 1000000, (p.returncode, total)
END
}

@test "with --epochs none nothing stands in between" {
	mkfifo fifo
	start sh -c "exec '$MEMWATCH' -q --epochs none -- readlink /proc/self/fd/1 >fifo"
	[[ $(cat fifo) == */fifo ]]
}

@test "every byte is read along as well as passed on" {
	"$MEMWATCH" -q -o run.csv -i 5ms -- sh -c 'for i in 1 2 3; do
		echo "Epoch $i/3"; for try in $(seq 3000); do grep -q "^[^,]*,[^,]*,$((i - 1))," run.csv && break; sleep 0.01; done
	done' | cat >out
	[ "$(cat out)" = $'Epoch 1/3\nEpoch 2/3\nEpoch 3/3' ]
	[ "$(tail -n 1 run.csv | cut -d, -f3)" -ge 2 ]
}

@test "a relay that is killed is told of once, and the status stays COMMAND's" {
	# shellcheck disable=SC2016  # for COMMAND's shell
	timeout 60 bash -c '"$0" -q -- bash -c "trap \"\" PIPE; echo first
		kill -KILL \$(pgrep -P \$PPID -x memwatch-relay); while echo again; do :; done 2>/dev/null; exit 9" 2>err | cat
		exit "${PIPESTATUS[0]}"' "$MEMWATCH" && status=0 || status=$?
	[ "$status" -eq 9 ]
	cat err
	[ "$(cat err)" = "memwatch: the process that passes on the command's output was killed: nobody reads what it writes from here on" ]
}
