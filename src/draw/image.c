/* SPDX-License-Identifier: MIT */
/* Knows no series: it paints what a drawing says, on light ground. */
#include "draw/image.h"

#include <errno.h>
#include <string.h>

/* A text chunk, whose zero byte is read as a blank. */
bool image_png_wrote(const char *head)
{
	return strstr(head, "PNG") && strstr(head, "tEXtSoftware memwatch ");
}

/* A comment behind the end. */
bool image_pdf_wrote(const char *tail)
{
	return strstr(tail, "%%EOF\n%memwatch ");
}

#ifndef HAVE_CAIRO

const char *image_missing(void)
{
	return "this memwatch was built without cairo";
}

int image_png(FILE *out, const struct drawing *d)
{
	(void)out;
	(void)d;
	return -ENOTSUP;
}

int image_pdf(FILE *out, const struct drawing *d)
{
	return image_png(out, d);
}

#else

#include <cairo-pdf.h>
#include <cairo.h>
#include <dlfcn.h>
#include <stdlib.h>

#include "base/plain_text.h"
#include "base/xalloc.h"

static const char library_name[] = "libcairo.so.2";

/* The functions used, each under its name without "cairo_". */
#define CAIRO_FUNCTIONS(X)                                                                                   \
	X(clip)                                                                                              \
	X(close_path)                                                                                        \
	X(create)                                                                                            \
	X(destroy)                                                                                           \
	X(fill)                                                                                              \
	X(image_surface_create)                                                                              \
	X(line_to)                                                                                           \
	X(move_to)                                                                                           \
	X(new_path)                                                                                          \
	X(pdf_surface_create_for_stream)                                                                     \
	X(rectangle)                                                                                         \
	X(restore)                                                                                           \
	X(save)                                                                                              \
	X(scale)                                                                                             \
	X(select_font_face)                                                                                  \
	X(set_dash)                                                                                          \
	X(set_font_size)                                                                                     \
	X(set_line_cap)                                                                                      \
	X(set_line_join)                                                                                     \
	X(set_line_width)                                                                                    \
	X(set_source_rgba)                                                                                   \
	X(show_text)                                                                                         \
	X(status)                                                                                            \
	X(stroke)                                                                                            \
	X(surface_destroy)                                                                                   \
	X(surface_finish)                                                                                    \
	X(surface_status)                                                                                    \
	X(surface_write_to_png_stream)                                                                       \
	X(text_extents)

#define MEMBER(name) __typeof__ (&cairo_##name)(name);
static struct {
	void *library;
	CAIRO_FUNCTIONS(MEMBER)
} cairo;

