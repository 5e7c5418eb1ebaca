/* SPDX-License-Identifier: MIT */
/* Says which device a GPU series is about and how far its figures can be trusted. Knows no drivers. */
#include "report/gpu.h"

#include <string.h>

#include "base/plain_text.h"
#include "base/units.h"
#include "gpu/gpu.h"

static const char *name_series(char name[CHANNEL_NAME_MAX], const struct gpu_device_info *d)
{
	if (d->mig < 0)
		snprintf(name, CHANNEL_NAME_MAX, "gpu%d", d->index);
	else
		snprintf(name, CHANNEL_NAME_MAX, "gpu%d_mig%d", d->index, d->mig);
	return name;
}

static void device(struct json_out *j, const struct gpu_device_info *d)
{
	char name[CHANNEL_NAME_MAX];

	json_open(j, NULL, '{');
	json_string(j, "series", name_series(name, d));
	json_string(j, "name", d->name);
	json_string(j, "uuid", d->uuid[0] ? d->uuid : NULL);
	json_string(j, "pci", d->pci[0] ? d->pci : NULL);
	json_int_if(j, "total_bytes", d->total_bytes > 0, (int64_t)d->total_bytes);
	json_string(j, "basis", gpu_basis_name(d->basis));
	json_close(j, '}');
}

void report_gpu_json(struct json_out *j, const struct report_head *head)
{
	int n = head->gpu ? gpu_device_count(head->gpu) : 0;

	if (n == 0)
		return;
	json_open(j, "gpus", '[');
	for (int i = 0; i < n; i++)
		device(j, gpu_device(head->gpu, i));
	json_close(j, ']');
	json_string(j, "gpu_numbers", head->gpu_numbers && *head->gpu_numbers ? head->gpu_numbers : NULL);
}

const struct gpu_device_info *report_gpu_device(const struct gpu *g, const char *series)
{
	char name[CHANNEL_NAME_MAX];

	for (int i = 0; i < gpu_device_count(g); i++)
		if (strcmp(name_series(name, gpu_device(g, i)), series) == 0)
			return gpu_device(g, i);
	return NULL;
}

static const char *doubt(enum gpu_basis basis)
{
	switch (basis) {
	case GPU_BASIS_ASSUMED:
		return "; assumed: the one process the driver lists is taken for this one";
	case GPU_BASIS_DELTA:
		return "; device delta: what the whole device's use has grown by since the start";
	case GPU_BASIS_NONE:
		return "; no figures for a process";
	default:
		return "";
	}
}

void report_gpu_text(FILE *out, const struct report_head *head, const char *series)
{
	const struct gpu_device_info *d = head->gpu ? report_gpu_device(head->gpu, series) : NULL;

	if (d)
		plain_line(out, "  on %s, %s%s", d->name, d->uuid[0] ? d->uuid : d->pci, doubt(d->basis));
}
