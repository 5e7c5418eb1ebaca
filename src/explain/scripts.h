/* SPDX-License-Identifier: MIT */
/* The Python that --explain puts into COMMAND, as text within the program. */
#ifndef EXPLAIN_SCRIPTS_H
#define EXPLAIN_SCRIPTS_H

/* Each ends with a NUL. */
extern const char explain_thread_py[];        /* before one of the next two */
extern const char explain_sitecustomize_py[]; /* for Python's start */
extern const char explain_hook_py[];          /* for a script, which has the agent as _SOURCE */
extern const char explain_agent_py[];

#endif
