/* SPDX-License-Identifier: MIT */
/* The scripts of this folder, as they are. */
#include "explain/scripts.h"

#include "base/take_in.h"

TAKE_IN(explain_thread_py, "src/explain/thread.py");
TAKE_IN(explain_hook_py, "src/explain/hook.py");
TAKE_IN(explain_sitecustomize_py, "src/explain/sitecustomize.py");
TAKE_IN(explain_agent_py, "src/explain/agent.py");
