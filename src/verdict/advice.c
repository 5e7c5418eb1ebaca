/* SPDX-License-Identifier: MIT */
/* The table of advice. Conditions are few and plain; the lines come from what recorded runs and public bug
 * reports of these frameworks turned out to be. Pure. */
#include "verdict/advice.h"
#include "verdict/forecast.h"

#include <stddef.h>

/* When a row applies; all that are set must hold. */
enum when {
	HOST = 1 << 0,
	GPU = 1 << 1,
	GROWS = 1 << 2,
	ANON = 1 << 3, /* most of the growth is anonymous memory, or nothing better is known; not CROWDED */
	SHMEM = 1 << 4,
	SWAP = 1 << 5,
	UNSHARED = 1 << 6,
	RSS_ONLY = 1 << 7,
	OTHER_GROWS = 1 << 8,  /* host and GPU alike */
	OTHER_STEADY = 1 << 9, /* the other side was watched and does not grow */
	TAKEN = 1 << 10,       /* a reservation or warm-up of at least half the device */
	TIGHT = 1 << 11,       /* steady, but within a tenth of the limit */
	SOON_FULL = 1 << 12,
	OVER = 1 << 13,    /* steady, but above the limit, or the kernel has killed a process for it */
	CROWDED = 1 << 14, /* ever more processes */
	FITS = 1 << 15,    /* it grows with every fit */
	NO_FITS = 1 << 16,
	UNNAMED = 1 << 17, /* nobody knows yet which list or graph it is */
};

struct row {
	unsigned when;
	unsigned framework; /* one of these is mapped */
	unsigned none_of;   /* none of these is, or it is not known: words that fit every framework */
	const char *line;
};

enum {
	TORCH = FRAMEWORK_TORCH,
	TENSORFLOW = FRAMEWORK_TENSORFLOW,
	JAX = FRAMEWORK_JAX,
	SKLEARN = FRAMEWORK_SKLEARN,
	PYTHON = FRAMEWORK_PYTHON,
	NONE = FRAMEWORK_NONE,
	BOOSTING = FRAMEWORK_BOOSTING,
	ANY = TORCH | TENSORFLOW | JAX | SKLEARN | BOOSTING,
};

static const char callbacks[] =
    "Look for callbacks, histories and lists that keep predictions, batches or outputs from epoch to epoch.";

/* Order is importance. TensorFlow imports JAX where it is installed, and all of them import scikit-learn: mapped beside
 * the one that trains they say nothing. clear_session() cannot be seen from outside: who calls it already is told the next step. */
