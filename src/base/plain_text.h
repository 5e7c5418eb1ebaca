/* SPDX-License-Identifier: MIT */
/* Text that may hold anything (names of files, processes and devices, command lines, labels) made fit to be shown: no
 * byte of it steers a terminal, begins a line or changes the order of what is read. */
#ifndef BASE_PLAIN_TEXT_H
#define BASE_PLAIN_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Bytes of the UTF-8 character that begins s, which ends with a NUL; 0: it is none. */
size_t utf8_length(const char *text);

/* A character of n bytes that is not seen itself but changes how others are: control characters, C1 among them, and
 * what turns the direction of text or separates lines. *code, if not NULL, is its number. */
bool plain_is_control(const char *s, size_t n, uint32_t *code);

/* Replaces by '?' each byte of such characters and of what is no UTF-8. */
void plain_text(char *text);
/* The same for the first character of a text that is not empty; returns its length. */
size_t plain_text_step(char *text);

/* Writes a line, or a part of one, made fit as a whole: a newline within it is shown as '?' too. */
void plain_line(FILE *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void plain_part(FILE *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
