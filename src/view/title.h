/* SPDX-License-Identifier: MIT */
/* How a run stands, in one short line. Pure. */
#ifndef VIEW_TITLE_H
#define VIEW_TITLE_H

#include "base/terminal_title.h"
#include "view/model.h"

/* "1.61 GiB growth +8.00 MiB per epoch, gpu0 22.1 GiB reservation: python fit.py". Returns buf. */
char *view_title(char buf[TERMINAL_TITLE_MAX], const struct view_model *m);

#endif
