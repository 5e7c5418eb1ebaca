/* SPDX-License-Identifier: MIT */
/* What to paste into a script. */
#ifndef EXPLAIN_HOOK_H
#define EXPLAIN_HOOK_H

/* Without memwatch they run nothing. */
#define HOOK_IMPORT "import subprocess"
#define HOOK_RUN    "exec(subprocess.run(\"memwatch hook\", shell=True, capture_output=True).stdout, {})"
#define HOOK_LINES  HOOK_IMPORT "\n" HOOK_RUN

#endif
