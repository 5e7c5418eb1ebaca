# SPDX-License-Identifier: MIT
VERSION = 0.1.0

CC      ?= cc
CFLAGS  ?= -O2 -g
PREFIX  ?= /usr/local
DESTDIR ?=
BUILD   ?= build
WERROR  ?= $(if $(CI),-Werror)

BINDIR  ?= $(PREFIX)/bin
MANDIR  ?= $(PREFIX)/share/man
BASHDIR ?= $(PREFIX)/share/bash-completion/completions
ZSHDIR  ?= $(PREFIX)/share/zsh/site-functions
FISHDIR ?= $(PREFIX)/share/fish/vendor_completions.d

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
# The tool itself is in the root; other builds (sanitizers, a second compiler) keep theirs to themselves.
BIN  = $(if $(filter build,$(BUILD)),memwatch,$(BUILD)/memwatch)

ARCH      := $(shell uname -m)
HARDEN     = -fPIE -fstack-protector-strong $(if $(filter x86_64,$(ARCH)),-fcf-protection)
FORTIFY    = -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
WARN       = -Wall -Wextra -Wconversion -Wstrict-prototypes -Wshadow -Wformat=2 -Wmissing-prototypes
MW_CFLAGS  = -std=c11 -D_GNU_SOURCE -DMEMWATCH_VERSION='"$(VERSION)"' $(WARN) $(WERROR) $(HARDEN) $(FORTIFY) \
	$(if $(filter argtable3,$(ARGTABLE)),-DHAVE_ARGTABLE3) $(shell $(PKG_CONFIG) --cflags $(LIBS) 2>/dev/null)
MW_LDFLAGS = -pie -Wl,-z,relro,-z,now -pthread
MW_LIBS    = $(shell $(PKG_CONFIG) --libs $(LIBS) 2>/dev/null) -lm -ldl

SUBMAKE = $(MAKE) --no-print-directory $(if $(V),,-s)
DEPS = CC='$(CC)' PKG_CONFIG='$(PKG_CONFIG)' tests/deps.sh

# "make V=1" shows the commands.
Q   = $(if $(V),,@)
SAY = $(if $(V),@:,@printf '  %-5s %s\n')

all: $(BIN)

$(BIN): $(OBJS)
	$(SAY) LD $@
	$(Q)$(CC) $(CFLAGS) $(MW_LDFLAGS) $(LDFLAGS) -o $@ $(OBJS) $(MW_LIBS)

$(BUILD)/%.o: src/%.c $(BUILD)/flags
	$(SAY) CC $<
	$(Q)$(CC) $(MW_CFLAGS) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

# Changes when the compiler or its flags do, so that objects of two kinds never mix.
$(BUILD)/flags: force | need
	@mkdir -p $(@D)
	@echo '$(subst ','\'',$(CC) $(MW_CFLAGS) $(CPPFLAGS) $(CFLAGS))' | cmp -s - $@ || \
		echo '$(subst ','\'',$(CC) $(MW_CFLAGS) $(CPPFLAGS) $(CFLAGS))' >$@

# Nothing is installed by a plain "make": it names what is missing.
need:
	@$(DEPS) need build

help:
	@echo 'make             builds ./memwatch'
	@echo 'make demo        installs what is missing, builds, and watches two small programs'
	@echo 'make check       installs what is missing, builds, and runs all tests (TESTS="..." for some)'
	@echo 'make check-unit check-cli check-asan check-valgrind'
	@echo '                 parts of it, and the same tests under sanitizers and valgrind'
	@echo 'make bench       what sampling costs, against other tools (BENCH=quick: two minutes)'
	@echo 'make lint        clang-tidy, cppcheck, mandoc, shellcheck, sizes of functions and files'
	@echo 'make format      clang-format on all C files'
	@echo 'make completions writes the completions anew from the rows of options'
	@echo 'make install     PREFIX=$(PREFIX) DESTDIR=$(DESTDIR); also: make uninstall'
	@echo 'make dist        memwatch-$(VERSION).tar.gz of what is committed'
	@echo 'make clean       removes all that was built'
	@echo 'Variables: CC CFLAGS LDFLAGS PREFIX DESTDIR BUILD ARGTABLE; CI=1 makes warnings errors; V=1 shows commands'

# --- demo

demo:
	@$(DEPS) install build
	@$(SUBMAKE) $(BIN) $(BUILD)/demo/jump $(BUILD)/demo/leak
	@MEMWATCH=./$(BIN) tests/demo/run $(BUILD)/demo

