/* SPDX-License-Identifier: MIT */
/* A command that says what it sees: descriptors, signals, limits, environment, terminal. The transparency table
 * runs it bare and wrapped and compares the words. It knows nothing of memwatch. Usage: probe VERB [ARG]...
 * Reports are appended to ./log, so that the standard descriptors stay free to be closed, full or a terminal. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum { FD_SCAN_MAX = 1024, POLL_US = 2000 };

extern char **environ;

static void append_log(const char *text, size_t len)
{
	int fd = open("log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);

	if (fd < 0 || write(fd, text, len) != (ssize_t)len)
		_exit(99);
	close(fd);
}

__attribute__((format(printf, 1, 2))) static void report(const char *fmt, ...)
{
	char text[512];
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	append_log(text, len < (int)sizeof(text) ? (size_t)len : sizeof(text) - 1);
}

static void report_bytes(const char *name, const char *bytes, size_t len)
{
	report("%s ", name);
	for (size_t i = 0; i < len; i++)
		report("%02x", (unsigned char)bytes[i]);
	report("\n");
}

static const char *type_name(mode_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFCHR:
		return "chr";
	case S_IFIFO:
		return "pipe";
	case S_IFREG:
		return "reg";
	case S_IFSOCK:
		return "sock";
	case S_IFDIR:
		return "dir";
	default:
		return "other";
	}
}

static void show_fds(void)
{
	for (int fd = 0; fd < FD_SCAN_MAX; fd++) {
		struct stat st;

		if (fstat(fd, &st) < 0)
			continue;
		report("fd %d %s flags %o cloexec %d offset %lld\n", fd, type_name(st.st_mode),
		       (unsigned int)fcntl(fd, F_GETFL) & (O_ACCMODE | O_APPEND | O_NONBLOCK | O_ASYNC),
		       fcntl(fd, F_GETFD), (long long)lseek(fd, 0, SEEK_CUR));
	}
}

static void show_args(int argc, char **argv)
{
	for (int i = 0; i < argc; i++)
		report_bytes("arg", argv[i], strlen(argv[i]));
}

static void show_environment(void)
{
	for (char **e = environ; *e; e++)
		report("env %s\n", *e);
}

static void show_limits(void)
{
	for (int i = 0; i < (int)RLIMIT_NLIMITS; i++) {
		struct rlimit lim = {0, 0};

		getrlimit((__rlimit_resource_t)i, &lim);
		report("limit %d soft %lld hard %lld\n", i, (long long)lim.rlim_cur, (long long)lim.rlim_max);
	}
}

/* Lines of /proc/self/status that a command inherits. */
static const char *const status_lines[] = {
    "Umask:",      "Uid:",     "Gid:",          "Groups:",       "SigPnd:",     "ShdPnd:", "SigBlk:",
    "SigIgn:",     "SigCgt:",  "CapInh:",       "CapPrm:",       "CapEff:",     "CapBnd:", "CapAmb:",
    "NoNewPrivs:", "Seccomp:", "Cpus_allowed:", "Mems_allowed:", "THP_enabled:"};

static void show_status(void)
{
	char line[4096];
	FILE *f = fopen("/proc/self/status", "re");

	while (f && fgets(line, sizeof(line), f))
		for (size_t i = 0; i < sizeof(status_lines) / sizeof(*status_lines); i++)
			if (!strncmp(line, status_lines[i], strlen(status_lines[i])))
				report("%s", line);
	if (f)
		fclose(f);
}

static void show_file(const char *path)
{
	char text[400] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	text[len > 0 ? len : 0] = '\0';
	report("%s %s\n", path, text);
}

static void show_link(const char *path)
{
	char text[400] = "";
	ssize_t len = readlink(path, text, sizeof(text) - 1);

	text[len > 0 ? len : 0] = '\0';
	report("%s %s\n", path, text);
}

