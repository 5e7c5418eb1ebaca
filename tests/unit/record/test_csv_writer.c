/* SPDX-License-Identifier: MIT */
#include "record/csv_writer.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static char path[] = "/tmp/memwatch-test-XXXXXX";

static void set_content(const char *text)
{
	FILE *f = fopen(path, "we");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static const char *content(void)
{
	static char buf[8192];
	FILE *f = fopen(path, "re");
	size_t n;

	assert_non_null(f);
	n = fread(buf, 1, sizeof(buf) - 1, f);
	buf[n] = '\0';
	fclose(f);
	return buf;
}

static struct sample sample_of(int64_t elapsed_ms, uint64_t rss)
{
	struct sample s = {.elapsed_ms = elapsed_ms,
			   .wall_ms = 1500,
			   .epoch = -1,
			   .procs = 1,
			   .pressure_us = -1,
			   .major_faults = -1,
			   .n = CH_HOST_COUNT};

	s.v[CH_RSS] = (struct reading){rss, true};
	return s;
}

/* The empty cells of the columns that come behind the GPUs'. */
static const char *tail(void)
{
	static char commas[CSV_FIELDS + 1];
	int n = 0;

	for (int i = 0; i < CSV_FIELDS; i++)
		if (csv_fields[i].behind_gpus)
			commas[n++] = ',';
	return commas;
}

static void row_leaves_unknown_cells_empty(void **state)
{
	struct csv_writer *o;
	struct sample s = sample_of(1234, 42);
	char expected[512];

	(void)state;
	set_content("");
	assert_int_equal(csv_writer_open(path, false, &o), 0);
	csv_writer_columns(o, NULL, 0);
	csv_writer_row(o, &s);
	s.epoch = 0;
	s.v[CH_LIMIT] = (struct reading){0, true};
	csv_writer_row(o, &s);
	assert_int_equal(csv_writer_close(o), 0);
	snprintf(expected, sizeof(expected), "1.234,1.500,,1,42,,,,,,,,%s\n1.234,1.500,0,1,42,,,,,,,,0%s\n",
		 tail(), tail());
	assert_string_equal(strchr(content(), '\n') + 1, expected);
}

static void rows_wait_for_the_gpu_columns(void **state)
{
	const struct channel gpu[] = {{"gpu0_bytes"}, {"gpu0_total_bytes"}};
	struct csv_writer *o;
	struct sample s = sample_of(1, 7);
	char expected[512];

	(void)state;
	set_content("");
	assert_int_equal(csv_writer_open(path, false, &o), 0);
	csv_writer_row(o, &s);
	assert_string_equal(content(), "");
	csv_writer_columns(o, gpu, 2);
	s.n = CH_HOST_COUNT + 2;
	s.v[CH_HOST_COUNT] = (struct reading){9, true};
	csv_writer_row(o, &s);
	assert_int_equal(csv_writer_close(o), 0);
	snprintf(expected, sizeof(expected), "%s%s\n%s%s\n", "0.001,1.500,,1,7,,,,,,,,,,", tail(),
		 "0.001,1.500,,1,7,,,,,,,,,9,", tail());
	assert_non_null(strstr(content(), ",limit_bytes,gpu0_bytes,gpu0_total_bytes"));
	assert_string_equal(strchr(content(), '\n') + 1, expected);
}

static void delayed_rows_are_bounded(void **state)
{
	struct csv_writer *o;
	struct sample s = sample_of(1, 7);
	size_t rows = 0, lines = 0;
	char line[1024], expected[32];
	FILE *f;

	(void)state;
	set_content("");
	assert_int_equal(csv_writer_open(path, false, &o), 0);
	for (; rows < DELAYED_MAX && content()[0] == '\0'; rows++) {
		s.elapsed_ms = 1000 + (int64_t)rows;
		csv_writer_row(o, &s);
	}
	assert_true(rows < DELAYED_MAX / 20);
	assert_int_equal(csv_writer_close(o), 0);
	f = fopen(path, "re");
	assert_non_null(f);
	for (; fgets(line, sizeof(line), f); lines++) {
		snprintf(expected, sizeof(expected), "%zu.%03zu,", (999 + lines) / 1000,
			 (999 + lines) % 1000);
		if (lines > 0) /* the header */
			assert_memory_equal(line, expected, strlen(expected));
	}
	fclose(f);
	assert_int_equal(lines, rows + 1);
}

static void only_own_files_are_overwritten(void **state)
{
	struct csv_writer *o;

	(void)state;
	set_content("precious");
	assert_int_equal(csv_writer_open(path, false, &o), -EEXIST);
	assert_string_equal(content(), "precious");
	set_content("elapsed_s,time\n1,2\n");
	assert_int_equal(csv_writer_open(path, false, &o), 0);
	assert_int_equal(csv_writer_close(o), 0);
	set_content("precious");
	assert_int_equal(csv_writer_open(path, true, &o), 0);
	assert_int_equal(csv_writer_close(o), 0);
	assert_null(strstr(content(), "precious"));
}

static void full_device_is_reported(void **state)
{
	struct csv_writer *o;
	struct sample s = sample_of(1, 7);

	(void)state;
	assert_int_equal(csv_writer_open("/dev/full", false, &o), 0);
	csv_writer_columns(o, NULL, 0);
	csv_writer_row(o, &s);
	assert_int_equal(csv_writer_trouble(o), CSV_CANNOT_WRITE);
	assert_int_equal(csv_writer_error(o), ENOSPC);
	assert_true(csv_writer_lost(o) > 0);
	csv_writer_close(o);
}

/* A channel without its row would be a column without a name. */
static void every_channel_has_a_column(void **state)
{
	(void)state;
	for (int channel = 0; channel < CH_HOST_COUNT; channel++) {
		int found = 0;

		for (int i = 0; i < CSV_FIELDS; i++)
			found += csv_fields[i].name && csv_fields[i].channel == channel;
		assert_int_equal(found, 1);
	}
}

static int make_file(void **state)
{
	int fd = mkstemp(path);

	(void)state;
	return fd < 0 ? -1 : close(fd);
}

static int remove_file(void **state)
{
	(void)state;
	return unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(row_leaves_unknown_cells_empty),
	    cmocka_unit_test(rows_wait_for_the_gpu_columns),
	    cmocka_unit_test(delayed_rows_are_bounded),
	    cmocka_unit_test(only_own_files_are_overwritten),
	    cmocka_unit_test(full_device_is_reported),
	    cmocka_unit_test(every_channel_has_a_column),
	};

	return cmocka_run_group_tests(tests, make_file, remove_file);
}
