/* SPDX-License-Identifier: MIT */
/* Reads one process list: retries when it does not fit, steps down when a call is refused, and measures how
 * long the entries are instead of believing the symbol's name. Knows nothing of trees or columns. */
#include "gpu/nvml_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

enum { FIRST_CAPACITY = 64, TRIES_MAX = 5, FILL = 0xA5 };

static void step_down(struct nvml_list *l, const struct nvml_lib *lib, enum nvml_list_kind kind,
		      unsigned from)
{
	while (from < NVML_LIST_CALLS && !lib->list[kind][from].fn)
		from++;
	l->chosen[kind] = from;
}

void nvml_list_init(struct nvml_list *l, const struct nvml_lib *lib)
{
	memset(l, 0, sizeof(*l));
	l->capacity = FIRST_CAPACITY;
	l->buf = xcalloc(l->capacity, NVML_ENTRY_MAX);
	for (enum nvml_list_kind kind = 0; kind < NVML_LISTS; kind++)
		step_down(l, lib, kind, 0);
}

void nvml_list_free(struct nvml_list *l)
{
	free(l->buf);
	l->buf = NULL;
}

/* The buffer held FILL before the call: the last byte that differs ends the last entry. Same symbol, three
 * layouts in the field: 16 bytes before 450.66, 24 since, 32 for "_v3" in 535.43 to 535.86. Anything else:
 * the size the call declares. The room of one more entry is enough to see that entries are longer. */
static size_t measure_stride(const struct nvml_list *l, size_t declared)
{
	size_t room = l->n < l->capacity ? l->n + 1 : l->capacity, end = room * NVML_ENTRY_MAX, stride;

	while (end > 0 && l->buf[end - 1] == FILL)
		end--;
	stride = l->n ? end / l->n : 0;
	if (stride * l->n != end || (stride != 16 && stride != 24 && stride != 32))
		return declared;
	return stride;
}

static int call_once(struct nvml_list *l, const struct nvml_list_call *call, struct nvml_device *dev)
{
	int ret;

	memset(l->buf, FILL, (size_t)l->capacity * NVML_ENTRY_MAX);
	l->n = l->capacity;
	ret = call->fn(dev, &l->n, l->buf);
	if (ret != NVML_OK)
		return ret;
	if (l->n > l->capacity)
		l->n = l->capacity;
	l->stride = measure_stride(l, call->entry_bytes);
	if (l->n)
		l->stride_seen = l->stride;
	return NVML_OK;
}

/* One call with room to spare instead of asking for the size first: each call walks all clients under the
 * driver's lock. */
static int call_with_room(struct nvml_list *l, const struct nvml_list_call *call, struct nvml_device *dev)
{
	int ret = NVML_INSUFFICIENT_SIZE;

	for (int i = 0; i < TRIES_MAX && ret == NVML_INSUFFICIENT_SIZE; i++) {
		ret = call_once(l, call, dev);
		if (ret != NVML_INSUFFICIENT_SIZE)
			break;
		if (l->n < l->capacity)
			l->n = l->capacity;
		if (l->n > 1U << 20)
			break;
		l->capacity = 2 * l->n + 4;
		l->buf = xrealloc(l->buf, l->capacity, NVML_ENTRY_MAX);
	}
	return ret;
}

static bool refused(int ret)
{
	return ret == NVML_INVALID_ARGUMENT || ret == NVML_ARGUMENT_VERSION_MISMATCH ||
	       ret == NVML_FUNCTION_NOT_FOUND;
}

int nvml_list_read(struct nvml_list *l, const struct nvml_lib *lib, enum nvml_list_kind kind,
		   struct nvml_device *dev)
{
	int ret = NVML_NOT_SUPPORTED;

	while (l->chosen[kind] < NVML_LIST_CALLS) {
		ret = call_with_room(l, &lib->list[kind][l->chosen[kind]], dev);
		l->worked[kind] |= ret == NVML_OK;
		if (l->worked[kind] || !refused(ret))
			break;
		step_down(l, lib, kind, l->chosen[kind] + 1);
		ret = NVML_NOT_SUPPORTED;
	}
	if (ret != NVML_OK)
		l->n = 0;
	return ret == NVML_NOT_FOUND || ret == NVML_NO_DATA ? NVML_OK : ret;
}

struct nvml_entry nvml_list_at(const struct nvml_list *l, unsigned i)
{
	struct nvml_process_v1 p; /* all layouts begin like this one */

	memcpy(&p, l->buf + i * l->stride, sizeof(p));
	return (struct nvml_entry){.pid = p.pid, .bytes = p.used_bytes};
}

const char *nvml_list_call_name(const struct nvml_list *l, const struct nvml_lib *lib,
				enum nvml_list_kind kind)
{
	return l->chosen[kind] < NVML_LIST_CALLS ? lib->list[kind][l->chosen[kind]].name : NULL;
}
