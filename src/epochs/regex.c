/* SPDX-License-Identifier: MIT */
/* Bounds on what regcomp(3) and regexec(3) take: the copies that repetitions make are counted before, processor time and
 * memory while matching. */
#include "epochs/regex.h"

#include <ctype.h>
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/xalloc.h"

enum {
	LENGTH_MAX = 1000, /* of an expression: parentheses nest on the stack */
	COPIES_MAX = 500,  /* glibc writes repetitions out, and its graph grows with the square of them */
	TRIAL_LINES = 15,  /* five of each of three alphabets */
};

#define TRIAL_NS    (1 * NS_PER_S)      /* before COMMAND starts, of somebody who waits for it */
#define ONE_LINE_NS (500 * NS_PER_MS)   /* no sample is taken meanwhile */
#define ALL_NS      (1 * NS_PER_S)      /* in all, unless that is less than a tenth of the run */
#define CACHE_BYTES ((size_t)16 << 20)  /* states that glibc keeps: then it is compiled anew */
#define TRIAL_BYTES ((size_t)256 << 20) /* of states in all: as many on any machine, quick or slow */

struct epoch_regex {
	const char *text;
	regex_t compiled;
	size_t base_bytes;    /* allocated by memwatch when it was compiled */
	size_t dropped_bytes; /* of states, each time it was compiled anew */
	int64_t begun_ns, spent_ns;
	bool given_up;
};

/* A group that is being read: what its parts come to so far, and the last of them, which a repetition multiplies. */
struct group {
	double sum, last;
};

static const char *skip_bracket(const char *p)
{
	p += p[1] == '^' ? 2 : 1;
	if (*p == ']')
		p++;
	while (*p && *p != ']') {
		if (*p == '[' && (p[1] == ':' || p[1] == '.' || p[1] == '=')) {
			const char end[] = {p[1], ']', '\0'};
			const char *close = strstr(p + 2, end);

			p = close ? close + 1 : p;
		}
		p++;
	}
	return p;
}

/* "{2,5}" makes five copies, "{2,}" three; p is at the '{'. */
static double braces(const char *p)
{
	char *end;
	double low = (double)strtoul(p + 1, &end, 10);

	if (*end != ',')
		return low;
	return end[1] == '}' ? low + 1 : (double)strtoul(end + 1, NULL, 10);
}

/* How often the part before p is written out, as regcomp() does; 0: no repetition is here. '+' is one and a '*'. */
static double repetition(const char *p)
{
	double times;

	if (*p == '*' || *p == '?')
		return 1;
	if (*p == '+')
		return 2;
	if (*p != '{' || !strchr(p, '}'))
		return 0;
	times = braces(p);
	return times > 1 ? times : 1;
}

static void end_group(struct group **g)
{
	double all = (*g)->sum + (*g)->last;

	(*g)--;
	(*g)->sum += (*g)->last;
	(*g)->last = all;
}

/* A character, a bracket or the beginning of a group; its last byte comes back. */
static const char *take_part(struct group **g, const char *p)
{
	(*g)->sum += (*g)->last;
	(*g)->last = *p != '(';
	if (*p == '(')
		*++*g = (struct group){0, 0};
	else if (*p == '[')
		return skip_bracket(p);
	return *p == '\\' && p[1] ? p + 1 : p;
}

/* How many characters repetitions add to those that are written. */
static double count_copies(const char *regex)
{
	struct group stack[LENGTH_MAX + 1] = {{0, 0}}, *g = stack;
	double written = 0;

	for (const char *p = regex; *p; p++) {
		double times = repetition(p);

		if (times > 0) {
			g->last *= times;
			p = *p == '{' ? strchr(p, '}') : p;
		} else if (*p == ')' && g > stack) {
			end_group(&g);
		} else {
			written += *p != '(';
			p = take_part(&g, p);
		}
		if (!*p)
			break;
	}
	while (g > stack)
		end_group(&g);
	return g->sum + g->last - written;
}

static bool has_back_reference(const char *regex)
{
	for (const char *p = strchr(regex, '\\'); p && p[1]; p = strchr(p + 2, '\\'))
		if (p[1] >= '1' && p[1] <= '9')
			return true;
	return false;
}

static const char *refusal(const char *regex)
{
	if (has_back_reference(regex))
		return "back-references are not supported";
	if (strlen(regex) > LENGTH_MAX)
		return "it is longer than 1,000 bytes";
	if (count_copies(regex) > COPIES_MAX)
		return "its repetitions come to more than 500 copies";
	return NULL;
}

static size_t allocated_bytes(void)
{
	struct mallinfo2 m = mallinfo2();

	return m.uordblks + m.hblkhd;
}

int epoch_regex_new(const char *regex, struct epoch_regex **out, char *why, size_t why_size)
{
	struct epoch_regex *r;
	const char *no = refusal(regex);
	int err;

	if (no) {
		snprintf(why, why_size, "%s", no);
		return -EINVAL;
	}
	r = xcalloc(1, sizeof(*r));
	r->text = regex;
	err = regcomp(&r->compiled, regex, REG_EXTENDED);
	if (err) {
		regerror(err, &r->compiled, why, why_size);
		free(r);
		return -EINVAL;
	}
	r->base_bytes = allocated_bytes();
	r->begun_ns = clock_mono_ns();
	*out = r;
	return 0;
}