static const struct row table[] = {
    {SOON_FULL, 0, 0,
     "Save checkpoints often: a run at this pace fills the memory within an hour or 10 epochs."},
    {HOST | GROWS | OTHER_STEADY, 0, 0,
     "Host memory grows, GPU memory does not: look at what is kept on the host "
     "(lists, histories, results), not at tensors on the GPU."},
    {GPU | GROWS | OTHER_STEADY, 0, 0,
     "GPU memory grows, host memory does not: look for tensors kept on the GPU "
     "(losses, outputs, hidden states without detach())."},
    {GROWS | OTHER_GROWS, 0, 0,
     "Host and GPU grow together: something keeps whole steps or graphs; "
     "run once on the CPU alone to separate them."},
    {HOST | GROWS | SWAP, 0, 0, "Part of it is swapped out already: the run will get slow before it ends."},
    {HOST | GROWS | CROWDED, 0, 0,
     "There are ever more processes: look for workers, pools and loaders that are started "
     "anew and never joined or closed."},
    {HOST | GROWS | SHMEM, 0, 0,
     "Shared memory grows: look for batches from loader workers that are kept, and at files in /dev/shm."},
    {HOST | GROWS | RSS_ONLY, 0, 0,
     "Only RSS is known here, which counts mapped files too: record with memwatch to tell them apart."},
    {HOST | GROWS | ANON | FITS, TENSORFLOW, 0,
     "Each fit leaves something behind: call keras.backend.clear_session() and gc.collect() before the next "
     "model."},
    {HOST | GROWS | ANON | FITS, TENSORFLOW, 0,
     "If clear_session() is called already: train each model in a process of its own, whose end gives all "
     "back."},
    {HOST | GROWS | ANON | FITS, 0, TENSORFLOW | NONE,
     "Each fit leaves something behind: drop the old model, its optimiser and results (del, gc.collect()) "
     "before the next."},
    {HOST | GROWS | ANON | FITS, 0, TENSORFLOW | NONE,
     "If that is done already: train each model in a process of its own, whose end gives all back."},
    {HOST | GROWS | ANON | UNNAMED, TENSORFLOW, 0, callbacks},
    {HOST | GROWS | ANON | UNNAMED, PYTHON, TENSORFLOW,
     "Look for lists, dicts and attributes that keep batches, outputs or results from epoch to epoch."},
    {HOST | GROWS | ANON | UNNAMED, 0, TENSORFLOW | PYTHON | NONE, callbacks},
    {HOST | GROWS | ANON, NONE, 0,
     "Look for blocks that are never freed and containers that only become longer: heaptrack or valgrind "
     "name the line that takes them."},
    {HOST | GROWS | ANON | UNNAMED, TORCH, 0,
     "PyTorch: add loss.item() to a running total, not loss, which keeps its whole graph."},
    {HOST | GROWS | ANON | UNNAMED | NO_FITS, TENSORFLOW, 0,
     "TensorFlow: a Python number as argument of a tf.function makes a new graph for every value: pass a "
     "tensor."},
    {HOST | GROWS | ANON | UNNAMED, JAX, TENSORFLOW,
     "JAX: new shapes and new static arguments make jit compile again, and each program is kept: "
     "jax.clear_caches() frees them."},
    {HOST | GROWS | ANON | UNNAMED, BOOSTING, TENSORFLOW | TORCH | JAX,
     "Boosting adds trees to the model in every round, which is growth by design: fewer leaves or early "
     "stopping keep it small."},
    {HOST | GROWS | ANON | UNNAMED, SKLEARN, TENSORFLOW | TORCH | JAX | BOOSTING,
     "scikit-learn: warm_start and lists of fitted estimators keep all that was fitted before."},
    {HOST | GROWS | ANON | UNNAMED, 0, ANY | NONE,
     "A loss or an output that is kept keeps all that it was computed from: keep plain numbers instead."},
    {HOST | UNSHARED, 0, 0,
     "Forked workers copy what they touch: keep large data in NumPy arrays or tensors, not in Python lists "
     "(pytorch#13246)."},
    {GPU | GROWS, TORCH, 0,
     "PyTorch: if memory_reserved() grows and memory_allocated() does not, it is fragmentation: try "
     "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True."},
    {GPU | GROWS, TORCH, 0, "PyTorch: collect losses and outputs with .item() or .detach().cpu()."},
    {GPU | GROWS, TENSORFLOW, 0,
     "TensorFlow: a memory_limit (tf.config.LogicalDeviceConfiguration) makes it fail early and repeatably."},
    {GPU | GROWS, 0, TORCH | TENSORFLOW,
     "Collect losses and outputs as plain numbers or copies on the host, not on the GPU."},
    {GPU | GROWS, 0, TORCH | TENSORFLOW,
     "If what the framework itself counts as in use does not grow, its pool is fragmented: see its "
     "allocator's settings."},
    {GPU | GROWS, 0, TORCH | TENSORFLOW,
     "A limit on what the framework may take of the GPU makes it fail early and repeatably."},
    {GPU | TAKEN, TENSORFLOW, 0,
     "TensorFlow takes nearly all GPU memory at start by design: "
     "tf.config.experimental.set_memory_growth or a memory_limit changes that."},
    {GPU | TAKEN, JAX, 0,
     "JAX takes most GPU memory at start by design: XLA_PYTHON_CLIENT_PREALLOCATE=false or "
     "XLA_PYTHON_CLIENT_MEM_FRACTION=.5 changes that."},
    {GPU | TAKEN, TORCH, 0,
     "PyTorch keeps freed memory for itself: torch.cuda.empty_cache() or "
     "PYTORCH_CUDA_ALLOC_CONF, if others need it."},
    {GPU | TAKEN, 0, TORCH | TENSORFLOW | JAX,
     "Many frameworks take GPU memory in advance or keep what was freed: their settings for growth, "
     "preallocation "
     "or the cache change that."},
    {HOST | TIGHT, 0, 0,
     "It fits, but barely: a smaller batch, fewer workers or a smaller shuffle buffer gives room."},
    {HOST | OVER, 0, 0,
     "It does not fit: a smaller batch, fewer workers or a smaller shuffle buffer takes less."},
};

