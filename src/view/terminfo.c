/* SPDX-License-Identifier: MIT */
/* Asks terminfo without taking the terminal. */
#include "view/terminfo.h"

#include <curses.h>
#include <term.h>

bool terminfo_has_screen(int tty)
{
	int found;
	bool has = setupterm(NULL, tty, &found) == OK && cursor_address;

	if (cur_term)
		del_curterm(cur_term);
	return has;
}

static char *put_at, *put_end;

static int put_byte(int c)
{
	if (put_at < put_end)
		*put_at++ = (char)c;
	return c;
}

size_t terminfo_leave(char *buf, size_t size)
{
	const char *const texts[] = {keypad_local, orig_pair, exit_attribute_mode, cursor_normal,
				     exit_ca_mode};

	put_at = buf;
	put_end = buf + size;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (texts[i])
			tputs(texts[i], 1, put_byte);
	return (size_t)(put_at - buf);
}
