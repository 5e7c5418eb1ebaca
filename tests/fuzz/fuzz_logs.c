/* SPDX-License-Identifier: MIT */
/* Mutated logs of other tools through their reader. Checks what must hold for any bytes: times never go back, figures
 * stay within what a machine has, refusals have their reason. Built with ASan and UBSan.
 *
 *     fuzz_logs INPUTS SEED FILE...     FILE: logs to mutate */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lot.h"
#include "record/log_reader.h"

enum { INPUT_MAX = 4096, SEEDS_MAX = 64, MUTATIONS_MAX = 12 };

static struct {
	char bytes[INPUT_MAX / 2];
	size_t n;
} seeds[SEEDS_MAX];
static uint32_t seed_count;

static void load_seed(const char *path)
{
	FILE *f = fopen(path, "rb");

	if (!f || seed_count == SEEDS_MAX)
		return;
	seeds[seed_count].n = fread(seeds[seed_count].bytes, 1, sizeof(seeds[0].bytes), f);
	seed_count += seeds[seed_count].n > 0;
	fclose(f);
}

/* A byte becomes another, a piece goes, a piece of any log comes in. */
static size_t mutate(char *text, size_t n)
{
	static const char telling[] = "\n\r\t ,;\"-[]#0:./e\033\0";
	size_t at = rnd((uint32_t)n + 1), len = rnd(40);
	uint32_t s = rnd(seed_count);

	switch (rnd(4)) {
	case 0:
		if (at < n)
			text[at] = telling[rnd(sizeof(telling) - 1)];
		return n;
	case 1:
		if (at < n)
			text[at] = (char)rnd(256);
		return n;
	case 2:
		len = len < n - at ? len : n - at;
		memmove(text + at, text + at + len, n - at - len);
		return n - len;
	default:
		len = len < seeds[s].n ? len : seeds[s].n;
		if (n + len > INPUT_MAX)
			return n;
		memmove(text + at + len, text + at, n - at);
		memcpy(text + at, seeds[s].bytes + rnd((uint32_t)(seeds[s].n - len) + 1), len);
		return n + len;
	}
}

static void fail(const char *what, const char *input, size_t n)
{
	fprintf(stderr, "fuzz_logs: %s, input of %zu bytes follows\n", what, n);
	fwrite(input, 1, n, stderr);
	abort();
}

static struct log_request make_request(void)
{
	static const char *const names[] = {"rss", "RSS", "mem_real", "1", "3", "pid", "Time", ""};
	struct log_request q = {{NULL, NULL, 0}, rnd(2) ? 0 : (int64_t)rnd(1000000000)};

	if (rnd(8) == 0) {
		q.choice.value = names[rnd(8)];
		q.choice.time = rnd(2) ? names[rnd(8)] : NULL;
		q.choice.unit = rnd(2) ? 1024 : 0;
	}
	return q;
}

static bool read_log(int fd, const char *input, size_t n)
{
	struct log_request q = make_request();
	char why[CSV_WHY_MAX] = "";
	struct log_reader *r;
	const struct sample *s;
	int64_t last = INT64_MIN;
	int err = log_reader_new(&r, fd, input, n, &q, why);

	if (err && !why[0])
		fail("refused without a reason", input, n);
	while (!err && log_reader_next(r, &s) > 0) {
		if (s->elapsed_ms < last)
			fail("time goes back", input, n);
		last = s->elapsed_ms;
		for (int i = 0; i < s->n; i++)
			if (s->v[i].ok && s->v[i].bytes > UINT64_C(1) << 63)
				fail("a figure out of bounds", input, n);
	}
	for (int i = 0; !err && log_reader_note(r, i); i++)
		if (!*log_reader_note(r, i))
			fail("an empty note", input, n);
	log_reader_free(r);
	return !err;
}

int main(int argc, char **argv)
{
	uint64_t inputs = argc > 1 ? strtoull(argv[1], NULL, 10) : 0, read = 0;
	uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	rng = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
	for (int i = 3; i < argc; i++)
		load_seed(argv[i]);
	for (uint64_t i = 0; i < inputs && seed_count > 0; i++) {
		static char input[INPUT_MAX];
		uint32_t s = rnd(seed_count);
		size_t n = seeds[s].n;
		char *exact;

		memcpy(input, seeds[s].bytes, n);
		for (uint32_t k = rnd(MUTATIONS_MAX); k > 0; k--)
			n = mutate(input, n);
		exact = malloc(n ? n : 1); /* the sanitizer then knows its end */
		memcpy(exact, input, n);
		read += read_log(fd, exact, n);
		free(exact);
	}
	close(fd);
	printf("%" PRIu64 " inputs, %" PRIu64 " of them read, seed %" PRIu64 ": ok\n", inputs, read, seed);
	return seed_count == 0;
}
