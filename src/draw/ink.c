/* SPDX-License-Identifier: MIT */
/* After Okabe and Ito; darker on light ground and lighter on dark, so that thin lines are seen too. */
#include "draw/ink.h"

const struct ink_colour ink_colours[INK_COUNT] = {
    [INK_GROUND] = {"ground", 0xffffff, 0x0f1419},   [INK_TEXT] = {"text", 0x1b2127, 0xe8ecf0},
    [INK_QUIET] = {"quiet", 0x59636e, 0xa3adb8},     [INK_GRID] = {"grid", 0xdfe3e8, 0x2e3741},
    [INK_HELD] = {"held", 0x0067a5, 0x5ab4ef},       [INK_FREE] = {"free", 0xe69f00, 0xf0b429},
    [INK_PLATEAU] = {"plateau", 0x007f5c, 0x3fcf9e}, [INK_GROWTH] = {"growth", 0xc84c00, 0xff8b4a},
    [INK_LIMIT] = {"limit", 0xa0246e, 0xf08fc4},     [INK_JUMP] = {"jump", 0x6a4fb0, 0xb9a3f2},
};

enum ink ink_of_run(int i)
{
	static const enum ink inks[] = {INK_HELD, INK_GROWTH, INK_PLATEAU, INK_JUMP};

	return inks[i % 4];
}
