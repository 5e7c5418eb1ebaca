/* SPDX-License-Identifier: MIT */
/* The devices behind the GPU series of a live run: name, UUID, and what their figures rest on. */
#ifndef REPORT_GPU_H
#define REPORT_GPU_H

#include <stdio.h>

#include "base/json_out.h"
#include "gpu/gpu.h"
#include "report/report.h"

/* "gpus":[...] and "gpu_numbers"; nothing without devices. */
void report_gpu_json(struct json_out *j, const struct report_head *head);
/* The device that a series is about; NULL: none of this run. */
const struct gpu_device_info *report_gpu_device(const struct gpu *g, const char *series);
/* The line below a series' own; nothing for a series that is no device of this run. */
void report_gpu_text(FILE *out, const struct report_head *head, const char *series);

#endif
