/* SPDX-License-Identifier: MIT */
/* The scripts of this folder, as they are. */
#include "explain/scripts.h"

#include "base/take_in.h"

TAKE_IN(explain_thread_py, "src/explain/thread.py");
TAKE_IN(explain_hook_py, "src/explain/hook.py");
TAKE_IN(explain_sitecustomize_py, "src/explain/sitecustomize.py");

/* One program in parts: what stands above a function is known to it, and what stands below by the time it is called. */
#define PART(name) TAKEN_PART("src/explain/agent/" name ".py")
TAKE_IN_PARTS(explain_agent_py,
	      PART("begin") PART("places") PART("memory") PART("turn") PART("objects") PART("kinds")
		  PART("gleaning") PART("sizes") PART("names") PART("links") PART("own") PART("crowds")
		      PART("snapshot") PART("graphs") PART("growing") PART("counters") PART("answer"));
