/* SPDX-License-Identifier: MIT */
#include "../../../src/detect/shapes.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct {
	struct shapes s;
	char beyond[1 << 16];
} table;

static void levels(struct course_in *in, int n, int span)
{
	in->n = n;
	for (int i = 0; i < n; i++) {
		in->x[i] = (double)i * span / (n - 1);
		in->y[i] = i % 3 * 10 + (i % 5 == 0 ? 50 : 0);
	}
}

static void all_shapes_have_room(void **state)
{
	(void)state;
	for (int n = 4; n <= COURSE_MAX; n++)
		for (int span = n - 1; span < 4 * n; span++) {
			struct course_in in;
			levels(&in, n, span);
			shapes_fill(&table.s, &in);
			assert_in_range(table.s.columns, 10, SHAPES_COLUMNS);
			assert_in_range(table.s.sets, 18, SHAPES_SETS);
		}
}

static void a_set_names_columns_that_are_there(void **state)
{
	struct course_in in;
	(void)state;
	levels(&in, COURSE_MAX, COURSE_MAX - 1);
	shapes_fill(&table.s, &in);
	for (int i = 0; i < table.s.sets; i++)
		for (int k = 0; k < table.s.set[i].parts; k++)
			assert_in_range(table.s.set[i].part[k], 0, table.s.columns - 1);
}

/* Growth and its absence are as likely, before anything is seen. */
static void the_odds_are_even(void **state)
{
	struct course_in in;
	double grows = 0, settles = 0;
	(void)state;
	levels(&in, 24, 23);
	shapes_fill(&table.s, &in);
	for (int i = 0; i < table.s.sets; i++)
		*(table.s.set[i].grows ? &grows : &settles) += exp(table.s.set[i].prior);
	assert_true(grows > 0.7 * settles && grows < 1.3 * settles);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(all_shapes_have_room),
	    cmocka_unit_test(a_set_names_columns_that_are_there),
	    cmocka_unit_test(the_odds_are_even),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
