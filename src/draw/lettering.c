/* SPDX-License-Identifier: MIT */
/* Advance widths of DejaVu Sans: other fonts for text on screens are as wide or narrower, so that what does not overlap
 * here overlaps nowhere. */
#include "draw/lettering.h"

#include <stdint.h>
#include <string.h>

#include "base/plain_text.h"

enum { FIRST = ' ', LAST = '~' };

static const uint16_t plain[] = {
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361,  318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
    575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635,  611, 732, 684, 989, 685,
    611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352,  635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592,  525, 636, 337, 636, 838};
static const uint16_t bold[] = {
    348, 456,  521, 838, 696, 1002, 872, 306, 457, 457, 523, 838, 380, 415,  380, 365, 696, 696,  696,
    696, 696,  696, 696, 696, 696,  696, 400, 400, 838, 838, 838, 580, 1000, 774, 762, 734, 830,  683,
    683, 821,  837, 372, 372, 775,  637, 995, 837, 850, 733, 850, 770, 720,  682, 812, 774, 1103, 771,
    724, 725,  457, 365, 457, 838,  500, 500, 675, 716, 593, 716, 678, 435,  716, 712, 343, 343,  665,
    343, 1042, 712, 687, 716, 716,  493, 595, 478, 712, 652, 924, 645, 652,  582, 712, 365, 712,  838};

static const double em = 1000.0;

/* A character that is not ASCII may be as wide as it is high. */
static double advance(const char *c, bool is_bold)
{
	if (*c < FIRST || *c > LAST)
		return em;
	return is_bold ? bold[*c - FIRST] : plain[*c - FIRST];
}

static size_t step(const char *c)
{
	size_t n = utf8_length(c);

	return n ? n : 1;
}

double lettering_width(const char *text, const struct lettering *how)
{
	double sum = 0;

	for (; *text; text += step(text))
		sum += advance(text, how->bold);
	return sum * how->size / em;
}

struct box lettering_box(struct point at, const char *text, const struct lettering *how)
{
	double w = lettering_width(text, how);
	double left = how->anchor == ANCHOR_START ? 0 : how->anchor == ANCHOR_MIDDLE ? w / 2 : w;

	return (struct box){at.x - left, at.y - 0.8 * how->size, w, how->size};
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* A figure stays with its unit ("3.96 MiB", "5 %", "12 s"), and an epoch with its number ("epoch 13"). */
static bool may_break(const char *text, size_t at)
{
	static const char epoch[] = "epoch";
	size_t word = sizeof(epoch) - 1;

	if (text[at] != ' ')
		return false;
	if (at > 0 && is_digit(text[at - 1]))
		return !text[at + 1] || !strchr("BKMGTPs%", text[at + 1]);
	return !(at >= word && memcmp(text + at - word, epoch, word) == 0 && is_digit(text[at + 1]));
}

size_t lettering_break(const char *text, double width, const struct lettering *how, size_t *next)
{
	size_t n = 0, blank = 0;
	double used = 0;

	while (text[n]) {
		used += advance(text + n, how->bold) * how->size / em;
		if (may_break(text, n))
			blank = n;
		else if (text[n] != ' ' && used > width && n > 0)
			break;
		n += step(text + n);
	}
	if (text[n] && blank > 0)
		n = blank;
	*next = n + (text[n] == ' ');
	return n;
}
