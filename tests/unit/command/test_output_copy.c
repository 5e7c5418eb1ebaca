/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "command/output_copy.c"

struct heard {
	size_t bytes[OUTPUT_COPY_STREAMS];
	size_t pieces;
	size_t gaps;
	char text[4096]; /* of stream 1, as far as it fits */
	size_t text_len;
	bool bad;
};

static void hear(void *arg, int stream, const char *bytes, size_t n, int64_t time_ns)
{
	struct heard *h = arg;

	h->bad = h->bad || time_ns <= 0;
	h->gaps += n == 0;
	h->pieces += n > 0;
	h->bytes[stream] += n;
	if (stream == 1 && n > 0 && h->text_len + n < sizeof(h->text)) {
		memcpy(h->text + h->text_len, bytes, n);
		h->text_len += n;
	}
}

static struct output_copy_reader reader;
static struct output_copy_writer writer;

static int open_tap(void **state)
{
	(void)state;
	return output_copy_open(&reader, &writer);
}

static int close_tap(void **state)
{
	(void)state;
	output_copy_close_reader(&reader);
	output_copy_close_writer(&writer);
	return 0;
}

static void neighbours_come_as_one_piece(void **state)
{
	struct heard h = {0};

	(void)state;
	output_copy_put(&writer, 1, "Epoch 1", 7);
	output_copy_put(&writer, 1, "2/20\n", 5);
	output_copy_put(&writer, 2, "x", 1);
	output_copy_put(&writer, 1, "end", 3);
	assert_true(output_copy_read(&reader, 100000, hear, &h));
	assert_int_equal(h.pieces, 3);
	assert_int_equal(h.bytes[2], 1);
	assert_string_equal(h.text, "Epoch 12/20\nend");
	assert_int_equal(h.gaps, 0);
	assert_false(h.bad);
}

static void long_writes_arrive_whole(void **state)
{
	static char big[100000];
	struct heard h = {0};

	(void)state;
	memset(big, 'x', sizeof(big));
	output_copy_put(&writer, 2, big, sizeof(big));
	assert_true(output_copy_read(&reader, 1000000, hear, &h));
	assert_int_equal(h.bytes[2], sizeof(big));
	assert_int_equal(h.gaps, 0);
}

static void a_full_tap_never_waits_and_tells_what_is_missing(void **state)
{
	static char line[1000];
	struct heard h = {0};

	(void)state;
	memset(line, 'y', sizeof(line));
	for (int i = 0; i < 3000; i++)
		output_copy_put(&writer, 1, line, sizeof(line));
	assert_false(output_copy_wants(&writer));
	output_copy_read(&reader, 10000000, hear, &h);
	assert_int_equal(h.gaps, 0);
	assert_in_range(h.bytes[1], 60000, 2000000);
	assert_true(output_copy_wants(&writer));
	output_copy_put(&writer, 1, "z", 1);
	output_copy_put(&writer, 1, "z", 1);
	output_copy_read(&reader, 10000000, hear, &h);
	assert_int_equal(h.gaps, 1);
}

static void a_piece_is_bounded_by_what_was_asked_for(void **state)
{
	static char big[200000];
	struct heard h = {0};

	(void)state;
	output_copy_put(&writer, 1, big, sizeof(big));
	output_copy_read(&reader, 20000, hear, &h);
	assert_in_range(h.bytes[1], 1, 20000 + OUTPUT_COPY_BUFFER_BYTES);
}

static void the_end_of_either_side_is_noticed(void **state)
{
	struct heard h = {0};

	(void)state;
	signal(SIGPIPE, SIG_IGN);
	output_copy_put(&writer, 1, "last", 4);
	output_copy_close_writer(&writer);
	assert_false(output_copy_read(&reader, 100000, hear, &h));
	assert_int_equal(h.bytes[1], 4);
	output_copy_close_reader(&reader);
	assert_int_equal(output_copy_open(&reader, &writer), 0);
	output_copy_close_reader(&reader);
	output_copy_put(&writer, 1, "nobody", 6);
	assert_int_equal(writer.fd, -1);
	assert_false(output_copy_wants(&writer));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(neighbours_come_as_one_piece, open_tap, close_tap),
	    cmocka_unit_test_setup_teardown(long_writes_arrive_whole, open_tap, close_tap),
	    cmocka_unit_test_setup_teardown(a_full_tap_never_waits_and_tells_what_is_missing, open_tap,
					    close_tap),
	    cmocka_unit_test_setup_teardown(a_piece_is_bounded_by_what_was_asked_for, open_tap, close_tap),
	    cmocka_unit_test_setup_teardown(the_end_of_either_side_is_noticed, open_tap, close_tap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