static bool side_grows(const struct run_verdict *run, enum series_kind kind, bool *watched)
{
	bool grows = false;

	*watched = false;
	for (int i = 0; i < run->n; i++) {
		if (run->series[i].kind != kind)
			continue;
		*watched = *watched || run->series[i].v.peak_bytes > 0;
		grows = grows || run->series[i].v.shape == SHAPE_GROWTH;
	}
	return grows;
}

/* Three parts can share a rise: what carries less than an even share of it is not what to look at first. */
#define EVEN_SHARE (1.0 / 3)

static unsigned part_conditions(const struct series_verdict *s)
{
	unsigned is = 0;

	for (int i = 0; i < s->n_parts; i++) {
		if (s->parts[i].part == PART_SHMEM && s->parts[i].share >= EVEN_SHARE)
			is |= SHMEM;
		if (s->parts[i].part == PART_SWAP)
			is |= SWAP;
		if (s->parts[i].part == PART_ANON && s->parts[i].share >= EVEN_SHARE)
			is |= ANON;
	}
	return is ? is : ANON;
}

static bool near_limit(const struct series_verdict *s, double share)
{
	return s->limit_bytes > 0 && (double)s->v.peak_bytes >= share * (double)s->limit_bytes;
}

static unsigned fit_conditions(const struct run_verdict *run, const struct series_verdict *s)
{
	if (s->v.so_far == SO_FAR_RISING && !forecast_above_limit(s))
		return forecast_soon_full(s) ? SOON_FULL : 0;
	if (s->kind == SERIES_HOST && (run->ran_out || forecast_above_limit(s)))
		return OVER;
	return near_limit(s, 0.9) && s->v.shape != SHAPE_RELEASE ? TIGHT : 0;
}

static unsigned conditions(const struct run_verdict *run, const struct series_verdict *s)
{
	bool grows = s->v.shape == SHAPE_GROWTH, other, watched;
	bool settled = s->v.shape == SHAPE_RESERVATION || s->v.shape == SHAPE_WARMUP;
	unsigned is = s->kind == SERIES_HOST ? HOST : GPU;

	if (s->unshared)
		is |= UNSHARED;
	if (s->kind == SERIES_GPU && settled && near_limit(s, 0.5))
		is |= TAKEN;
	if (!grows)
		return is | fit_conditions(run, s);
	is |= GROWS | part_conditions(s);
	if (s->crowded)
		is = (is & ~(unsigned)ANON) | CROWDED;
	if (s->rss_only)
		is |= RSS_ONLY;
	is |= s->fits.bytes > 0 ? FITS : NO_FITS;
	is |= run->named ? 0 : UNNAMED;
	if (forecast_soon_full(s) && !forecast_above_limit(s))
		is |= SOON_FULL;
	other = side_grows(run, s->kind == SERIES_HOST ? SERIES_GPU : SERIES_HOST, &watched);
	if (watched)
		is |= other ? OTHER_GROWS : OTHER_STEADY;
	return is;
}

static bool fits_framework(const struct row *row, unsigned mapped)
{
	return (row->framework == 0 || (row->framework & mapped)) && (row->none_of & mapped) == 0;
}

int advice_lines(const struct run_verdict *run, int i, const char *out[ADVICE_MAX])
{
	unsigned is = conditions(run, &run->series[i]);
	int n = 0;

	for (size_t k = 0; k < sizeof(table) / sizeof(table[0]) && n < ADVICE_MAX; k++)
		if ((table[k].when & is) == table[k].when && fits_framework(&table[k], run->frameworks))
			out[n++] = table[k].line;
	return n;
}

static bool said_later(const struct run_verdict *run, int i, const char *line)
{
	for (int k = i + 1; k < run->n; k++) {
		const char *lines[ADVICE_MAX];
		int n = run->series[k].kind == run->series[i].kind ? advice_lines(run, k, lines) : 0;

		while (n > 0)
			if (lines[--n] == line)
				return true;
	}
	return false;
}

int advice_last_lines(const struct run_verdict *run, int i, const char *out[ADVICE_MAX])
{
	const char *lines[ADVICE_MAX];
	int all = advice_lines(run, i, lines), n = 0;

	for (int k = 0; k < all; k++)
		if (!said_later(run, i, lines[k]))
			out[n++] = lines[k];
	return n;
}