static void show_attributes(void)
{
	static const char *const files[] = {"/proc/self/oom_score_adj", "/proc/self/coredump_filter",
					    "/proc/self/personality",   "/proc/self/cgroup",
					    "/proc/self/timerslack_ns", "/proc/self/attr/current"};
	static const char *const links[] = {"/proc/self/cwd",    "/proc/self/root",   "/proc/self/ns/mnt",
					    "/proc/self/ns/net", "/proc/self/ns/pid", "/proc/self/ns/user",
					    "/proc/self/ns/uts"};
	struct sched_param param = {0};
	int pdeath = -1;

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		show_file(files[i]);
	for (size_t i = 0; i < sizeof(links) / sizeof(*links); i++)
		show_link(links[i]);
	sched_getparam(0, &param);
	prctl(PR_GET_PDEATHSIG, &pdeath);
	report("nice %d\n", getpriority(PRIO_PROCESS, 0));
	report("sched %d priority %d\n", sched_getscheduler(0), param.sched_priority);
	report("ioprio %ld\n", syscall(SYS_ioprio_get, 1, 0));
	report("pdeathsig %d dumpable %d keepcaps %d securebits %d\n", pdeath, prctl(PR_GET_DUMPABLE),
	       prctl(PR_GET_KEEPCAPS), prctl(PR_GET_SECUREBITS));
}

static void show_terminal_of(int fd)
{
	struct winsize ws = {0};
	struct termios t;

	memset(&t, 0, sizeof(t));
	report("terminal %d %d", fd, isatty(fd));
	if (!ioctl(fd, TIOCGWINSZ, &ws))
		report(" size %d %d %d %d", ws.ws_row, ws.ws_col, ws.ws_xpixel, ws.ws_ypixel);
	if (!tcgetattr(fd, &t))
		report(" modes %x %x %x %x speed %x", t.c_iflag, t.c_oflag, t.c_cflag, t.c_lflag,
		       cfgetospeed(&t));
	report("\n");
	if (isatty(fd))
		report_bytes("keys", (const char *)t.c_cc, sizeof(t.c_cc));
}

static void show_terminal(void)
{
	int fd = open("/dev/tty", O_RDWR | O_CLOEXEC);

	for (int i = 0; i < 3; i++)
		show_terminal_of(i);
	report("controlling terminal %s\n", fd < 0 ? strerrorname_np(errno) : "yes");
	if (fd >= 0) {
		report("foreground %d\n", tcgetpgrp(fd) == getpgrp());
		report("terminal's session is ours %d\n", tcgetsid(fd) == getsid(0));
		close(fd);
	}
	report("group is the session's %d\n", getpgrp() == getsid(0));
}

static int show_state(int argc, char **argv)
{
	show_fds();
	show_args(argc, argv);
	show_environment();
	show_limits();
	show_status();
	show_attributes();
	show_terminal();
	return 0;
}

static int do_exit(int argc, char **argv)
{
	return argc > 2 ? atoi(argv[2]) : 0;
}

static int do_die(int argc, char **argv)
{
	int sig = argc > 2 ? atoi(argv[2]) : SIGKILL;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, sig);
	signal(sig, SIG_DFL);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	kill(getpid(), sig);
	pause();
	return 98;
}

