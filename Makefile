# SPDX-License-Identifier: MIT
VERSION = 0.1.0

CC      ?= cc
CFLAGS  ?= -O2 -g
PREFIX  ?= /usr/local
DESTDIR ?=
BUILD   ?= build
PROGRAM ?= memwatch
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

all: $(PROGRAM)

$(PROGRAM): $(OBJS)
	$(CC) $(CFLAGS) $(MW_LDFLAGS) $(LDFLAGS) -o $@ $(OBJS) $(MW_LIBS)

$(BUILD)/%.o: src/%.c Makefile
	@mkdir -p $(@D)
	$(CC) $(MW_CFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

# Tests: one program for each tests/unit/test_*.c, which includes the .c under test and takes the rest from the
# archive; small programs to be watched; a probe that says what a command sees. All of them print TAP (tests/run).
UNIT      = $(patsubst tests/unit/%.c,$(BUILD)/tests/unit/%,$(wildcard tests/unit/test_*.c))
WORKLOADS = $(patsubst tests/workload/%.c,build/tests/workload/%,$(wildcard tests/workload/*.c))
PROBES    = build/tests/crowd build/tests/family build/tests/probe
TEST_CFLAGS = -std=c11 -D_GNU_SOURCE $(WARN) $(WERROR) -O1 -g -MMD -MP

$(BUILD)/tests/memwatch.a: $(filter-out $(BUILD)/main.o,$(OBJS))
	@mkdir -p $(@D)
	rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/tests/unit/%: tests/unit/%.c $(BUILD)/tests/memwatch.a Makefile
	@mkdir -p $(@D)
	$(CC) $(MW_CFLAGS) $(UNIT_CFLAGS_$*) $(CFLAGS) -MMD -MP -o $@ $< $(BUILD)/tests/memwatch.a \
		$(MW_LDFLAGS) $(LDFLAGS) -lcmocka $(MW_LIBS)

build/tests/workload/%: tests/workload/%.c Makefile
	@mkdir -p $(@D)
	$(CC) $(TEST_CFLAGS) -o $@ $<

build/tests/crowd: tests/stress/crowd.c Makefile
build/tests/family: tests/tree/family.c Makefile
build/tests/probe: tests/transparency/probe.c Makefile
$(PROBES):
	@mkdir -p $(@D)
	$(CC) $(TEST_CFLAGS) -o $@ $<

# What Python needs comes from PyPI; without it the tests that use it say so and are skipped.
build/venv/ready: tests/requirements.txt
	@mkdir -p build
	-python3 -m venv build/venv && build/venv/bin/pip install -q -r $< && touch $@

test-programs: $(PROGRAM) $(UNIT) $(WORKLOADS) $(PROBES)

check: test-programs build/venv/ready
	MEMWATCH=$(abspath $(PROGRAM)) BUILD=$(BUILD) tests/run

check-unit: $(UNIT)
	BUILD=$(BUILD) tests/run /unit/

check-cli: test-programs
	MEMWATCH=$(abspath $(PROGRAM)) BUILD=$(BUILD) tests/run tests/cli

check-stress: test-programs
	MEMWATCH=$(abspath $(PROGRAM)) STRESS=full tests/run tests/stress

# The same suite on a build that watches itself. Signals stay the kernel's: a wrapper has to die by them. Reports go
# to files, since memwatch's standard error may be closed or belong to a test.
SANITIZE = -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
ASAN_SET = detect_stack_use_after_return=1:handle_segv=0:handle_abort=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0
check-asan: build/venv/ready
	rm -rf build/asan-reports && mkdir -p -m 1777 build/asan-reports
	$(MAKE) BUILD=build/asan PROGRAM=build/asan/memwatch CFLAGS='$(SANITIZE)' FORTIFY= test-programs
	BUILD=build/asan MEMWATCH=$(abspath build/asan/memwatch) ASAN_OPTIONS=$(ASAN_SET):log_path=$(abspath build/asan-reports/asan) \
		UBSAN_OPTIONS=print_stacktrace=1:log_path=$(abspath build/asan-reports/ubsan) tests/run $(TESTS); \
		status=$$?; tests/no-reports build/asan-reports && exit $$status

# memwatch under valgrind, what it watches not. It starts fifty times slower: the table of transparency is sampled.
VALGRIND = valgrind -q --leak-check=full --errors-for-leak-kinds=definite,possible --error-exitcode=119
check-valgrind: test-programs
	rm -rf build/valgrind && mkdir -p -m 1777 build/valgrind
	printf '#!/bin/sh\nexec $(VALGRIND) --trace-children=no --log-file=%s/%%p %s "$$@"\n' $(abspath build/valgrind) \
		$(abspath $(PROGRAM)) >build/valgrind/memwatch && chmod +x build/valgrind/memwatch
	MEMWATCH=$(abspath build/valgrind/memwatch) UNDER='$(VALGRIND)' TRANSPARENCY='--every 12 --jobs 4' \
		TRANSPARENCY_HANG_S=120 tests/run $(or $(TESTS),/unit/ tests/cli tests/transparency); \
		status=$$?; rm build/valgrind/memwatch; tests/no-reports build/valgrind && exit $$status

-include $(UNIT:=.d) $(WORKLOADS:=.d) $(PROBES:=.d)

clean:
	rm -rf $(BUILD) $(PROGRAM)

-include $(OBJS:.o=.d)

.PHONY: all check check-asan check-cli check-stress check-unit check-valgrind clean test-programs
