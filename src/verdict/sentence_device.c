/* SPDX-License-Identifier: MIT */
/* The whole device, a bare context, regions that double in size as TensorFlow's allow_growth takes them: a step of half of
 * what there is then, and what else came with it. Hints with wide bounds: no verdict hangs on them. */
#include "verdict/sentence_device.h"

#include "base/units.h"

#define DEVICE_WHOLE       0.8
#define DEVICE_WORTH       0.1
#define CONTEXT_LEAST      (0.1 * (double)GIB)
#define CONTEXT_MOST       (0.65 * (double)GIB)
#define DOUBLED_FROM_BYTES ((double)GIB)
#define DOUBLED_LEAST      0.42
#define DOUBLED_MOST       0.58

void sentence_device(struct text *t, const struct series_verdict *s)
{
	const struct verdict *v = &s->v;
	double level = (double)v->plateau_bytes, share = s->limit_bytes ? level / (double)s->limit_bytes : 0;
	double step = level > 0 ? v->jump_bytes / level : 0;

	if (share >= DEVICE_WHOLE)
		text_add(t, " That is %.0f %% of the device, taken in advance as TensorFlow and JAX do.",
			 share * 100);
	else if (level >= CONTEXT_LEAST && level <= CONTEXT_MOST)
		text_add(t, " That is little more than a CUDA context takes by itself.");
	else if (v->shape == SHAPE_RESERVATION && level >= DOUBLED_FROM_BYTES && step >= DOUBLED_LEAST &&
		 step <= DOUBLED_MOST)
		text_add(t, " Its largest step doubled it, as TensorFlow's allow_growth does.");
	else if (share >= DEVICE_WORTH)
		text_add(t, " That is %.0f %% of the device.", share * 100);
}
