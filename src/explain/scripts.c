/* SPDX-License-Identifier: MIT */
/* Takes the scripts of this folder in as they are: the assembler does it, so that building needs no Python. */
#include "explain/scripts.h"

#define TAKE_IN(symbol, file)                                                                                \
	__asm__(".pushsection .rodata\n"                                                                     \
		".globl " #symbol "\n" #symbol ":\n"                                                         \
		".incbin \"src/explain/" file "\"\n"                                                         \
		".byte 0\n"                                                                                  \
		".popsection\n")

TAKE_IN(explain_sitecustomize_py, "sitecustomize.py");
TAKE_IN(explain_agent_py, "agent.py");