/* Logs each signal as it arrives, in order, until the last real-time signal but one. */
static int do_collect(int argc, char **argv)
{
	sigset_t set;
	siginfo_t info;

	(void)argc, (void)argv;
	sigfillset(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	report("ready %d\n", getpid());
	for (;;) {
		int sig = sigwaitinfo(&set, &info);

		if (sig == SIGRTMAX - 1)
			return 0;
		if (sig > 0 && sig != SIGCONT)
			report("got %d code %d value %d\n", sig, info.si_code,
			       info.si_code == SI_QUEUE ? info.si_value.sival_int : 0);
		else if (sig > 0)
			report("continued\n");
	}
}

static volatile sig_atomic_t resized;

static void on_winch(int sig)
{
	(void)sig;
	resized = resized + 1;
}

/* Logs the size at the start and after each of ARG changes. */
static int do_winch(int argc, char **argv)
{
	int seen = 0, want = argc > 2 ? atoi(argv[2]) : 1;
	sigset_t winch, old;
	struct winsize ws;

	sigemptyset(&winch);
	sigaddset(&winch, SIGWINCH);
	sigprocmask(SIG_BLOCK, &winch, &old);
	signal(SIGWINCH, on_winch);
	ioctl(0, TIOCGWINSZ, &ws);
	report("size %d %d\n", ws.ws_row, ws.ws_col);
	while (seen < want) {
		while (resized == seen)
			sigsuspend(&old);
		seen = resized;
		ioctl(0, TIOCGWINSZ, &ws);
		report("size %d %d\n", ws.ws_row, ws.ws_col);
	}
	return 0;
}

/* Raw mode: the next ARG bytes as they come, Ctrl-C and all. */
static int do_raw(int argc, char **argv)
{
	int want = argc > 2 ? atoi(argv[2]) : 1;
	struct termios old, raw;

	tcgetattr(0, &old);
	raw = old;
	cfmakeraw(&raw);
	tcsetattr(0, TCSANOW, &raw);
	dprintf(1, "raw>");
	for (int i = 0; i < want; i++) {
		char c;

		if (read(0, &c, 1) != 1)
			break;
		report_bytes("key", &c, 1);
	}
	tcsetattr(0, TCSANOW, &old);
	return 0;
}

static int do_getpass(int argc, char **argv)
{
	int fd = open("/dev/tty", O_RDWR | O_CLOEXEC);
	struct termios old, quiet;
	char word[100];
	ssize_t len;

	(void)argc, (void)argv;
	if (fd < 0)
		return 97;
	tcgetattr(fd, &old);
	quiet = old;
	quiet.c_lflag &= ~(tcflag_t)ECHO;
	tcsetattr(fd, TCSAFLUSH, &quiet);
	dprintf(fd, "Password: ");
	len = read(fd, word, sizeof(word));
	tcsetattr(fd, TCSAFLUSH, &old);
	report_bytes("password", word, len > 0 ? (size_t)len : 0);
	return 0;
}

static int do_stop(int argc, char **argv)
{
	report("stopping\n");
	raise(argc > 2 ? atoi(argv[2]) : SIGSTOP);
	report("continued\n");
	return 7;
}

/* Ends when ./go exists; says when it began and that it ended. */
static int do_linger(int argc, char **argv)
{
	(void)argc, (void)argv;
	report("ready %d\n", getpid());
	while (access("go", F_OK))
		usleep(POLL_US);
	dprintf(1, "lingered\n");
	report("end\n");
	return 0;
}

static int do_vfork(int argc, char **argv)
{
	int status = -1;
	pid_t pid = vfork();

	if (pid == 0) {
		execl("/proc/self/exe", argv[0], "exit", argc > 2 ? argv[2] : "0", (char *)NULL);
		_exit(96);
	}
	waitpid(pid, &status, 0);
	report("vfork child status %d\n", status);
	return 0;
}

/* A child of ours forks a grandchild and ends: the grandchild must vanish once it ends, not stay a zombie. */
static int do_orphan(int argc, char **argv)
{
	int ends[2], status;
	pid_t pid, grandchild = 0;

	(void)argc, (void)argv;
	if (pipe(ends))
		return 95;
	pid = fork();
	if (pid == 0) {
		grandchild = fork();
		if (grandchild == 0) {
			usleep(POLL_US);
			_exit(5);
		}
		_exit(write(ends[1], &grandchild, sizeof(grandchild)) == sizeof(grandchild) ? 0 : 94);
	}
	waitpid(pid, &status, 0);
	if (read(ends[0], &grandchild, sizeof(grandchild)) != sizeof(grandchild))
		return 93;
	while (!kill(grandchild, 0))
		usleep(POLL_US);
	report("orphan gone %s, own children %d\n", strerrorname_np(errno), waitpid(-1, &status, WNOHANG));
	return 0;
}

/* Leaves a daemon behind that keeps every descriptor and ends when ./go exists. */
static int do_daemon(int argc, char **argv)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		setsid();
		if (fork() == 0)
			_exit(do_linger(argc, argv));
		_exit(0);
	}
	waitpid(pid, &status, 0);
	return 4;
}

static int do_killgroup(int argc, char **argv)
{
	(void)argc, (void)argv;
	signal(SIGUSR1, SIG_IGN);
	kill(0, SIGUSR1);
	return 0;
}

static const struct verb {
	const char *name;
	int (*run)(int argc, char **argv);
} verbs[] = {
    {"collect", do_collect}, {"daemon", do_daemon},       {"die", do_die},       {"exit", do_exit},
    {"getpass", do_getpass}, {"killgroup", do_killgroup}, {"linger", do_linger}, {"orphan", do_orphan},
    {"raw", do_raw},         {"state", show_state},       {"stop", do_stop},     {"vfork", do_vfork},
    {"winch", do_winch},
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof(verbs) / sizeof(*verbs); i++)
		if (!strcmp(argv[1], verbs[i].name))
			return verbs[i].run(argc, argv);
	return show_state(argc, argv);
}
