/* SPDX-License-Identifier: MIT */
/* Asks all GPU drivers once and prints what they said. Works with no driver at all, and with one that
 * hangs. */
#include "cmd/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json_out.h"
#include "base/msg.h"
#include "base/plain_text.h"
#include "base/status.h"
#include "base/units.h"
#include "gpu/gpu.h"

#define PATIENCE_NS (10 * NS_PER_S) /* twice as long as a run waits before it says so */

static const char *const no_answer = "has not answered within 10 s";

static void print_part(const char *name, const char *why, const struct gpu_facts *facts)
{
	plain_line(stdout, "%s:%s%s", name, why[0] ? " " : "", why);
	for (int i = 0; i < facts->n; i++) {
		printf("  ");
		for (const char *c = facts->fact[i].key; *c; c++)
			putchar(*c == '_' ? ' ' : *c);
		plain_line(stdout, "%*s%s", (int)(18 - strlen(facts->fact[i].key)), "", facts->fact[i].text);
	}
}

static void print_device(const struct gpu_device_info *d)
{
	char total[UNITS_TEXT_MAX], used[UNITS_TEXT_MAX], mig[32] = "";

	if (d->mig >= 0)
		snprintf(mig, sizeof(mig), " MIG %d", d->mig);
	plain_line(stdout, "GPU %d%s: %s", d->index, mig, d->name);
	printf("  memory            %s", d->total_bytes ? units_bytes(total, d->total_bytes) : "unknown");
	printf(", %s in use\n", d->used_bytes == UINT64_MAX ? "unknown" : units_bytes(used, d->used_bytes));
	if (d->listed >= 0)
		printf("  processes         %d\n", d->listed);
	printf("  figures           %s\n", gpu_basis_name(d->basis));
	plain_line(stdout, "  uuid              %s", d->uuid[0] ? d->uuid : "none");
	plain_line(stdout, "  pci               %s", d->pci[0] ? d->pci : "unknown");
}

static void print_all(const struct gpu *g, const struct utsname *os)
{
	const struct gpu_facts *facts;
	const char *name, *why;

	printf("memwatch " MEMWATCH_VERSION " on %s %s %s\n", os->sysname, os->release, os->machine);
	if (gpu_state(g) == GPU_PENDING)
		printf("GPU driver: %s\n", no_answer);
	for (int i = 0; gpu_part(g, i, &name, &why, &facts); i++)
		print_part(name, why, facts);
	for (int i = 0; i < gpu_device_count(g); i++)
		print_device(gpu_device(g, i));
	if (gpu_device_count(g) == 0)
		printf("no GPU\n");
}

static void json_fact(struct json_out *j, const char *key, const char *text)
{
	if (strcmp(text, "none") == 0)
		json_null(j, key);
	else if (text[strspn(text, "0123456789")] == '\0')
		json_int(j, key, strtoll(text, NULL, 10));
	else
		json_string(j, key, text);
}

static void json_part(struct json_out *j, const char *name, const char *why, const struct gpu_facts *facts)
{
	json_open(j, NULL, '{');
	json_string(j, "name", name);
	json_string(j, "why", why[0] ? why : NULL);
	for (int i = 0; i < facts->n; i++)
		json_fact(j, facts->fact[i].key, facts->fact[i].text);
	json_close(j, '}');
}

static void json_device(struct json_out *j, const struct gpu_device_info *d)
{
	json_open(j, NULL, '{');
	json_int(j, "index", d->index);
	json_int_if(j, "mig", d->mig >= 0, d->mig);
	json_string(j, "name", d->name);
	json_string(j, "uuid", d->uuid[0] ? d->uuid : NULL);
	json_string(j, "pci", d->pci[0] ? d->pci : NULL);
	json_int_if(j, "total_bytes", d->total_bytes > 0, (int64_t)d->total_bytes);
	json_int_if(j, "used_bytes", d->used_bytes != UINT64_MAX, (int64_t)d->used_bytes);
	json_int_if(j, "processes", d->listed >= 0, d->listed);
	json_string(j, "basis", gpu_basis_name(d->basis));
	json_close(j, '}');
}

static void json_all(const struct gpu *g, const struct utsname *os)
{
	struct json_out j = {.f = stdout};
	const struct gpu_facts *facts;
	const char *name, *why;

	json_open(&j, NULL, '{');
	json_string(&j, "memwatch", MEMWATCH_VERSION);
	json_string(&j, "system", os->sysname);
	json_string(&j, "release", os->release);
	json_string(&j, "machine", os->machine);
	json_string(&j, "error", gpu_state(g) == GPU_PENDING ? no_answer : NULL);
	json_open(&j, "backends", '[');
	for (int i = 0; gpu_part(g, i, &name, &why, &facts); i++)
		json_part(&j, name, why, facts);
	json_close(&j, ']');
	json_open(&j, "devices", '[');
	for (int i = 0; i < gpu_device_count(g); i++)
		json_device(&j, gpu_device(g, i));
	json_close(&j, ']');
	json_close(&j, '}');
	putchar('\n');
}

int cmd_gpus(bool json)
{
	struct gpu *g = gpu_start(&(struct gpu_conf){.diagnose = true});
	struct reading unused[2 * GPU_MAX];
	struct utsname os;
	const char *line;
	int status = 0;

	gpu_wait(g, PATIENCE_NS);
	gpu_read(g, unused, 2 * gpu_device_count(g));
	uname(&os);
	if (json)
		json_all(g, &os);
	else
		print_all(g, &os);
	while ((line = gpu_take_note(g)))
		note("%s", line);
	if (!msg_flush_stdout())
		status = STATUS_OWN_FAILURE;
	if (gpu_stop(g) != 0)
		_exit(status);
	return status;
}
