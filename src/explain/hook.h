/* SPDX-License-Identifier: MIT */
/* What to paste into a script. */
#ifndef EXPLAIN_HOOK_H
#define EXPLAIN_HOOK_H

/* Without memwatch they run nothing. */
#define HOOK_IMPORT "import os"
#define HOOK_RUN    "exec(os.popen(\"memwatch hook 2>/dev/null\").read(), {})"
#define HOOK_LINES  HOOK_IMPORT "\n" HOOK_RUN

#endif
