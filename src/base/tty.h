/* SPDX-License-Identifier: MIT */
/* Terminals and their modes; knows nothing of who uses them. */
#ifndef BASE_TTY_H
#define BASE_TTY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <termios.h>

/* Opens a pseudo-terminal with the modes and the size of the terminal fd. The slave is opened with the flags
 * given; both ends are closed on exec. 0 or -errno. */
int tty_open_pair(int fd, int slave_flags, int *master, int *slave);
/* One more descriptor of the slave. -errno when that fails. */
int tty_open_slave(int master, int flags);

/* As tcgetattr(3) and tcsetattr(3) at once, with a second chance. */
int tty_get_modes(int fd, struct termios *modes);
int tty_set_modes(int fd, const struct termios *modes);
bool tty_same_modes(const struct termios *a, const struct termios *b);
/* Every key and every byte of output passes as it is. */
void tty_make_raw(const struct termios *from, struct termios *raw);
/* Sets the modes, unless somebody has changed them from `expected` since. */
void tty_restore(int fd, const struct termios *expected, const struct termios *modes);

/* Makes the size of the terminal `to` that of `from`, which is left in *size if that is not NULL; the kernel
 * tells its foreground group if it changed. */
void tty_copy_size(int from, int to, struct winsize *size);
/* 0: fd is no terminal, or one that does not tell. */
int tty_columns(int fd);
int tty_rows(int fd);
bool tty_has_size(int fd, const struct winsize *size);

/* Writes bytes to the master of a pseudo-terminal as if typed, without their being echoed. */
void tty_type_silently(int master, const char *keys, size_t n);

#endif
