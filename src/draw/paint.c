/* SPDX-License-Identifier: MIT */
/* The eight colours that every terminal with colours has; they differ in brightness too, for eyes that do not tell red
 * from green. */
#include "draw/paint.h"

static const char *const paints[CANVAS_COUNT] = {
    [CANVAS_NONE] = "",          [CANVAS_EPOCH] = "\033[2m",   [CANVAS_CURVE] = "\033[36m",
    [CANVAS_FREE] = "\033[34m",  [CANVAS_FLOOR] = "\033[32m",  [CANVAS_FIT] = "\033[1;33m",
    [CANVAS_LIMIT] = "\033[31m", [CANVAS_JUMP] = "\033[1;35m", [CANVAS_TEXT] = "",
};

static int used_columns(const struct canvas *c, int row)
{
	enum canvas_role role;
	int n = canvas_columns(c);

	while (n > 0 && canvas_glyph(c, n - 1, row, &role) == ' ')
		n--;
	return n;
}

/* From one paint to another. */
static void change(FILE *out, const char **paint, const char *to)
{
	if (*paint == to)
		return;
	if (**paint)
		fputs("\033[0m", out);
	fputs(to, out);
	*paint = to;
}

static void paint_row(FILE *out, const struct canvas *c, int row, bool colours)
{
	int n = used_columns(c, row);
	const char *paint = paints[CANVAS_NONE];
	enum canvas_role role;
	char text[UTF8_MAX];

	for (int i = 0; i < n; i++) {
		canvas_utf8(text, canvas_glyph(c, i, row, &role));
		if (colours)
			change(out, &paint, paints[role]);
		fputs(text, out);
	}
	change(out, &paint, paints[CANVAS_NONE]);
	fputc('\n', out);
}

void paint_canvas(FILE *out, const struct canvas *c, bool colours)
{
	for (int row = 0; row < canvas_rows(c); row++)
		paint_row(out, c, row, colours);
}
