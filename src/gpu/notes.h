/* SPDX-License-Identifier: MIT */
/* Lines for people, from the GPU thread (one writer) to the main thread (one reader), each text at most
 * once. */
#ifndef GPU_NOTES_H
#define GPU_NOTES_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { GPU_NOTE_MAX = 256, GPU_NOTES_KEPT = 64 };

struct gpu_notes {
	_Atomic unsigned written; /* lines ready for the reader */
	unsigned taken;           /* reader's own */
	char text[GPU_NOTES_KEPT][GPU_NOTE_MAX];
};

/* Lines after the first GPU_NOTES_KEPT different ones are dropped. */
void gpu_note(struct gpu_notes *n, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The next line, lent for good, or NULL. No system call. */
const char *gpu_note_take(struct gpu_notes *n);

#endif
