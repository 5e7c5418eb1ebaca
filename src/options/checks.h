/* SPDX-License-Identifier: MIT */
/* What the options mean together, once each has been read. */
#ifndef OPTIONS_CHECKS_H
#define OPTIONS_CHECKS_H

#include "options/options.h"

/* Ends memwatch with a message and status 125 where they do not go together. */
void options_check(const struct options *o);

bool options_report_to_stdout(const struct options *o);

#endif
