/* SPDX-License-Identifier: MIT */
/* When a row belongs to the moment before it, and what times of day, dates and plain seconds have in common. */
#include "record/log_moments.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "base/xalloc.h"

/* Larger numbers are seconds since 1970, and still larger ones milliseconds. */
#define SINCE_1970_S  1e8
#define SINCE_1970_MS 1e11

enum { DAY_S = 86400, CALLS_MIN = 4 };

void log_moments_init(struct log_moments *m, double slack_s, double interval_s)
{
	memset(m, 0, sizeof(*m));
	m->slack_s = slack_s;
	m->interval_s = interval_s > 0 ? interval_s : 1;
	m->last_s = -1;
}

void log_moments_free(struct log_moments *m)
{
	free(m->list);
	free(m->gpu_uses);
	free(m->calls);
}

static uint64_t hash_of(const struct log_row *row)
{
	uint64_t h = UINT64_C(14695981039346656037);

	for (const char *p = row->key; *p; p++)
		h = (h ^ (unsigned char)*p) * UINT64_C(1099511628211);
	h = (h ^ '/') * UINT64_C(1099511628211);
	for (const char *p = row->gpu; *p; p++)
		h = (h ^ (unsigned char)*p) * UINT64_C(1099511628211);
	return h;
}

/* Has this process a row in the newest moment? Notes it if not. */
static bool seen_before(struct log_moments *m, const struct log_row *row)
{
	enum { KEYS = sizeof(m->keys) / sizeof(m->keys[0]) };
	uint64_t h = hash_of(row);

	for (int i = 0; i < m->key_n; i++)
		if (m->keys[i] == h)
			return true;
	if (m->key_n < KEYS)
		m->keys[m->key_n++] = h;
	return false;
}

/* Seconds since the start of the log. False: they go back. */
static bool since_start(struct log_moments *m, const struct log_row *row, double *was_s, double *is_s)
{
	double s = row->seconds;

	if (m->clock == CLOCK_NONE) {
		m->clock = row->clock;
		m->since_1970 = row->clock == CLOCK_SINCE && s >= SINCE_1970_S;
		m->scale = m->since_1970 && s > SINCE_1970_MS ? 1e-3 : 1;
		m->first_s = row->clock == CLOCK_SINCE && !m->since_1970 ? 0 : s * m->scale;
	}
	s = s * m->scale - m->first_s + m->days_s;
	if (m->clock == CLOCK_DAY && s < m->last_s - DAY_S / 2) {
		m->days_s += DAY_S;
		s += DAY_S;
	}
	*was_s = m->last_s;
	*is_s = s;
	if (row->clock != m->clock || s < m->last_s)
		return false;
	m->last_s = s;
	return true;
}

/* Rows with a time may come after some without: moments do not go back for them. */
static void open_moment(struct log_moments *m, double seconds)
{
	if (m->n > 0)
		seconds = fmax(seconds, (double)m->list[m->n - 1].ms / 1e3);
	if (m->n == m->room) {
		m->room = m->room ? 2 * m->room : 256;
		m->list = xrealloc(m->list, m->room, sizeof(*m->list));
	}
	m->list[m->n++] =
	    (struct log_moment){.ms = llround(seconds * 1e3), .epoch = -1, .gpu_from = m->gpu_n};
	m->opened_s = seconds;
	m->key_n = 0;
	m->apart = false;
}

static void add(struct reading *to, const struct log_figure *f)
{
	if (!f->ok || f->value < 0)
		return;
	to->bytes = (to->ok ? to->bytes : 0) + (uint64_t)llround(f->value);
	to->ok = true;
}

static int slot_of_name(struct log_moments *m, const char *name)
{
	for (int i = 0; i < m->gpus; i++)
		if (strcmp(m->gpu_names[i], name) == 0)
			return i;
	if (m->gpus == LOG_GPUS_MAX)
		return LOG_GPUS_MAX - 1;
	snprintf(m->gpu_names[m->gpus], LOG_ID_MAX, "%s", name);
	return m->gpus++;
}

/* A number is the device's own; names are numbered as they come. */
static int slot_of(struct log_moments *m, const char *gpu)
{
	char *end;
	long number = strtol(gpu, &end, 10);

	if (end == gpu || *end || number < 0 || number >= LOG_GPUS_MAX)
		return slot_of_name(m, gpu);
	if (m->gpus <= number)
		m->gpus = (int)number + 1;
	return (int)number;
}

static struct log_gpu_use *gpu_use(struct log_moments *m, struct log_moment *now, int slot)
{
	for (size_t i = now->gpu_from; i < now->gpu_from + now->gpu_count; i++)
		if (m->gpu_uses[i].slot == slot)
			return &m->gpu_uses[i];
	if (m->gpu_n == m->gpu_room) {
		m->gpu_room = m->gpu_room ? 2 * m->gpu_room : 256;
		m->gpu_uses = xrealloc(m->gpu_uses, m->gpu_room, sizeof(*m->gpu_uses));
	}
	m->gpu_uses[m->gpu_n] = (struct log_gpu_use){.slot = slot};
	now->gpu_count++;
	return &m->gpu_uses[m->gpu_n++];
}

