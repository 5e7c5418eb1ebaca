/* SPDX-License-Identifier: MIT */
/* The Python that --explain puts into COMMAND, as text within the program. */
#ifndef EXPLAIN_SCRIPTS_H
#define EXPLAIN_SCRIPTS_H

/* Each ends with a NUL. */
extern const char explain_sitecustomize_py[];
extern const char explain_agent_py[];

#endif
