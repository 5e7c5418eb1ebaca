/* SPDX-License-Identifier: MIT */
/* The style and the script of the page, as they are. */
#include "base/take_in.h"
#include "report/html.h"

TAKE_IN(html_css, "src/report/page.css");
TAKE_IN(html_js, "src/report/page.js");