static void add_gpu(struct log_moments *m, struct log_moment *now, const struct log_row *row)
{
	const struct log_figure *used = &row->figures[ROLE_GPU], *total = &row->figures[ROLE_GPU_TOTAL];
	struct log_gpu_use *use;

	if (!used->ok || used->value < 0)
		return;
	use = gpu_use(m, now, slot_of(m, row->gpu));
	use->bytes += (uint64_t)llround(used->value);
	if (total->ok && total->value > 0)
		use->total = (struct reading){(uint64_t)llround(total->value), true};
}

/* A process without resident memory has ended, and its row was written too late. */
static bool has_gone(const struct log_row *row)
{
	return row->figures[ROLE_RSS].ok && row->figures[ROLE_RSS].value <= 0;
}

static bool has_figure(const struct log_row *row)
{
	return row->figures[ROLE_RSS].ok || row->figures[ROLE_GPU].ok;
}

static void add_row(struct log_moments *m, const struct log_row *row)
{
	struct log_moment *now = &m->list[m->n - 1];

	add(&now->rss, &row->figures[ROLE_RSS]);
	add(&now->pss, &row->figures[ROLE_PSS]);
	add(&now->swap, &row->figures[ROLE_SWAP]);
	add(&now->limit, &row->limit);
	if (row->figures[ROLE_PROCS].ok)
		now->procs += llround(row->figures[ROLE_PROCS].value);
	else if (row->figures[ROLE_RSS].ok && *row->key)
		now->procs++;
	add_gpu(m, now, row);
}

bool log_moments_row(struct log_moments *m, const struct log_row *row, double *was_s, double *is_s)
{
	bool timed = row->clock != CLOCK_NONE, first;

	if (has_gone(row)) {
		m->gone++;
		return true;
	}
	if (timed && !since_start(m, row, was_s, is_s))
		return false;
	if (timed)
		first = row->first || m->last_s > m->opened_s + m->slack_s;
	else
		first = !m->given && m->apart;
	if (!has_figure(row)) {
		m->blank++;
		return true;
	}
	/* A second row of the same process is the next moment's, whatever the times say. */
	if (!first && m->n > 0 && !m->given)
		first = seen_before(m, row);
	if (first || m->n == 0 || m->apart) {
		open_moment(m, timed || m->given ? fmax(m->last_s, 0) : (double)m->n * m->interval_s);
		seen_before(m, row);
	}
	add_row(m, row);
	return true;
}

bool log_moments_time(struct log_moments *m, const struct log_row *row, double *was_s, double *is_s)
{
	m->given = true;
	m->apart = true;
	return since_start(m, row, was_s, is_s);
}

void log_moments_table(struct log_moments *m)
{
	if (m->clock == CLOCK_NONE)
		m->apart = m->n > 0;
}

void log_moments_call(struct log_moments *m, const struct log_row *row)
{
	struct log_call *call;

	if (m->call_n == m->call_room) {
		m->call_room = m->call_room ? 2 * m->call_room : 64;
		m->calls = xrealloc(m->calls, m->call_room, sizeof(*m->calls));
	}
	call = &m->calls[m->call_n++];
	memcpy(call->name, row->key, sizeof(call->name));
	call->from_s = row->figures[ROLE_TIME].value;
	call->to_s = row->seconds;
}

static size_t calls_of(const struct log_moments *m, const char *name)
{
	size_t n = 0;

	for (size_t i = 0; i < m->call_n; i++)
		n += strcmp(m->calls[i].name, name) == 0;
	return n;
}

/* The function that was called most often; NULL when none was called often enough to be an epoch. */
static const char *called_most(const struct log_moments *m)
{
	enum { LOOKED_AT = 256 }; /* whichever it is, it is among the first */
	const char *best = NULL;
	size_t most = CALLS_MIN - 1;

	for (size_t i = 0; i < m->call_n && i < LOOKED_AT; i++) {
		size_t n = calls_of(m, m->calls[i].name);

		if (n > most) {
			most = n;
			best = m->calls[i].name;
		}
	}
	return best;
}

static int by_end(const void *a, const void *b)
{
	const struct log_call *x = a, *y = b;

	return (x->to_s > y->to_s) - (x->to_s < y->to_s);
}

/* A call that has returned is an epoch that is over. */
static const char *calls_to_epochs(struct log_moments *m)
{
	const char *most = called_most(m);
	char name[LOG_ID_MAX];
	size_t n = 0, ended = 0;

	if (!most)
		return NULL;
	snprintf(name, sizeof(name), "%s", most);
	for (size_t i = 0; i < m->call_n; i++)
		if (strcmp(m->calls[i].name, name) == 0)
			m->calls[n++] = m->calls[i];
	m->call_n = n;
	qsort(m->calls, n, sizeof(*m->calls), by_end);
	for (size_t i = 0; i < m->n; i++) {
		double now_s = m->first_s + (double)m->list[i].ms / 1e3;

		while (ended < n && m->calls[ended].to_s <= now_s)
			ended++;
		if (now_s >= m->calls[0].from_s)
			m->list[i].epoch = (int64_t)ended;
	}
	return m->calls[0].name;
}

/* mprof's first figure is often that of a process which is yet to become the command. */
static void drop_before_exec(struct log_moments *m)
{
	if (m->n < 2 || !m->list[0].rss.ok || m->list[0].rss.bytes >= MIB)
		return;
	memmove(m->list, m->list + 1, (m->n - 1) * sizeof(*m->list));
	m->n--;
}

const char *log_moments_finish(struct log_moments *m, bool early)
{
	if (early)
		drop_before_exec(m);
	return calls_to_epochs(m);
}