TEST_CFLAGS = -std=c11 -D_GNU_SOURCE $(WARN) $(WERROR) -O2 -g

$(BUILD)/demo/%: tests/demo/train.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(SAY) CC $@
	$(Q)$(CC) $(TEST_CFLAGS) $(DEMO_$*) -o $@ $<

DEMO_jump = -DONCE_MIB=120 -DEACH_MIB=0
DEMO_leak = -DONCE_MIB=0 -DEACH_MIB=4

# --- tests

UNIT_TESTS    = $(patsubst tests/unit/%.c,$(BUILD)/tests/unit/%,$(wildcard tests/unit/test_*.c))
TEST_PROGRAMS = $(foreach c,$(wildcard tests/workload/*.c tests/transparency/*.c),$(BUILD)/tests/$(basename $(notdir $(c))))
TEST_PYPI     = psutil pandas
VENV          = $(BUILD)/venv

check: check-deps
	@$(SUBMAKE) check-all

check-deps:
	@$(DEPS) install build check

check-all: $(BIN) $(UNIT_TESTS) $(TEST_PROGRAMS) $(VENV)/done
	@MEMWATCH=$(abspath $(BIN)) BUILD=$(abspath $(BUILD)) tests/run $(TESTS)

check-unit: $(UNIT_TESTS)
	@BUILD=$(abspath $(BUILD)) tests/run unit

check-cli: $(BIN) $(TEST_PROGRAMS) $(VENV)/done
	@MEMWATCH=$(abspath $(BIN)) BUILD=$(abspath $(BUILD)) tests/run cli

check-asan: check-deps
	@ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 $(SUBMAKE) check-all \
		BUILD=build/asan VENV=$(VENV) FORTIFY= \
		CFLAGS='-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all'

check-valgrind: check-deps
	@$(DEPS) install valgrind
	@$(SUBMAKE) check-all UNDER_VALGRIND=1

# A unit test includes the module it tests, so that it is linked to all the others.
$(BUILD)/tests/unit/test_%: tests/unit/test_%.c $(OBJS)
	@mkdir -p $(@D)
	$(SAY) CC $@
	$(Q)$(CC) $(MW_CFLAGS) $(CFLAGS) -MMD -MP -MF $@.d $(shell $(PKG_CONFIG) --cflags cmocka 2>/dev/null) -pthread -o $@ $< \
		$(filter-out $(BUILD)/main.o $(BUILD)/$*.o,$(OBJS)) $(shell $(PKG_CONFIG) --libs cmocka 2>/dev/null) $(MW_LIBS)

define test_program
$$(BUILD)/tests/$(basename $(notdir $(1))): $(1) $$(BUILD)/flags
	@mkdir -p $$(@D)
	$$(SAY) CC $$@
	$$(Q)$$(CC) $$(TEST_CFLAGS) -pthread -o $$@ $$<
endef
$(foreach c,$(wildcard tests/workload/*.c tests/transparency/*.c),$(eval $(call test_program,$(c))))

# Without PyPI the tests that need its packages are skipped, and say so.
$(VENV)/done:
	@echo '  PYPI  $(TEST_PYPI) into $(VENV)'
	@python3 -m venv $(VENV) && $(VENV)/bin/pip install -q --disable-pip-version-check $(TEST_PYPI) && touch $@ || \
		echo 'memwatch: PyPI cannot be reached: tests that need $(TEST_PYPI) will be skipped'

# --- completions: the part that must agree with the program is written from the rows of options

completions: $(BUILD)/rows
	@for file in bash:memwatch.bash zsh:_memwatch fish:memwatch.fish; do \
		$(BUILD)/rows $${file%%:*} >$(BUILD)/rows.txt && \
		sed -i -e '/^# <rows>/,/^# <\/rows>/{//!d}' -e '/^# <rows>/r $(BUILD)/rows.txt' completions/$${file#*:} || exit 1; \
	done

$(BUILD)/rows: completions/rows.c $(OBJS)
	$(SAY) CC $@
	$(Q)$(CC) $(MW_CFLAGS) $(CFLAGS) $(MW_LDFLAGS) -o $@ $< $(filter-out $(BUILD)/main.o $(BUILD)/options.o,$(OBJS)) $(MW_LIBS)

# --- bench: the cost goals against a floor program and other tools; BENCH=quick takes two minutes instead of nine

BENCH_DIR  = $(BUILD)/bench
BENCH_BINS = $(addprefix $(BENCH_DIR)/,empty floor stamp target unthrottled.so)
BENCH_VENV = $(BUILD)/venv-bench
BENCH_PYPI = memory_profiler pandas procpath psrecord setuptools

bench:
	@$(DEPS) install build bench
	@$(SUBMAKE) $(BIN) $(BENCH_BINS) $(BENCH_VENV)/done
	@python3 tests/bench/bench.py --memwatch ./$(BIN) $(if $(filter quick,$(BENCH)),--quick) $(BENCH_GOALS)

$(BENCH_DIR)/%: tests/bench/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(SAY) CC $@
	$(Q)$(CC) $(TEST_CFLAGS) -o $@ $<

# What memwatch pays before its own work begins.
$(BENCH_DIR)/empty: tests/bench/empty.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(SAY) CC $@
	$(Q)$(CC) $(TEST_CFLAGS) $(HARDEN) $(MW_LDFLAGS) -Wl,--no-as-needed -o $@ $< $(MW_LIBS)

$(BENCH_DIR)/%.so: tests/bench/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(SAY) CC $@
	$(Q)$(CC) $(TEST_CFLAGS) -shared -fPIC -o $@ $<

# Without PyPI the other tools are left out, and the bench says so.
$(BENCH_VENV)/done:
	@echo '  PYPI  $(BENCH_PYPI) into $(BENCH_VENV)'
	@python3 -m venv $(BENCH_VENV) && $(BENCH_VENV)/bin/pip install -q --disable-pip-version-check $(BENCH_PYPI) && touch $@ || \
		echo 'memwatch: PyPI cannot be reached'

# --- the source: lint, format, dist

C_FILES  = $(wildcard src/*.[ch] completions/*.c tests/*/*.[ch])
SH_FILES = .ci/run tests/deps.sh tests/run tests/demo/run

lint:
	@$(DEPS) install build check lint
	@$(SUBMAKE) lint-all

lint-all:
	clang-format --dry-run -Werror $(C_FILES)
	clang-tidy --quiet $(SRCS) -- $(MW_CFLAGS) 2>/dev/null
	cppcheck --quiet --error-exitcode=1 --inline-suppr --std=c11 --enable=warning,performance,portability \
		--suppress=missingIncludeSystem -D_GNU_SOURCE -DMEMWATCH_VERSION='"$(VERSION)"' src
	mandoc -T lint -W warning man/memwatch.1 man/memwatch.5
	shellcheck $(SH_FILES)
	awk -f tests/sizes.awk $(SRCS)

format:
	clang-format -i $(C_FILES)

dist:
	git archive --prefix=memwatch-$(VERSION)/ -o memwatch-$(VERSION).tar.gz HEAD

install: $(BIN)
	install -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(MANDIR)/man1 $(DESTDIR)$(MANDIR)/man5 $(DESTDIR)$(BASHDIR) \
		$(DESTDIR)$(ZSHDIR) $(DESTDIR)$(FISHDIR)
	install -m 755 $(BIN) $(DESTDIR)$(BINDIR)/memwatch
	install -m 644 man/memwatch.1 $(DESTDIR)$(MANDIR)/man1/memwatch.1
	install -m 644 man/memwatch.5 $(DESTDIR)$(MANDIR)/man5/memwatch.5
	install -m 644 completions/memwatch.bash $(DESTDIR)$(BASHDIR)/memwatch
	install -m 644 completions/_memwatch $(DESTDIR)$(ZSHDIR)/_memwatch
	install -m 644 completions/memwatch.fish $(DESTDIR)$(FISHDIR)/memwatch.fish

uninstall:
	rm -f $(DESTDIR)$(BINDIR)/memwatch $(DESTDIR)$(MANDIR)/man1/memwatch.1 $(DESTDIR)$(MANDIR)/man5/memwatch.5 \
		$(DESTDIR)$(BASHDIR)/memwatch $(DESTDIR)$(ZSHDIR)/_memwatch $(DESTDIR)$(FISHDIR)/memwatch.fish

clean:
	rm -rf $(BUILD) memwatch

-include $(OBJS:.o=.d) $(UNIT_TESTS:%=%.d)

force:

.PHONY: all bench check check-all check-asan check-cli check-deps check-unit check-valgrind clean completions demo dist force \
	format help install lint lint-all need uninstall
