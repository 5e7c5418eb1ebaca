/* SPDX-License-Identifier: MIT */
/* memwatch gpus: what the GPU drivers say and which calls are used, for bug reports. */
#ifndef CMD_GPUS_H
#define CMD_GPUS_H

#include <stdbool.h>

/* To standard output, as text or as one JSON object. An exit status: 0 also where there is no GPU. A driver
 * that hangs is told, and memwatch then ends at once. */
int cmd_gpus(bool json);

#endif
