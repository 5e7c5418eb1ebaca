/* SPDX-License-Identifier: MIT */
/* Prints what is read of a recorded run: the tool, then one line for each sample and figure: seconds, name, bytes. */
#include <stdio.h>

#include "record/recording.h"

int main(int argc, char **argv)
{
	static const struct log_request plain;
	char why[CSV_WHY_MAX] = "";
	const struct channel *channels;
	const struct sample *s;
	struct recording *r;
	int n;

	if (argc != 2 || recording_open(&r, argv[1], &plain, why) != 0) {
		fprintf(stderr, "logdump: %s\n", why);
		return 1;
	}
	puts(recording_tool(r) ? recording_tool(r) : "memwatch");
	channels = recording_channels(r, &n);
	while (recording_next(r, &s) > 0) {
		if (s->v[CH_RSS].ok)
			printf("%.3f host %lu\n", (double)s->elapsed_ms / 1e3,
			       (unsigned long)(s->v[CH_HELD].ok ? s->v[CH_HELD] : s->v[CH_RSS]).bytes);
		for (int i = CH_HOST_COUNT; i < n; i += 2)
			if (s->v[i].ok)
				printf("%.3f %s %lu\n", (double)s->elapsed_ms / 1e3, channels[i].name,
				       (unsigned long)s->v[i].bytes);
	}
	recording_close(r);
	return 0;
}