void epoch_regex_free(struct epoch_regex *r)
{
	if (!r)
		return;
	regfree(&r->compiled);
	free(r);
}

/* glibc keeps every state that a line has led to, for the life of the expression. */
static void drop_states(struct epoch_regex *r)
{
	size_t now_bytes = allocated_bytes();

	if (now_bytes < r->base_bytes + CACHE_BYTES)
		return;
	r->dropped_bytes += now_bytes - r->base_bytes;
	regfree(&r->compiled);
	if (regcomp(&r->compiled, r->text, REG_EXTENDED) != 0) {
		memset(&r->compiled, 0, sizeof(r->compiled));
		r->given_up = true;
	}
	r->base_bytes = allocated_bytes();
}

static void account(struct epoch_regex *r, int64_t took_ns)
{
	r->spent_ns += took_ns;
	if (took_ns > NS_PER_MS)
		drop_states(r);
	if (took_ns > ONE_LINE_NS ||
	    (r->spent_ns > ALL_NS && r->spent_ns > (clock_mono_ns() - r->begun_ns) / 10))
		r->given_up = true;
}

bool epoch_regex_match(struct epoch_regex *r, const char *text, regmatch_t m[2])
{
	int64_t begun_ns;
	bool found;

	if (r->given_up)
		return false;
	begun_ns = clock_thread_cpu_ns();
	found = regexec(&r->compiled, text, 2, m, 0) == 0;
	account(r, clock_thread_cpu_ns() - begun_ns);
	return found;
}

bool epoch_regex_given_up(const struct epoch_regex *r)
{
	return r->given_up;
}

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 16;
}

/* The characters of a trial's line, each once: all that mean themselves in the expression, its letters, or two of them. */
static size_t choose_alphabet(char own[LENGTH_MAX + 1], const char *regex, int kind)
{
	size_t n = 0;

	own[0] = '\0';
	for (const char *p = regex; *p && (kind < 2 || n < 2); p++) {
		if (strchr(own, *p) || (kind ? !isalpha((unsigned char)*p) : !!strchr("()[]{}|*+?^$\\.", *p)))
			continue;
		own[n++] = *p;
		own[n] = '\0';
	}
	if (n == 0)
		own[n++] = 'a';
	return n;
}

/* In an order without a pattern they lead the expression into as many states as there are. */
static void make_line(char line[REGEX_LINE_MAX + 1], const char *regex, int kind, uint32_t *seed)
{
	char own[LENGTH_MAX + 1];
	size_t n = choose_alphabet(own, regex, kind);

	for (size_t i = 0; i < REGEX_LINE_MAX; i++)
		line[i] = own[next_random(seed) % n];
	line[REGEX_LINE_MAX] = '\0';
}

static bool passes(const char *regex)
{
	char line[REGEX_LINE_MAX + 1], why[8];
	struct epoch_regex *r;
	regmatch_t m[2];
	uint32_t seed = 1;
	int64_t begun_ns = clock_thread_cpu_ns();
	bool quick = true;

	if (epoch_regex_new(regex, &r, why, sizeof(why)) != 0)
		return true; /* and told why elsewhere */
	for (int i = 0; i < TRIAL_LINES && quick; i++) {
		make_line(line, regex, i % 3, &seed);
		epoch_regex_match(r, line, m);
		quick = clock_thread_cpu_ns() - begun_ns < TRIAL_NS && r->dropped_bytes < TRIAL_BYTES &&
			!r->given_up;
	}
	return quick;
}

static _Noreturn void become_trial(const char *regex, int fd)
{
	const struct rlimit none = {0, 0}, seconds = {3, 3};

	setrlimit(RLIMIT_CORE, &none);
	setrlimit(RLIMIT_CPU, &seconds);
	if (passes(regex) && write(fd, "p", 1) != 1)
		_exit(1);
	_exit(0);
}

/* Whether a trial was made at all and did not pass. */
static bool fails_trial(const char *regex)
{
	ssize_t n;
	int fds[2];
	char passed;
	pid_t pid;

	if (pipe(fds) != 0)
		return false;
	pid = fork();
	if (pid == 0)
		become_trial(regex, fds[1]);
	close(fds[1]);
	do
		n = pid > 0 ? read(fds[0], &passed, 1) : -1;
	while (n < 0 && pid > 0 && errno == EINTR);
	close(fds[0]);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	return n == 0;
}

int epoch_regex_try(const char *regex, char *why, size_t why_size)
{
	struct epoch_regex *r;
	int err = epoch_regex_new(regex, &r, why, why_size);

	if (err)
		return err;
	epoch_regex_free(r);
	if (!fails_trial(regex))
		return 0;
	snprintf(why, why_size, "it takes too long to match");
	return -EINVAL;
}
