/* SPDX-License-Identifier: MIT */
/* Words for people, on standard error. Each message is one line: control characters in it are shown as '?'. */
#ifndef BASE_MSG_H
#define BASE_MSG_H

#include <stdbool.h>
#include <stddef.h>

enum msg_level { MSG_QUIET, MSG_NORMAL, MSG_VERBOSE };
enum msg_colour { MSG_COLOUR_AUTO, MSG_COLOUR_ALWAYS, MSG_COLOUR_NEVER };

enum msg_paint { PAINT_NONE, PAINT_BOLD, PAINT_ALARM };

void msg_init(enum msg_level level, enum msg_colour colour);

/* Escape sequence for a paint on standard error, which shows colours when asked to, or as a terminal without
 * NO_COLOR; else "". PAINT_NONE ends any paint. */
const char *msg_paint(enum msg_paint paint);

/* Whether what is written to this descriptor shall have colours: as asked, else on a terminal that is not dumb, without
 * NO_COLOR. */
bool msg_colours(int fd);

/* Errors and what degrades a run; shown even with -q. */
void warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* What a person wants to know of a run; silent with -q. */
void note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* The same for what must be seen while COMMAND writes to the terminal too: below an empty line there. */
void shout(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Only with -v. */
void detail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Bad usage and lack of memory only: warns and exits with 125. */
_Noreturn void die(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* While true, standard error is a terminal in raw mode: a newline needs a return before it. */
void msg_raw_terminal(bool raw);

/* COMMAND wrote this to the terminal that is standard error, see screen_cursor_push(): a message then begins on a fresh
 * line. */
void msg_saw_output(const char *bytes, size_t n);

/* From now on each line, without its newline, goes to fn instead of a terminal; standard error that is none gets it all
 * the same. NULL: no more. */
typedef void msg_taker(void *arg, const char *line, size_t n);
void msg_divert(msg_taker *fn, void *arg);

/* Data on standard output: writes out what is buffered, at the end of a run. False, with the message said, when that
 * fails; a reader that went away is an ordinary end. */
bool msg_flush_stdout(void);

/* Where standard error is no terminal, lines go to this one too from now on. */
void msg_copy_to(int terminal);

/* A line that was diverted, as it stands. */
void msg_repeat(const char *line);

/* Words without the "memwatch: " prefix, one call per line; silent with -q. */
void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* A line that is fit to be shown already, escape sequences of our own in it, see plain_line(). */
void say_plain(const char *text);

#endif
