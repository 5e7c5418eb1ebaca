/* SPDX-License-Identifier: MIT */
/* A tiny buffer makes every row meet its edge at some time. */
#define CSV_READER_BUFFER 160
#include "record/csv_reader.c"

#include <setjmp.h>
#include <stdarg.h>
#include <sys/mman.h>

#include <cmocka.h>

static int file_of(const char *text, size_t n)
{
	int fd = memfd_create("csv", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, n), (ssize_t)n);
	lseek(fd, 0, SEEK_SET);
	return fd;
}

struct seen {
	int rows, rc;
	int64_t last_ms, last_epoch;
	struct reading rss, anon;
	struct csv_reader_damage damage;
};

static struct seen read_all(const char *text)
{
	int fd = file_of(text, strlen(text));
	struct seen seen = {0};
	const struct sample *s;
	struct csv_reader *r;
	char why[CSV_WHY_MAX];

	assert_int_equal(csv_reader_open(&r, fd, NULL, 0, why), 0);
	while ((seen.rc = csv_reader_next(r, &s)) > 0) {
		seen.rows++;
		seen.last_ms = s->elapsed_ms;
		seen.last_epoch = s->epoch;
		seen.rss = s->v[CH_RSS];
		seen.anon = s->v[CH_ANON];
	}
	seen.damage = *csv_reader_damage(r);
	csv_reader_close(r);
	close(fd);
	return seen;
}

#define HEAD "elapsed_s,epoch,rss_bytes,anon_bytes\n"

