# SPDX-License-Identifier: MIT
# The fake NVIDIA driver, one folder for each generation: build/fakenvml/r550/libnvidia-ml.so.1
FAKENVML_VARIANTS = r440 r470 r535.54 r535.98 r550
FAKENVML          = $(FAKENVML_VARIANTS:%=$(BUILD)/fakenvml/%/libnvidia-ml.so.1)
FAKENVML_SRCS     = tests/fakenvml/fakenvml.c tests/fakenvml/scenario.c

fakenvml: $(FAKENVML) $(BUILD)/fakenvml/empty/libnvidia-ml.so.1

$(BUILD)/fakenvml/r%/libnvidia-ml.so.1: $(FAKENVML_SRCS) tests/fakenvml/scenario.h src/nvml_abi.h
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE -O2 -g -Wall -Wextra $(WERROR) -fPIC -shared -fvisibility=hidden -Wl,-soname,libnvidia-ml.so.1 \
		-DVARIANT=$(subst .,,$*) $(SANITIZE) -o $@ $(FAKENVML_SRCS) -pthread

# A library of that name which is something else.
$(BUILD)/fakenvml/empty/libnvidia-ml.so.1:
	@mkdir -p $(@D)
	echo 'int nothing_of_interest;' | $(CC) -xc -fPIC -shared -Wl,-soname,libnvidia-ml.so.1 -o $@ -

.PHONY: fakenvml
