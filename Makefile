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
# The live view; WITH_NCURSES=0 leaves it out.
WITH_NCURSES ?= $(shell $(PKG_CONFIG) --exists ncursesw 2>/dev/null && echo 1 || echo 0)
LIBS        = libproc2 $(ARGTABLE) $(if $(filter 1,$(WITH_NCURSES)),ncursesw)
# For -r run.png and run.pdf: its headers now, the library when it is asked for. WITH_CAIRO=0 leaves it out.
WITH_CAIRO ?= $(shell $(PKG_CONFIG) --exists cairo 2>/dev/null && echo 1 || echo 0)

SRCS = $(sort $(filter-out $(if $(filter 1,$(WITH_NCURSES)),src/view/painter_none.c,src/view/painter.c src/view/terminfo.c),$(wildcard src/*/*.c)))

OBJS = $(SRCS:src/%.c=$(BUILD)/%.o)
# The tool itself is in the root; other builds (sanitizers, a second compiler) keep theirs to themselves.
PROGRAM ?= $(if $(filter build,$(BUILD)),memwatch,$(BUILD)/memwatch)

ARCH      := $(shell uname -m)
HARDEN     = -fPIE -fstack-protector-strong $(if $(filter x86_64,$(ARCH)),-fcf-protection)
FORTIFY    = -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
WARN       = -Wall -Wextra -Wconversion -Wstrict-prototypes -Wshadow -Wformat=2 -Wmissing-prototypes
MW_CFLAGS  = -std=c11 -iquote src -D_GNU_SOURCE -DMEMWATCH_VERSION='"$(VERSION)"' $(WARN) $(WERROR) $(HARDEN) $(FORTIFY) \
	$(if $(filter argtable3,$(ARGTABLE)),-DHAVE_ARGTABLE3) \
	$(if $(filter 1,$(WITH_CAIRO)),-DHAVE_CAIRO $(shell $(PKG_CONFIG) --cflags cairo 2>/dev/null)) $(shell $(PKG_CONFIG) --cflags $(LIBS) 2>/dev/null)
MW_LDFLAGS = -pie -Wl,-z,relro,-z,now -pthread
MW_LIBS    = $(shell $(PKG_CONFIG) --libs $(LIBS) 2>/dev/null) -lm -ldl

SUBMAKE = $(MAKE) --no-print-directory $(if $(V),,-s) -j$(shell nproc)
DEPS = CC='$(CC)' PKG_CONFIG='$(PKG_CONFIG)' tests/deps.sh

# "make V=1" shows the commands.
Q   = $(if $(V),,@)
SAY = $(if $(V),@:,@printf '  %-5s %s\n')

all: $(PROGRAM)

$(PROGRAM): $(OBJS)
	$(SAY) LD $@
	$(Q)$(CC) $(CFLAGS) $(MW_LDFLAGS) $(LDFLAGS) -o $@ $(OBJS) $(MW_LIBS)

$(BUILD)/%.o: src/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(SAY) CC $<
	$(Q)$(CC) $(MW_CFLAGS) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

# Taken in by the assembler, which tells the compiler nothing of it.
$(BUILD)/explain/scripts.o: $(wildcard src/explain/*.py src/explain/agent/*.py)
$(BUILD)/report/html_page.o: src/report/page.css src/report/page.js

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
	@echo 'make check-unit check-cli check-stress check-asan check-tsan check-valgrind'
	@echo '                 parts of it, the long stress, and the same tests under sanitizers and valgrind'
	@echo 'make check-frameworks  real Keras, PyTorch, Lightning and Hugging Face trainings, about 25 minutes; installs them'
	@echo '                 into build/venv-frameworks (7.5 GiB), or FRAMEWORKS_PYTHON=PATH takes an interpreter that has them'
	@echo 'make faults      each system call and allocation fails once (FAULTS_ONLY="pipe 0 malloc" for some), about 5 minutes;'
	@echo '                 make check runs a tenth, chosen by FAULTS_SEED=1'
	@echo 'make bench       what sampling costs, against other tools (BENCH=quick: two minutes)'
	@echo 'make score       how good the verdicts are, on recorded and on generated runs (a minute)'
	@echo 'make pictures    draws the pictures of the README anew'
	@echo 'make lint        clang-tidy, cppcheck, mandoc, shellcheck, sizes of functions and files'
	@echo 'make format      clang-format on all C files'
	@echo 'make completions writes the completions anew from the rows of options'
	@echo 'make install     PREFIX=$(PREFIX) DESTDIR=$(DESTDIR); also: make uninstall'
	@echo 'make dist        memwatch-$(VERSION).tar.gz of what is committed'
	@echo 'make clean       removes all that was built'
	@echo 'Variables: CC CFLAGS LDFLAGS PREFIX DESTDIR BUILD ARGTABLE WITH_CAIRO WITH_NCURSES; CI=1 makes warnings errors; V=1 shows commands'

# --- demo

demo:
	@$(DEPS) install build pictures view
	@$(SUBMAKE) $(PROGRAM) build/tests/workload/jump build/tests/workload/leak
	@MEMWATCH=./$(PROGRAM) tests/demo

# The README's pictures, anew.
build/tests/draw: tests/pictures/draw.c $(BUILD)/tests/memwatch.a
	$(SAY) CC $@
	$(Q)$(CC) $(MW_CFLAGS) $(CFLAGS) -o $@ $< $(BUILD)/tests/memwatch.a $(MW_LDFLAGS) $(LDFLAGS) $(MW_LIBS)

pictures:
	@$(DEPS) install build pictures check
	@$(SUBMAKE) $(PROGRAM) build/tests/draw $(addprefix build/tests/workload/,flat heap-creep leak)
	@MEMWATCH=$(abspath $(PROGRAM)) tests/pictures/readme

# --- tests: one program for each tests/unit/*/test_*.c, which includes the .c under test and takes the rest from the
# archive; small programs to be watched; a probe that says what a command sees. All of them print TAP (tests/run).

UNIT        = $(patsubst tests/unit/%.c,$(BUILD)/tests/unit/%,$(wildcard tests/unit/*/test_*.c))
WORKLOADS   = $(patsubst tests/workload/%.c,build/tests/workload/%,$(wildcard tests/workload/*.c))
PROBES      = build/tests/crowd build/tests/deny build/tests/family build/tests/probe build/tests/writer
TEST_CFLAGS = -std=c11 -D_GNU_SOURCE $(WARN) $(WERROR) -O1 -g -MMD -MP

$(BUILD)/tests/memwatch.a: $(filter-out $(BUILD)/cmd/main.o,$(OBJS))
	@mkdir -p $(@D)
	$(SAY) AR $@
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/tests/unit/%: tests/unit/%.c $(BUILD)/tests/memwatch.a
	@mkdir -p $(@D)
	$(SAY) CC $@
	$(Q)$(CC) $(MW_CFLAGS) $(CFLAGS) -MMD -MP -o $@ $< $(BUILD)/tests/memwatch.a \
		$(MW_LDFLAGS) $(LDFLAGS) -lcmocka $(MW_LIBS)

build/tests/workload/%: tests/workload/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(SAY) CC $@
	$(Q)$(CC) $(TEST_CFLAGS) -o $@ $< -pthread

build/tests/probe: tests/transparency/probe.c $(BUILD)/flags
build/tests/crowd: tests/stress/crowd.c $(BUILD)/flags
build/tests/deny: tests/scarce/deny.c $(BUILD)/flags
build/tests/family: tests/tree/family.c $(BUILD)/flags
build/tests/writer: tests/relay/writer.c $(BUILD)/flags
$(PROBES):
	@mkdir -p $(@D)
	$(SAY) CC $@
	$(Q)$(CC) $(TEST_CFLAGS) -o $@ $<

# The fake NVIDIA driver, one library for each generation of it: build/fakenvml/r550/libnvidia-ml.so.1
FAKENVML      = $(patsubst %,build/fakenvml/%/libnvidia-ml.so.1,r440 r470 r535.54 r535.98 r550 empty)
FAKENVML_SRCS = tests/fakenvml/fakenvml.c tests/fakenvml/scenario.c

build/fakenvml/r%/libnvidia-ml.so.1: $(FAKENVML_SRCS) tests/fakenvml/scenario.h src/gpu/nvml_abi.h
	@mkdir -p $(@D)
	$(SAY) CC $@
	$(Q)$(CC) $(TEST_CFLAGS) -fPIC -shared -fvisibility=hidden -Wl,-soname,libnvidia-ml.so.1 -DVARIANT=$(subst .,,$*) \
		-o $@ $(FAKENVML_SRCS) -pthread

# A library of that name which is something else.
build/fakenvml/empty/libnvidia-ml.so.1:
	@mkdir -p $(@D)
	$(SAY) CC $@
	$(Q)echo 'int nothing_of_interest;' | $(CC) -xc -fPIC -shared -Wl,-soname,libnvidia-ml.so.1 -o $@ -

# What Python needs comes from PyPI; without it the tests that use it say so and are skipped.
build/venv/ready: tests/requirements.txt
	@mkdir -p build
	$(SAY) PYPI $<
	@python3 -m venv build/venv && build/venv/bin/pip install -q --disable-pip-version-check -r $< && touch $@ || \
		echo 'memwatch: PyPI cannot be reached: tests that need it will be skipped'

# One call of memwatch fails: the library that does it, and what is run meanwhile.
FAULTS = build/tests/faults/command build/tests/faults/shim.so

build/tests/faults/command: tests/faults/command.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(SAY) CC $@
	$(Q)$(CC) $(TEST_CFLAGS) -o $@ $<

build/tests/faults/shim.so: tests/faults/shim.c tests/faults/calls.h $(BUILD)/flags
	@mkdir -p $(@D)
	$(SAY) CC $@
	$(Q)$(CC) $(TEST_CFLAGS) -fno-builtin -fPIC -shared -o $@ $< -ldl

$(BUILD)/tests/logdump: tests/logs/dump.c $(BUILD)/tests/memwatch.a
	$(SAY) CC $@
	$(Q)$(CC) $(MW_CFLAGS) $(CFLAGS) -MMD -MP -o $@ $< $(BUILD)/tests/memwatch.a $(MW_LDFLAGS) $(LDFLAGS) $(MW_LIBS)

test-programs: $(PROGRAM) $(BUILD)/tests/logdump $(BUILD)/score/prefixes $(UNIT) $(WORKLOADS) $(PROBES) $(FAKENVML) $(FAULTS) $(BUILD)/rows

check:
	@$(DEPS) install build pictures view check
	@$(SUBMAKE) check-all

check-all: test-programs build/venv/ready
	@MEMWATCH=$(abspath $(PROGRAM)) BUILD=$(BUILD) tests/run $(TESTS)

check-unit: $(UNIT) $(FAKENVML) build/tests/workload/heap
	@BUILD=$(BUILD) tests/run /unit/

check-cli: test-programs
	@MEMWATCH=$(abspath $(PROGRAM)) BUILD=$(BUILD) tests/run tests/cli

check-stress: test-programs
	MEMWATCH=$(abspath $(PROGRAM)) STRESS=full tests/run tests/stress

# Samples that are kept are kept there, not in the home of who measures; tests/run has a folder of its own.
faults check-frameworks bench score score-methods: export XDG_STATE_HOME = $(abspath $(BUILD))/state

# All of them, some five thousand; "make check" runs a tenth, chosen by FAULTS_SEED.
faults:
	@$(DEPS) install build pictures view check
	@$(SUBMAKE) $(PROGRAM) $(FAULTS)
	@MEMWATCH=$(abspath $(PROGRAM)) tests/faults/run --all $(if $(FAULTS_ONLY),--only '$(FAULTS_ONLY)')

# Real trainings: FRAMEWORKS_PYTHON=PATH has the frameworks already, FRAMEWORKS_ONLY=REGEX picks cases (tests/frameworks/run
# --list), FRAMEWORKS_KEEP=DIR keeps what failed.
FRAMEWORKS_VENV    = build/venv-frameworks
FRAMEWORKS_PYTHON ?= $(abspath $(FRAMEWORKS_VENV)/bin/python)
check-frameworks:
	@$(DEPS) install build pictures view check
	@$(SUBMAKE) $(PROGRAM) $(if $(filter $(abspath $(FRAMEWORKS_VENV))/%,$(FRAMEWORKS_PYTHON)),$(FRAMEWORKS_VENV)/ready)
	@MEMWATCH=$(abspath $(PROGRAM)) FRAMEWORKS_PYTHON=$(FRAMEWORKS_PYTHON) FRAMEWORKS_ONLY='$(FRAMEWORKS_ONLY)' \
		FRAMEWORKS_KEEP='$(FRAMEWORKS_KEEP)' tests/run tests/frameworks/run tests/frameworks/heaps tests/cli/marks-of-the-manual-run.bats

$(FRAMEWORKS_VENV)/ready: tests/frameworks/requirements.txt
	@mkdir -p build
	@echo '  PYPI  $<: 7.5 GiB into $(FRAMEWORKS_VENV)'
	@python3 -m venv $(FRAMEWORKS_VENV)
	@$(FRAMEWORKS_VENV)/bin/pip install -q --disable-pip-version-check --no-cache-dir -r $<
	@touch $@

# The same suite on a build that watches itself. Signals stay the kernel's: a wrapper has to die by them. Reports go
# to files, since memwatch's standard error may be closed or belong to a test.
SANITIZE = -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
ASAN_SET = detect_stack_use_after_return=1:allocator_may_return_null=1:handle_segv=0:handle_abort=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0
check-asan: build/venv/ready
	rm -rf build/asan-reports && mkdir -p -m 1777 build/asan-reports
	$(SUBMAKE) BUILD=build/asan PROGRAM=build/asan/memwatch CFLAGS='$(SANITIZE)' FORTIFY= test-programs
	BUILD=build/asan MEMWATCH=$(abspath build/asan/memwatch) LSAN_OPTIONS=suppressions=$(abspath tests/lsan.supp):print_suppressions=0 ASAN_OPTIONS=$(ASAN_SET):log_path=$(abspath build/asan-reports/asan) \
		UBSAN_OPTIONS=print_stacktrace=1:log_path=$(abspath build/asan-reports/ubsan) tests/run $(TESTS); \
		status=$$?; tests/no-reports build/asan-reports && exit $$status

# The GPU source and the walk of heaps have threads of their own.
check-tsan: build/venv/ready
	rm -rf build/tsan-reports && mkdir -p -m 1777 build/tsan-reports
	$(SUBMAKE) BUILD=build/tsan PROGRAM=build/tsan/memwatch CFLAGS='-O1 -g -fsanitize=thread' FORTIFY= test-programs
	BUILD=build/tsan MEMWATCH=$(abspath build/tsan/memwatch) TSAN_OPTIONS=log_path=$(abspath build/tsan-reports/tsan) \
		tests/run $(or $(TESTS),gpu fakenvml heap freed keeping the-last-runs); \
		status=$$?; tests/no-reports build/tsan-reports && exit $$status

# Broken heaps through the walk, 10,000 a second and more: make fuzz-heap RUNS=10000000
fuzz-heap: tests/fuzz/fuzz_heap.c
	@mkdir -p $(BUILD)/fuzz
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE $(WARN) -Isrc -O2 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined \
		-o $(BUILD)/fuzz/heap $< src/host/heap_view.c src/host/heap_arena.c src/host/heap_blocks.c src/host/heap_lists.c src/host/heap_passing.c src/host/heap_ranges.c src/host/heap_walk.c
	$(BUILD)/fuzz/heap $(or $(RUNS),1000000)

# Random and mutated output through the line reader and the epochs: make fuzz-epochs RUNS=1000000
fuzz-epochs: tests/fuzz/fuzz_epochs.c
	@mkdir -p $(BUILD)/fuzz
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE -iquote src $(WARN) -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined \
		-o $(BUILD)/fuzz/epochs $< $(wildcard src/epochs/*.c src/base/*.c) -lm
	$(BUILD)/fuzz/epochs $(or $(RUNS),100000) 1 $(wildcard tests/fixtures/epochs/*.txt tests/fixtures/epochs/*.out)

# Broken logs of other tools through their reader: make fuzz-logs RUNS=1000000
fuzz-logs: tests/fuzz/fuzz_logs.c
	@mkdir -p $(BUILD)/fuzz
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE -iquote src $(WARN) -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined \
		-o $(BUILD)/fuzz/logs $< $(wildcard src/record/log_*.c src/base/*.c) -lm
	$(BUILD)/fuzz/logs $(or $(RUNS),100000) 1 tests/fixtures/logs/*.*

# memwatch under valgrind, what it watches not. It starts fifty times slower: the table of transparency is sampled.
VALGRIND = valgrind -q --suppressions=$(abspath tests/valgrind.supp) --leak-check=full --errors-for-leak-kinds=definite --show-leak-kinds=definite --error-exitcode=119
check-valgrind: test-programs
	@$(DEPS) install valgrind
	rm -rf build/valgrind && mkdir -p -m 1777 build/valgrind
	printf '#!/bin/sh\nexec $(VALGRIND) --trace-children=no --log-file=%s/%%p %s "$$@"\n' $(abspath build/valgrind) \
		$(abspath $(PROGRAM)) >build/valgrind/memwatch && chmod +x build/valgrind/memwatch
	MEMWATCH=$(abspath build/valgrind/memwatch) UNDER='$(VALGRIND)' TRANSPARENCY='--coarse --every 10 --jobs 4' \
		TRANSPARENCY_HANG_S=120 tests/run $(or $(TESTS),/unit/ tests/cli tests/transparency); \
		status=$$?; rm build/valgrind/memwatch; tests/no-reports build/valgrind && exit $$status

# --- completions: the part that must agree with the program is written from the rows of options

completions: $(BUILD)/rows
	@for file in bash:memwatch.bash zsh:_memwatch fish:memwatch.fish; do \
		$(BUILD)/rows $${file%%:*} >$(BUILD)/rows.txt && \
		sed -i -e '/^# <rows>/,/^# <\/rows>/{//!d}' -e '/^# <rows>/r $(BUILD)/rows.txt' completions/$${file#*:} || exit 1; \
	done

$(BUILD)/rows: completions/rows.c $(OBJS)
	$(SAY) CC $@
	$(Q)$(CC) $(MW_CFLAGS) $(CFLAGS) $(MW_LDFLAGS) -o $@ $< $(filter-out $(BUILD)/cmd/main.o $(BUILD)/options/options.o,$(OBJS)) $(MW_LIBS)

# --- bench: the cost goals against a floor program and other tools; BENCH=quick takes two minutes instead of nine

BENCH_DIR  = $(BUILD)/bench
BENCH_BINS = $(addprefix $(BENCH_DIR)/,empty floor stamp target unthrottled.so)
BENCH_VENV = $(BUILD)/venv-bench
BENCH_PYPI = memory_profiler pandas procpath psrecord setuptools

bench:
	@$(DEPS) install build bench
	@$(SUBMAKE) $(PROGRAM) $(BENCH_BINS) build/fakenvml/r550/libnvidia-ml.so.1 $(BENCH_VENV)/done
	@python3 tests/bench/bench.py --memwatch ./$(PROGRAM) $(if $(filter quick,$(BENCH)),--quick) $(BENCH_GOALS)

$(BENCH_DIR)/%: tests/bench/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(SAY) CC $@
	$(Q)$(CC) $(TEST_CFLAGS) -O2 -o $@ $<

# What memwatch pays before its own work begins.
$(BENCH_DIR)/empty: tests/bench/empty.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(SAY) CC $@
	$(Q)$(CC) $(TEST_CFLAGS) -O2 $(HARDEN) $(MW_LDFLAGS) -Wl,--no-as-needed -o $@ $< $(MW_LIBS)

$(BENCH_DIR)/%.so: tests/bench/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(SAY) CC $@
	$(Q)$(CC) $(TEST_CFLAGS) -O2 -shared -fPIC -o $@ $<

# Without PyPI the other tools are left out, and the bench says so.
$(BENCH_VENV)/done:
	@echo '  PYPI  $(BENCH_PYPI) into $(BENCH_VENV)'
	@python3 -m venv $(BENCH_VENV) && $(BENCH_VENV)/bin/pip install -q --disable-pip-version-check $(BENCH_PYPI) && touch $@ || \
		echo 'memwatch: PyPI cannot be reached'

# --- the source: lint, format, dist

C_FILES  = $(wildcard src/*/*.[ch] completions/*.c tests/*/*.[ch] tests/unit/*/*.[ch])
SH_FILES = .ci/run completions/memwatch.bash tests/demo tests/pictures/readme tests/deps.sh tests/no-reports tests/run

lint:
	@$(DEPS) install build pictures view check lint
	@$(SUBMAKE) -k lint-format lint-tidy lint-cppcheck lint-man lint-shell lint-sizes

lint-format:
	@! clang-format --dry-run -Werror $(C_FILES) 2>&1 | sed -n 's/^\([^:]*\):.*clang-formatted.*/\1: not formatted (make format)/p' | \
		sort -u | grep .

lint-tidy:
	@printf '%s\n' $(SRCS) | xargs -P$(shell nproc) -n 6 sh -c 'clang-tidy --quiet "$$@" -- $(subst ','\'',$(MW_CFLAGS)) 2>/dev/null' tidy

lint-cppcheck:
	@cppcheck --quiet --error-exitcode=1 --inline-suppr --std=c11 --enable=performance,portability --suppress=integerOverflow \
		-Isrc -D_GNU_SOURCE -DMEMWATCH_VERSION='"$(VERSION)"' src

lint-man:
	@mandoc -T lint -W warning man/memwatch.1 man/memwatch.5

lint-shell:
	@shellcheck $(SH_FILES)
	@shellcheck -x tests/cli/*.bats tests/cli/*.bash tests/cli/*.sh

lint-sizes:
	@tests/lint-sizes

format:
	clang-format -i $(C_FILES)

dist:
	git archive --prefix=memwatch-$(VERSION)/ -o memwatch-$(VERSION).tar.gz HEAD

install: $(PROGRAM)
	install -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(MANDIR)/man1 $(DESTDIR)$(MANDIR)/man5 $(DESTDIR)$(BASHDIR) \
		$(DESTDIR)$(ZSHDIR) $(DESTDIR)$(FISHDIR)
	install -m 755 $(PROGRAM) $(DESTDIR)$(BINDIR)/memwatch
	install -m 644 man/memwatch.1 $(DESTDIR)$(MANDIR)/man1/memwatch.1
	install -m 644 man/memwatch.5 $(DESTDIR)$(MANDIR)/man5/memwatch.5
	install -m 644 completions/memwatch.bash $(DESTDIR)$(BASHDIR)/memwatch
	install -m 644 completions/_memwatch $(DESTDIR)$(ZSHDIR)/_memwatch
	install -m 644 completions/memwatch.fish $(DESTDIR)$(FISHDIR)/memwatch.fish

uninstall:
	rm -f $(DESTDIR)$(BINDIR)/memwatch $(DESTDIR)$(MANDIR)/man1/memwatch.1 $(DESTDIR)$(MANDIR)/man5/memwatch.5 \
		$(DESTDIR)$(BASHDIR)/memwatch $(DESTDIR)$(ZSHDIR)/_memwatch $(DESTDIR)$(FISHDIR)/memwatch.fish

# How good the verdicts are: recorded runs, family by family, with leaks added, at every moment; generated ones.
# DIR="A B" takes these folders of labelled traces instead; SCORE='--open --misses' (tests/score/run.py --help).
score: $(BUILD)/score/prefixes
	tests/score/run.py --program $< --scratch $(BUILD)/score/runs $(DIR) $(SCORE)

# memwatch against the simple methods people use.
score-methods: memwatch
	tests/score.py $(or $(DIR),tests/fixtures/traces) $(SCORE)

$(BUILD)/score/prefixes: tests/score/prefixes.c $(BUILD)/tests/memwatch.a
	@mkdir -p $(@D)
	$(SAY) CC $@
	$(Q)$(CC) $(MW_CFLAGS) $(CFLAGS) -o $@ $< $(BUILD)/tests/memwatch.a $(MW_LDFLAGS) $(LDFLAGS) $(MW_LIBS)

clean:
	rm -rf $(BUILD) $(PROGRAM)

-include $(OBJS:.o=.d) $(UNIT:=.d) $(WORKLOADS:=.d) $(PROBES:=.d)

force:

.PHONY: all bench check check-all check-asan check-cli check-frameworks check-stress check-tsan check-unit check-valgrind clean completions demo dist \
	faults force format fuzz-epochs fuzz-heap fuzz-logs help install lint lint-cppcheck lint-format lint-man lint-shell lint-sizes lint-tidy need pictures score score-methods test-programs uninstall
