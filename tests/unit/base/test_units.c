/* SPDX-License-Identifier: MIT */
#include "base/units.c"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void durations_are_parsed(void **state)
{
	static const struct {
		const char *text;
		int err;
		int64_t ns;
	} cases[] = {
	    {"250ms", 0, 250000000},  {"1s", 0, 1000000000},       {"1", 0, 1000000000},
	    {"0.5", 0, 500000000},    {".5s", 0, 500000000},       {"1.5m", 0, 90000000000},
	    {"1h", 0, 3600000000000}, {"2 d", 0, 172800000000000}, {"10us", 0, 10000},
	    {"", -EINVAL, 0},         {"s", -EINVAL, 0},           {"-1s", -EINVAL, 0},
	    {"1x", -EINVAL, 0},       {"1s ", -EINVAL, 0},         {"0x10", -EINVAL, 0},
	    {"inf", -EINVAL, 0},      {"1,5s", -EINVAL, 0},        {"99999999999d", -ERANGE, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int64_t ns = 0;

		assert_int_equal(units_parse_duration(cases[i].text, &ns), cases[i].err);
		assert_int_equal(ns, cases[i].ns);
	}
}

static void sizes_are_parsed(void **state)
{
	static const struct {
		const char *text;
		int err;
		uint64_t bytes;
	} cases[] = {
	    {"4096", 0, 4096},          {"512M", 0, 512 * MIB},
	    {"1.5GiB", 0, 3 * GIB / 2}, {"100kB", 0, 100000},
	    {"2 T", 0, 2048 * GIB},     {"16gib", 0, 16 * GIB},
	    {"1MB", 0, 1000000},        {"0", 0, 0},
	    {"", -EINVAL, 0},           {"G", -EINVAL, 0},
	    {"-1G", -EINVAL, 0},        {"1Q", -EINVAL, 0},
	    {"99999999T", -ERANGE, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t bytes = 0;

		assert_int_equal(units_parse_size(cases[i].text, &bytes), cases[i].err);
		assert_int_equal(bytes, cases[i].bytes);
	}
}

static void bytes_read_with_three_digits(void **state)
{
	char buf[UNITS_TEXT_MAX];

	(void)state;
	assert_string_equal(units_bytes(buf, 0), "0 B");
	assert_string_equal(units_bytes(buf, 1023), "1023 B");
	assert_string_equal(units_bytes(buf, 1024), "1.00 KiB");
	assert_string_equal(units_bytes(buf, 1729 * MIB), "1.69 GiB");
	assert_string_equal(units_bytes(buf, 24 * GIB), "24.0 GiB");
	assert_string_equal(units_bytes(buf, 512 * MIB), "512 MiB");
	assert_string_equal(units_bytes(buf, UINT64_MAX), "16.0 EiB");
	assert_string_equal(units_bytes_signed(buf, 8.0 * 1048576), "+8.00 MiB");
	assert_string_equal(units_bytes_signed(buf, -3174), "-3.10 KiB");
}

static void durations_read_as_people_say_them(void **state)
{
	char buf[UNITS_TEXT_MAX];

	(void)state;
	assert_string_equal(units_duration(buf, 200 * NS_PER_MS), "200 ms");
	assert_string_equal(units_duration(buf, 1500 * (int64_t)NS_PER_MS), "1.5 s");
	assert_string_equal(units_duration(buf, 41 * NS_PER_S), "41 s");
	assert_string_equal(units_duration(buf, 125 * NS_PER_S), "2 min 5 s");
	assert_string_equal(units_duration(buf, 7800 * NS_PER_S), "2 h 10 min");
	assert_string_equal(units_duration(buf, 90000 * NS_PER_S), "1 d 1 h");
	assert_string_equal(units_clock(buf, 0), "0.0 s");
	assert_string_equal(units_clock(buf, 8460), "8.4 s");
	assert_string_equal(units_clock(buf, 9999), "9.9 s");
	assert_string_equal(units_clock(buf, 10000), "0:10");
	assert_string_equal(units_clock(buf, 3753000), "1:02:33");
	assert_string_equal(units_count(buf, 0), "0");
	assert_string_equal(units_count(buf, 2900), "2,900");
	assert_string_equal(units_count(buf, 1234567), "1,234,567");
}

static void numbers_of_rows_are_exact(void **state)
{
	char buf[64];

	(void)state;
	*units_put_u64(buf, UINT64_MAX) = '\0';
	assert_string_equal(buf, "18446744073709551615");
	*units_put_milli(buf, 0) = '\0';
	assert_string_equal(buf, "0.000");
	*units_put_milli(buf, 1234) = '\0';
	assert_string_equal(buf, "1.234");
	*units_put_milli(buf, 1794799142370) = '\0';
	assert_string_equal(buf, "1794799142.370");
	*units_put_milli(buf, -5) = '\0';
	assert_string_equal(buf, "-0.005");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(durations_are_parsed),
	    cmocka_unit_test(sizes_are_parsed),
	    cmocka_unit_test(bytes_read_with_three_digits),
	    cmocka_unit_test(durations_read_as_people_say_them),
	    cmocka_unit_test(numbers_of_rows_are_exact),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
