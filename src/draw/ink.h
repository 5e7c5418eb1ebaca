/* SPDX-License-Identifier: MIT */
/* The colours of pictures, by what they stand for: told apart by colour-blind eyes, on light and on dark ground. */
#ifndef DRAW_INK_H
#define DRAW_INK_H

#include <stdint.h>

enum ink {
	INK_GROUND, /* what all is drawn on */
	INK_TEXT,
	INK_QUIET, /* lesser text, axes */
	INK_GRID,
	INK_HELD,    /* what is judged */
	INK_FREE,    /* freed by the program, kept by its allocator */
	INK_PLATEAU, /* a level that is kept */
	INK_GROWTH,
	INK_LIMIT,
	INK_JUMP,
	INK_COUNT
};

struct ink_colour {
	const char *name;     /* of the class in SVG */
	uint32_t light, dark; /* 0xRRGGBB on that ground */
};

extern const struct ink_colour ink_colours[INK_COUNT];

/* For charts of several runs: four inks in turn. */
enum ink ink_of_run(int i);

#endif
