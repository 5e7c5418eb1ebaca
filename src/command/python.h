/* SPDX-License-Identifier: MIT */
/* Whether a command is Python, and whether its lines come as they are printed. */
#ifndef COMMAND_PYTHON_H
#define COMMAND_PYTHON_H

#include <stdbool.h>
#include <sys/types.h>

/* An empty value is none to Python. */
#define PYTHON_UNBUFFERED "PYTHONUNBUFFERED"
#define PYTHON_PATH       "PYTHONPATH"

/* COMMAND is an interpreter, a script for one, or has a word that names one: "nice python3 fit.py", "sh -c 'python
 * fit.py'". Looks at names and first lines only. */
bool python_runs(char *const *argv);

/* A running process was told to print at once, by -u or its environment; false also where that cannot be read. */
bool python_is_unbuffered(pid_t pid);

#endif
