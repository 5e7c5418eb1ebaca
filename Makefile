# SPDX-License-Identifier: MIT
VERSION = 0.1.0

CC      ?= cc
CFLAGS  ?= -O2 -g
PREFIX  ?= /usr/local
DESTDIR ?=
BUILD   ?= build
WERROR  ?= $(if $(CI),-Werror)

PKG_CONFIG ?= pkg-config
# argtable3 where pkg-config finds it, else the distribution's argtable2, which has the same calls.
ARGTABLE   ?= $(shell $(PKG_CONFIG) --exists argtable3 2>/dev/null && echo argtable3 || echo argtable2)
LIBS        = libproc2 $(ARGTABLE)

SRCS = \
	src/advice.c \
	src/attach.c \
	src/cgroup.c \
	src/clock.c \
	src/cmd_report.c \
	src/cmd_watch.c \
	src/csvcols.c \
	src/csvread.c \
	src/detector.c \
	src/detector_classes.c \
	src/detector_settle.c \
	src/detector_steps.c \
	src/detector_trend.c \
	src/detector_windows.c \
	src/filename.c \
	src/forward.c \
	src/held.c \
	src/jsonout.c \
	src/judge.c \
	src/loop.c \
	src/main.c \
	src/member.c \
	src/msg.c \
	src/options.c \
	src/options_rows.c \
	src/output_csv.c \
	src/pidmap.c \
	src/procfile.c \
	src/proclist.c \
	src/pss.c \
	src/relay.c \
	src/relay_pipe.c \
	src/relay_plan.c \
	src/relay_process.c \
	src/report_file.c \
	src/report_json.c \
	src/report_text.c \
	src/sentry.c \
	src/series.c \
	src/source_host.c \
	src/source_replay.c \
	src/source_system.c \
	src/stats.c \
	src/summary.c \
	src/tap.c \
	src/ticker.c \
	src/tree.c \
	src/units.c \
	src/watch.c \
	src/words.c \
	src/wrap.c \
	src/xalloc.c

OBJS = $(SRCS:src/%.c=$(BUILD)/%.o)

HARDEN    = -fPIE -fstack-protector-strong -fcf-protection
FORTIFY   = -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
WARN      = -Wall -Wextra -Wconversion -Wstrict-prototypes -Wshadow -Wformat=2 -Wmissing-prototypes
MW_CFLAGS = -std=c11 -D_GNU_SOURCE -DMEMWATCH_VERSION='"$(VERSION)"' $(WARN) $(WERROR) $(HARDEN) $(FORTIFY) \
	$(if $(filter argtable3,$(ARGTABLE)),-DHAVE_ARGTABLE3) $(shell $(PKG_CONFIG) --cflags $(LIBS) 2>/dev/null)
MW_LDFLAGS = -pie -Wl,-z,relro,-z,now -pthread
MW_LIBS    = $(shell $(PKG_CONFIG) --libs $(LIBS) 2>/dev/null) -lm -ldl

all: memwatch

memwatch: $(OBJS)
	$(CC) $(CFLAGS) $(MW_LDFLAGS) $(LDFLAGS) -o $@ $(OBJS) $(MW_LIBS)

$(BUILD)/%.o: src/%.c Makefile
	@mkdir -p $(@D)
	$(CC) $(MW_CFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

clean:
	rm -rf $(BUILD) memwatch

-include $(OBJS:.o=.d)

.PHONY: all clean
