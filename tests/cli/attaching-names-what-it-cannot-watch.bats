#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
load helper

refuses()
{
	run --separate-stderr "$MEMWATCH" --duration 10ms --pid "$1"
	[ "$status" -eq 125 ]
	says "memwatch: $2"
}

@test "no such process" {
	start true
	wait "$pid"
	refuses "$pid" "--pid: $pid: no such process"
}

@test "a thread is told from its process" {
	start python3 -c 'import threading,time,os
t = threading.Thread(target=time.sleep, args=(100,), daemon=True); t.start()
open("ids", "w").write(str(t.native_id)); os.rename("ids", "thread"); time.sleep(100)'
	await test -e thread
	refuses "$(cat thread)" "--pid: $(cat thread) is a thread of process $pid: give that number"
}

@test "a zombie has ended already" {
	start python3 -c 'import os,time
p = os.fork()
if p == 0: os._exit(0)
os.waitid(os.P_PID, p, os.WEXITED | os.WNOWAIT)
open("z", "w").write(str(p)); os.rename("z", "zombie"); time.sleep(100)'
	await test -e zombie
	refuses "$(cat zombie)" "--pid: $(cat zombie) has ended already (it is a zombie)"
}

@test "a kernel thread has no memory" {
	[ -e /proc/2/comm ] && [ "$(cat /proc/2/comm)" = kthreadd ] || skip "no kernel threads are visible here"
	refuses 2 "--pid: 2 is a kernel thread: it has no memory of its own"
}

@test "in a container the second process is one like any other" {
	run --separate-stderr unshare -pf --mount-proc sh -c 'sleep 100 & [ $! -eq 2 ] || exit 77
		"$0" -q -i 10ms --duration 50ms --pid 2 -o run.csv; status=$?; kill 2; exit $status' "$MEMWATCH"
	[[ ! "$stderr" =~ unshare: ]] && [ "$status" -ne 77 ] || skip "no namespace of process numbers can be made here"
	[ "$status" -eq 0 ]
	says ""
	awk -F, 'NR > 1 && ($4 != 1 || $5 == 0) { print; exit 1 }' run.csv
}

@test "a process whose main thread has ended is watched while another runs" {
	start python3 -c 'import ctypes,threading,time,os
def rest():
    status = "/proc/%d/status" % os.getpid()
    while "State:\tZ" not in open(status).read(): time.sleep(0.01)
    open("z", "w").close(); os.rename("z", "leaderless"); time.sleep(100)
threading.Thread(target=rest).start()
ctypes.CDLL(None).pthread_exit(None)'
	await test -e leaderless
	"$MEMWATCH" -q -i 10ms --duration 50ms --pid "$pid" -o run.csv
	has_rows run.csv 2
	awk -F, 'NR > 1 && ($4 != 1 || $5 < 1000000) { print; exit 1 }' run.csv
}

@test "memwatch itself" {
	run --separate-stderr sh -c 'exec "$0" --pid $$' "$MEMWATCH"
	[ "$status" -eq 125 ]
	[[ "$stderr" =~ ^"memwatch: --pid: "[0-9]+" is memwatch itself"$ ]]
}

@test "one bad process number among good ones is enough" {
	start sleep 100
	run --separate-stderr "$MEMWATCH" --duration 10ms --pid "$pid" --pid 4194305
	[ "$status" -eq 125 ]
	says "memwatch: --pid: 4194305: no such process"
}

@test "process 1 can be watched" {
	"$MEMWATCH" -q -i 10ms --duration 50ms --no-children --pid 1 -o run.csv
	csv_is_whole run.csv
	has_rows run.csv 1
}

@test "another user's process: rss is read, pss is empty, one note" {
	[ "$(id -u)" -eq 0 ] || skip "needs root to become somebody else"
	start sleep 100
	chmod 777 .
	start setpriv --reuid 65534 --regid 65534 --clear-groups "$MEMWATCH" -i 10ms --pid "$pid" -o run.csv 2>words
	await grep -q pss_bytes words
	await_more_rows run.csv 5
	kill -TERM "$pid"
	wait "$pid"
	csv_is_whole run.csv
	awk -F, 'NR > 1 && ($5 == "" || $10 != "") { print; exit 1 }' run.csv
	[ "$(grep -c "pss_bytes stays empty" words)" -eq 1 ]
}

@test "a process hidden by hidepid is said to be hidden" {
	[ "$(id -u)" -eq 0 ] || skip "needs root to mount a /proc of its own"
	start sleep 100
	run --separate-stderr unshare -m sh -c "mount --make-rprivate / && mount -t proc -o hidepid=2 proc /proc &&
		exec setpriv --reuid 65534 --regid 65534 --clear-groups \"\$@\"" sh "$MEMWATCH" --duration 10ms --pid "$pid"
	[[ ! "$stderr" =~ (mount|unshare): ]] || skip "a /proc with hidepid cannot be mounted here"
	[ "$status" -eq 125 ]
	says "memwatch: --pid: $pid: /proc does not show this process to you (mounted with hidepid?)"
}

@test "a name that looks like fields of stat does no harm" {
	cp /bin/sleep 'a) Z 1 (b'
	start './a) Z 1 (b' 100
	"$MEMWATCH" -q -i 10ms --duration 50ms --pid "$pid" -o run.csv
	csv_is_whole run.csv
	awk -F, 'NR > 1 && ($4 != 1 || $5 < 100000) { print; exit 1 }' run.csv
}
