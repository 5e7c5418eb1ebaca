/* SPDX-License-Identifier: MIT */
/* Calls on terminals and pseudo-terminals. Keeps no state. */
#include "base/tty.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fds.h"

enum { TRIES = 3 };
enum { NAME_MAX_BYTES = 64 }; /* of "/dev/pts/" and a number */

/* A terminal that is left as it should not be is worse than a second try. */
int tty_get_modes(int fd, struct termios *modes)
{
	int err = -1;

	for (int i = 0; i < TRIES && err != 0; i++)
		err = tcgetattr(fd, modes);
	return err;
}

int tty_set_modes(int fd, const struct termios *modes)
{
	int err = -1;

	for (int i = 0; i < TRIES && err != 0; i++)
		err = tcsetattr(fd, TCSANOW, modes);
	return err;
}

int tty_open_slave(int master, int flags)
{
	int fd = ioctl(master, TIOCGPTPEER, flags | O_NOCTTY | O_CLOEXEC);
	char name[NAME_MAX_BYTES];

	/* TIOCGPTPEER came with Linux 4.13. */
	if (fd < 0 && ptsname_r(master, name, sizeof(name)) == 0)
		fd = open(name, flags | O_NOCTTY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int tty_open_pair(int fd, int slave_flags, int *master, int *slave)
{
	struct termios modes;
	int err;

	*master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
	if (*master < 0)
		return -errno;
	*slave = unlockpt(*master) == 0 ? tty_open_slave(*master, slave_flags) : -errno;
	if (*slave >= 0 && tty_get_modes(fd, &modes) == 0 && tty_set_modes(*slave, &modes) == 0) {
		tty_copy_size(fd, *slave, NULL);
		return 0;
	}
	err = *slave < 0 ? *slave : -errno;
	fds_close(slave);
	fds_close(master);
	return err;
}

bool tty_same_modes(const struct termios *a, const struct termios *b)
{
	return a->c_iflag == b->c_iflag && a->c_oflag == b->c_oflag && a->c_cflag == b->c_cflag &&
	       a->c_lflag == b->c_lflag && memcmp(a->c_cc, b->c_cc, sizeof(a->c_cc)) == 0;
}

void tty_make_raw(const struct termios *from, struct termios *raw)
{
	*raw = *from;
	cfmakeraw(raw);
	raw->c_cc[VMIN] = 1;
	raw->c_cc[VTIME] = 0;
}

void tty_restore(int fd, const struct termios *expected, const struct termios *modes)
{
	struct termios now;

	if (tty_get_modes(fd, &now) == 0 && tty_same_modes(&now, expected))
		tty_set_modes(fd, modes);
}

void tty_copy_size(int from, int to, struct winsize *size)
{
	struct winsize now;

	if (ioctl(from, TIOCGWINSZ, &now) != 0)
		return;
	ioctl(to, TIOCSWINSZ, &now);
	if (size)
		*size = now;
}

int tty_columns(int fd)
{
	struct winsize size;

	return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

int tty_rows(int fd)
{
	struct winsize size;

	return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_row : 0;
}

bool tty_has_size(int fd, const struct winsize *size)
{
	struct winsize now;

	return ioctl(fd, TIOCGWINSZ, &now) == 0 && now.ws_row == size->ws_row && now.ws_col == size->ws_col &&
	       now.ws_xpixel == size->ws_xpixel && now.ws_ypixel == size->ws_ypixel;
}

/* The kernel hands over what is written to a master in a work queue of its own; poll() on the slave waits for
 * that (n_tty_poll calls tty_buffer_flush_work). */
void tty_type_silently(int master, const char *keys, size_t n)
{
	struct termios modes, silent;
	struct pollfd slave = {.fd = tty_open_slave(master, O_RDWR), .events = POLLIN};

	if (slave.fd < 0)
		return;
	if (tty_get_modes(master, &modes) == 0) {
		silent = modes;
		silent.c_lflag &= (tcflag_t) ~(ECHO | ECHONL);
		tty_set_modes(master, &silent);
		if (write(master, keys, n) > 0)
			poll(&slave, 1, 0);
		tty_set_modes(master, &modes);
	}
	close(slave.fd);
}