static void rows_are_read(void **state)
{
	static const struct {
		const char *text;
		int rows;
		int64_t ms, epoch;
		struct reading rss, anon;
	} cases[] = {
	    {HEAD "0.000,,100,50\n0.200,1,200,60\n", 2, 200, 1, {200, true}, {60, true}},
	    {HEAD "1,3,12345678901,0\n", 1, 1000, 3, {12345678901, true}, {0, true}},
	    {HEAD "0.2,3,1,2\n", 1, 200, 3, {1, true}, {2, true}},
	    {HEAD "0.2004,3,1,2\n", 1, 200, 3, {1, true}, {2, true}},
	    {HEAD "0.2005,3,1,2\n", 1, 201, 3, {1, true}, {2, true}},
	    {HEAD ".5,3,1,2\n", 1, 500, 3, {1, true}, {2, true}},
	    {HEAD "1.000,3,,\n", 1, 1000, 3, {0, false}, {0, false}},
	    {HEAD "1.000,3,1.0,2.7\n", 1, 1000, 3, {1, true}, {3, true}},
	    {HEAD "1.000,3,4503599627370496,2\n", 1, 1000, 3, {4503599627370496, true}, {2, true}},
	    {HEAD "1.000,3, 7 ,2\n", 1, 1000, 3, {7, true}, {2, true}},
	    {HEAD "\"1.000\",\"3\",\"7\",\"2\"\n", 1, 1000, 3, {7, true}, {2, true}},
	    {HEAD "\n\n1.000,3,7,2\n\n", 1, 1000, 3, {7, true}, {2, true}},
	    {"\xef\xbb\xbf" HEAD "1.000,3,7,2\n", 1, 1000, 3, {7, true}, {2, true}},
	    {"elapsed_s,epoch,rss_bytes,anon_bytes\r\n1.000,3,7,2\r\n2.000,4,8,3\r\n",
	     2,
	     2000,
	     4,
	     {8, true},
	     {3, true}},
	    {"anon_bytes,note,elapsed_s,rss_bytes\n2,hello,1.000,7\n", 1, 1000, -1, {7, true}, {2, true}},
	    {"note,elapsed_s,rss_bytes\n\"a \"\"b\"\", c\",1.000,7\n", 1, 1000, -1, {7, true}, {0, false}},
	    {"note,elapsed_s,rss_bytes\n\"two\nlines\",1.000,7\n", 1, 1000, -1, {7, true}, {0, false}},
	    {"elapsed_s,rss_bytes,rss_bytes\n1.000,7,9\n", 1, 1000, -1, {7, true}, {0, false}},
	    {"time,rss_bytes\n1700000000.500,7\n1700000002.000,9\n", 2, 1500, -1, {9, true}, {0, false}},
	    {HEAD "1.000,3,7,2\n2.000,3,\"\",2\n3.000,3,8,2\n", 3, 3000, 3, {8, true}, {2, true}},
	    {HEAD "1.000,3,7,2\n2.000,3,\"7\",2\n3.000,3,,2\n", 3, 3000, 3, {0, false}, {2, true}},
	    {HEAD "1.000,3,7,2\n2.000,4,8", 1, 1000, 3, {7, true}, {2, true}},
	    {HEAD "1.000,3,7,2\n2.000,4,8,3", 1, 1000, 3, {7, true}, {2, true}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct seen seen = read_all(cases[i].text);

		assert_int_equal(seen.rc, 0);
		assert_int_equal(seen.damage.rows, 0);
		assert_int_equal(seen.rows, cases[i].rows);
		assert_int_equal(seen.last_ms, cases[i].ms);
		assert_int_equal(seen.last_epoch, cases[i].epoch);
		assert_int_equal(seen.rss.ok, cases[i].rss.ok);
		assert_int_equal(seen.anon.ok, cases[i].anon.ok);
		if (cases[i].rss.ok)
			assert_int_equal(seen.rss.bytes, cases[i].rss.bytes);
		if (cases[i].anon.ok)
			assert_int_equal(seen.anon.bytes, cases[i].anon.bytes);
	}
}

static void damage_is_counted_and_named(void **state)
{
	static const struct {
		const char *text;
		int rows;
		uint64_t damaged, line;
		const char *what;
	} cases[] = {
	    {HEAD "1.000,3,7\n2.000,3,7,2\n", 1, 1, 2, "3 fields instead of 4"},
	    {HEAD "1.000,3,7,2,9\n2.000,3,7,2\n", 1, 1, 2, "5 fields instead of 4"},
	    {HEAD "1\n2.000,3,7,2\n", 1, 1, 2, "1 field instead of 4"},
	    {HEAD "1.000,3,7,2\n2.000,3,x7,2\n3.000,3,7,2\n", 2, 1, 3, "rss_bytes is \"x7\", not a number"},
	    {HEAD "1.000,3,7,2\n2.000,3,7y,2\n", 1, 1, 3, "rss_bytes is \"7y\", not a number"},
	    {HEAD "1.000,3,-7,2\n2.000,3,7,2\n", 1, 1, 2, "rss_bytes is \"-7\", not a number"},
	    {HEAD "1.000,3,1e9,2\n2.000,3,7,2\n", 1, 1, 2, "rss_bytes is \"1e9\", not a number"},
	    {HEAD "1.0.0,3,7,2\n2.000,3,7,2\n", 1, 1, 2, "elapsed_s is \"1.0.0\", not a number"},
	    {HEAD "1.000,3,99999999999999999999,2\n2.000,3,7,2\n", 1, 1, 2,
	     "rss_bytes is \"99999999999999999999\", not a number"},
	    {HEAD ",3,7,2\n2.000,3,7,2\n", 1, 1, 2, "elapsed_s is empty"},
	    {HEAD "5.000,3,7,2\n4.000,3,7,2\n6.000,3,7,2\n", 2, 1, 3,
	     "time goes back from 5.000 s to 4.000 s"},
	    {HEAD "1.000,3,7,2\n99999999999999,3,7,2\n2.000,3,7,2\n", 2, 1, 3,
	     "elapsed_s is 1e+14 s, longer than any run"},
	    {HEAD "1.000,3,\"7,2\n2.000,3,7,2\n", 1, 1, 2, "a quote that is not closed, or text beside one"},
	    {HEAD "1.000,3,\"7\"x,2\n2.000,3,7,2\n", 1, 1, 2,
	     "a quote that is not closed, or text beside one"},
	    {HEAD "1.000,3,\"7,2\n2.000,3,7,2\n3.000,3,\"7\",2\n", 2, 1, 2,
	     "a quote that is not closed, or text beside one"},
	    {HEAD "1.000,3,7,2\n" HEAD "2.000,3,7,2\n", 2, 1, 3, "elapsed_s is \"elapsed_s\", not a number"},
	    {HEAD "1.000,3,7,2\n\n2.000,3\n3.000,3,7\n4.000,4,7,2\n", 2, 2, 4, "2 fields instead of 4"},
	    {HEAD "1.000,3,\x01\xff,2\n2.000,3,7,2\n", 1, 1, 2, "rss_bytes is \"??\", not a number"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct seen seen = read_all(cases[i].text);

		assert_string_equal(seen.damage.what, cases[i].what);
		assert_int_equal(seen.rows, cases[i].rows);
		assert_int_equal(seen.damage.rows, cases[i].damaged);
		assert_int_equal(seen.damage.first_line, cases[i].line);
	}
}

static void a_line_too_long_is_damage(void **state)
{
	char text[1024] = HEAD "1.000,3,7,2\n";
	size_t n = strlen(text);
	struct seen seen;

	(void)state;
	memset(text + n, 'x', 600);
	strcpy(text + n + 600, "\n3.000,5,9,2\n");
	seen = read_all(text);
	assert_int_equal(seen.rows, 2);
	assert_int_equal(seen.last_ms, 3000);
	assert_int_equal(seen.damage.rows, 1);
	assert_int_equal(seen.damage.first_line, 3);
	assert_string_equal(seen.damage.what, "longer than 160 bytes");
}

static void lines_are_numbered_past_quoted_line_ends(void **state)
{
	struct seen seen = read_all("note,elapsed_s,rss_bytes\n\"a\nb\nc\",1.000,7\n,2.000,x\n");

	(void)state;
	assert_int_equal(seen.rows, 1);
	assert_int_equal(seen.damage.first_line, 5);
}

static void gpu_columns_become_channels(void **state)
{
	const char text[] = "elapsed_s,gpu1_total_bytes,gpu0_bytes,gpu1_bytes,gpu0_mig2_bytes,gpux_bytes\n"
			    "1.000,800,100,200,300,400\n";
	int fd = file_of(text, strlen(text)), n;
	const struct channel *channels;
	const struct sample *s;
	struct csv_reader *r;
	char why[CSV_WHY_MAX];

	(void)state;
	assert_int_equal(csv_reader_open(&r, fd, NULL, 0, why), 0);
	channels = csv_reader_channels(r, &n);
	assert_int_equal(n, CH_HOST_COUNT + 6);
	assert_string_equal(channels[CH_HOST_COUNT].name, "gpu1_bytes");
	assert_string_equal(channels[CH_HOST_COUNT + 1].name, "gpu1_total_bytes");
	assert_string_equal(channels[CH_HOST_COUNT + 2].name, "gpu0_bytes");
	assert_string_equal(channels[CH_HOST_COUNT + 4].name, "gpu0_mig2_bytes");
	assert_int_equal(csv_reader_next(r, &s), 1);
	assert_int_equal(s->v[CH_HOST_COUNT].bytes, 200);
	assert_int_equal(s->v[CH_HOST_COUNT + 1].bytes, 800);
	assert_int_equal(s->v[CH_HOST_COUNT + 2].bytes, 100);
	assert_false(s->v[CH_HOST_COUNT + 3].ok);
	assert_int_equal(s->v[CH_HOST_COUNT + 4].bytes, 300);
	csv_reader_close(r);
	close(fd);
}

static void what_is_no_memwatch_csv_is_refused(void **state)
{
	static const struct {
		const char *text;
		int err;
		const char *why;
	} cases[] = {
	    {"", -ENODATA, ""},
	    {"hello\n", -EINVAL, "not a memwatch CSV: no column elapsed_s and rss_bytes in its first line"},
	    {"rss_bytes,epoch\n1,2\n", -EINVAL, "not a memwatch CSV: no column elapsed_s in its first line"},
	    {"elapsed_s,epoch\n1,2\n", -EINVAL, "not a memwatch CSV: no column rss_bytes in its first line"},
	    {"\x7f"
	     "ELF\x02\x01\x01",
	     -EINVAL, "not a memwatch CSV: no column elapsed_s and rss_bytes in its first line"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int fd = file_of(cases[i].text, strlen(cases[i].text));
		char why[CSV_WHY_MAX] = "";
		struct csv_reader *r;

		assert_int_equal(csv_reader_open(&r, fd, NULL, 0, why), cases[i].err);
		assert_string_equal(why, cases[i].why);
		csv_reader_close(r);
		close(fd);
	}
}

/* The quick way and the careful one must agree on every row that both can read. */
static void both_ways_agree(void **state)
{
	static const char *const numbers[] = {
	    "0", "7", "12345678", "123456789", "123456789012345", "1234567890123456", ""};
	enum { N = sizeof(numbers) / sizeof(numbers[0]) };

	(void)state;
	for (size_t a = 0; a < N; a++)
		for (size_t b = 0; b < N; b++) {
			char plain[256], quoted[256];
			struct seen p, q;

			snprintf(plain, sizeof(plain), HEAD "12.345,8,%s,%s\n", numbers[a], numbers[b]);
			snprintf(quoted, sizeof(quoted), HEAD "\"12.345\",8,\"%s\",%s\n", numbers[a],
				 numbers[b]);
			p = read_all(plain);
			q = read_all(quoted);
			assert_int_equal(p.rows, 1);
			assert_int_equal(p.last_ms, q.last_ms);
			assert_int_equal(p.rss.ok, q.rss.ok);
			assert_int_equal(p.anon.ok, q.anon.ok);
			assert_true(!p.rss.ok || p.rss.bytes == q.rss.bytes);
			assert_true(!p.anon.ok || p.anon.bytes == q.anon.bytes);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(rows_are_read),
	    cmocka_unit_test(damage_is_counted_and_named),
	    cmocka_unit_test(a_line_too_long_is_damage),
	    cmocka_unit_test(lines_are_numbered_past_quoted_line_ends),
	    cmocka_unit_test(gpu_columns_become_channels),
	    cmocka_unit_test(what_is_no_memwatch_csv_is_refused),
	    cmocka_unit_test(both_ways_agree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
