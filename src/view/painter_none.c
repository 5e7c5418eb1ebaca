/* SPDX-License-Identifier: MIT */
/* The painter of a build without ncurses: there is none to be opened. */
#include "view/painter.h"

#include <errno.h>

int painter_check(void)
{
	return -ENOSYS;
}

int painter_open(struct painter **out, bool ascii)
{
	(void)ascii;
	*out = 0;
	return -ENOSYS;
}

void painter_close(struct painter *p)
{
	(void)p;
}

int painter_fd(const struct painter *p)
{
	(void)p;
	return -1;
}

enum view_key painter_key(struct painter *p, bool *gone)
{
	(void)p;
	*gone = true;
	return VIEW_KEY_NONE;
}

void painter_size(const struct painter *p, int *rows, int *columns)
{
	(void)p;
	*rows = *columns = 0;
}

bool painter_ready(struct painter *p)
{
	(void)p;
	return false;
}

void painter_show(struct painter *p, const struct grid *g)
{
	(void)p;
	(void)g;
}

void painter_forget(struct painter *p)
{
	(void)p;
}

void painter_release(struct painter *p)
{
	(void)p;
}

bool painter_take(struct painter *p)
{
	(void)p;
	return false;
}
