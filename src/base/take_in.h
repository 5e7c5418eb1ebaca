/* SPDX-License-Identifier: MIT */
/* A file of this project as a string of the program: the assembler takes it in as it is, so that building needs no other
 * tool. The Makefile says which object has to be made anew when the file changes. */
#ifndef BASE_TAKE_IN_H
#define BASE_TAKE_IN_H

/* path is from the project's root. */
#define TAKEN_PART(path) ".incbin \"" path "\"\n"

/* Several files as one string: TAKEN_PART(...) TAKEN_PART(...) */
#define TAKE_IN_PARTS(symbol, parts)                                                                         \
	__asm__(".pushsection .rodata\n"                                                                     \
		".globl " #symbol "\n" #symbol ":\n" parts ".byte 0\n"                                       \
		".popsection\n")

#define TAKE_IN(symbol, path) TAKE_IN_PARTS(symbol, TAKEN_PART(path))

#endif