static bool load_functions(void)
{
	bool all = true;

#define LOAD(function)                                                                                       \
	cairo.function = (__typeof__(&cairo_##function))dlsym(cairo.library, "cairo_" #function);            \
	all = all && cairo.function;
	CAIRO_FUNCTIONS(LOAD)
	return all;
}

/* Stays loaded: what its libraries have set up for themselves is theirs until the end. */
static bool load(void)
{
	if (cairo.library)
		return true;
	cairo.library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
	if (!cairo.library)
		return false;
	if (load_functions())
		return true;
	dlclose(cairo.library);
	cairo.library = NULL;
	return false;
}

const char *image_missing(void)
{
	return load() ? NULL : "libcairo.so.2 (Debian: libcairo2) cannot be loaded";
}

struct painter {
	struct surface surface;
	cairo_t *cr;
};

static cairo_t *of(struct surface *s)
{
	return ((struct painter *)s)->cr;
}

static void use_ink(cairo_t *cr, enum ink ink, double opacity)
{
	uint32_t c = ink_colours[ink].light;

	cairo.set_source_rgba(cr, (c >> 16) / 255.0, (c >> 8 & 0xff) / 255.0, (c & 0xff) / 255.0, opacity);
}

static void put_path(cairo_t *cr, const struct point *p, int n)
{
	cairo.new_path(cr);
	cairo.move_to(cr, p[0].x, p[0].y);
	for (int i = 1; i < n; i++)
		cairo.line_to(cr, p[i].x, p[i].y);
}

static void paint_polyline(struct surface *s, const struct point *p, int n, const struct stroke *how)
{
	cairo_t *cr = of(s);

	use_ink(cr, how->ink, how->opacity > 0 ? how->opacity : 1);
	cairo.set_line_width(cr, how->width);
	cairo.set_dash(cr, &how->dash, how->dash > 0, 0);
	put_path(cr, p, n);
	cairo.stroke(cr);
}

static void paint_area(struct surface *s, const struct point *p, int n, enum ink ink, double opacity)
{
	cairo_t *cr = of(s);

	use_ink(cr, ink, opacity);
	put_path(cr, p, n);
	cairo.close_path(cr);
	cairo.fill(cr);
}

static void paint_text(struct surface *s, struct point at, const char *text, const struct lettering *how)
{
	cairo_t *cr = of(s);
	char *fit = xstrdup(text);
	cairo_text_extents_t size;
	double left;

	plain_text(fit);
	cairo.select_font_face(cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
			       how->bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
	cairo.set_font_size(cr, how->size);
	cairo.text_extents(cr, fit, &size);
	left = how->anchor == ANCHOR_START ? 0 : how->anchor == ANCHOR_MIDDLE ? 0.5 : 1;
	use_ink(cr, how->ink, 1);
	cairo.move_to(cr, at.x - left * size.x_advance, at.y);
	cairo.show_text(cr, fit);
	free(fit);
}

static void paint_begin(struct surface *s, const char *name, const char *title, const struct box *clip)
{
	cairo_t *cr = of(s);

	(void)name;
	(void)title;
	cairo.save(cr);
	if (!clip)
		return;
	cairo.new_path(cr);
	cairo.rectangle(cr, clip->x, clip->y, clip->w, clip->h);
	cairo.clip(cr);
}

static void paint_end(struct surface *s)
{
	cairo.restore(of(s));
}

static const struct surface_kind kind = {.polyline = paint_polyline,
					 .area = paint_area,
					 .text = paint_text,
					 .begin = paint_begin,
					 .end = paint_end};

static int paint(cairo_surface_t *on, const struct drawing *d, double scale)
{
	struct painter painter = {{&kind}, cairo.create(on)};
	int err;

	cairo.scale(painter.cr, scale, scale);
	cairo.set_line_cap(painter.cr, CAIRO_LINE_CAP_ROUND);
	cairo.set_line_join(painter.cr, CAIRO_LINE_JOIN_ROUND);
	surface_rect(&painter.surface, &(struct box){0, 0, d->width, d->height}, INK_GROUND, 1);
	d->draw(d->what, &painter.surface);
	err = cairo.status(painter.cr) == CAIRO_STATUS_SUCCESS ? 0 : -ENOMEM;
	cairo.destroy(painter.cr);
	return err;
}

static uint32_t crc32_of(const char *bytes, size_t n)
{
	uint32_t crc = UINT32_MAX;

	for (size_t i = 0; i < n; i++) {
		crc ^= (unsigned char)bytes[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc & 1 ? crc >> 1 ^ UINT32_C(0xedb88320) : crc >> 1;
	}
	return ~crc;
}

static void put_big_endian(FILE *out, uint32_t v)
{
	const unsigned char bytes[] = {(unsigned char)(v >> 24), (unsigned char)(v >> 16),
				       (unsigned char)(v >> 8), (unsigned char)v};

	fwrite(bytes, 1, sizeof(bytes), out);
}

static void put_sign(FILE *out)
{
	static const char chunk[] = "tEXtSoftware\0memwatch " MEMWATCH_VERSION;
	const size_t type = 4, n = sizeof(chunk) - 1;

	put_big_endian(out, (uint32_t)(n - type));
	fwrite(chunk, 1, n, out);
	put_big_endian(out, crc32_of(chunk, n));
}

static cairo_status_t write_bytes(void *closure, const unsigned char *bytes, unsigned n)
{
	fwrite(bytes, 1, n, closure);
	return CAIRO_STATUS_SUCCESS;
}

/* The signature and the first chunk, of 13 bytes, come before any text. */
static void put_png(FILE *out, const char *png, size_t n)
{
	const size_t header = 8 + 4 + 4 + 13 + 4;

	if (n < header)
		return;
	fwrite(png, 1, header, out);
	put_sign(out);
	fwrite(png + header, 1, n - header, out);
}

static int encode_png(FILE *out, cairo_surface_t *image)
{
	char *png = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&png, &n);
	bool done;

	if (!f)
		return -ENOMEM;
	done = cairo.surface_write_to_png_stream(image, write_bytes, f) == CAIRO_STATUS_SUCCESS;
	done = fclose(f) == 0 && done;
	if (done)
		put_png(out, png, n);
	free(png);
	return done ? 0 : -ENOMEM;
}

/* Two pixels for each unit are sharp on any screen; a very long picture has one, or it would take too much memory. */
static double pixels_per_unit(const struct drawing *d)
{
	return d->height < 6000 ? 2 : 1;
}

int image_png(FILE *out, const struct drawing *d)
{
	double scale = pixels_per_unit(d);
	cairo_surface_t *image;
	int err;

	if (!load())
		return -ENOTSUP;
	image =
	    cairo.image_surface_create(CAIRO_FORMAT_RGB24, (int)(d->width * scale), (int)(d->height * scale));
	err = paint(image, d, scale);
	if (!err)
		err = encode_png(out, image);
	cairo.surface_destroy(image);
	return err;
}

/* A unit is a pixel, of which 96 are an inch; a point is a 72nd of it. */
int image_pdf(FILE *out, const struct drawing *d)
{
	static const double scale = 72.0 / 96.0;
	cairo_surface_t *page;
	int err;

	if (!load())
		return -ENOTSUP;
	page = cairo.pdf_surface_create_for_stream(write_bytes, out, d->width * scale, d->height * scale);
	err = paint(page, d, scale);
	cairo.surface_finish(page);
	if (cairo.surface_status(page) != CAIRO_STATUS_SUCCESS)
		err = -ENOMEM;
	cairo.surface_destroy(page);
	fputs("%memwatch " MEMWATCH_VERSION "\n", out);
	return err;
}

#endif
