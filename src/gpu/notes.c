/* SPDX-License-Identifier: MIT */
/* Lines for people, handed from the GPU thread to the main thread without a lock. Knows nothing of what they
 * say. */
#include "gpu/notes.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void gpu_note(struct gpu_notes *n, const char *fmt, ...)
{
	unsigned written = atomic_load_explicit(&n->written, memory_order_relaxed);
	va_list ap;

	if (written == GPU_NOTES_KEPT)
		return;
	va_start(ap, fmt);
	vsnprintf(n->text[written], GPU_NOTE_MAX, fmt, ap);
	va_end(ap);
	for (unsigned i = 0; i < written; i++)
		if (strcmp(n->text[i], n->text[written]) == 0)
			return;
	atomic_store_explicit(&n->written, written + 1, memory_order_release);
}

const char *gpu_note_take(struct gpu_notes *n)
{
	if (n->taken == atomic_load_explicit(&n->written, memory_order_acquire))
		return NULL;
	return n->text[n->taken++];
}
