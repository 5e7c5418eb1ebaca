/* SPDX-License-Identifier: MIT */
/* What the C++ programs share: some of their memory, kept for ever. */
#ifndef PROGRAMS_KEPT_HPP
#define PROGRAMS_KEPT_HPP

#include <cstddef>
#include <cstring>
#include <new>
#include <string>
#include <vector>

constexpr size_t kept_small = 64, kept_overhead = 16; /* bytes; malloc adds the latter to each block */

/* In one block (array), in small ones (small), in twenty pieces (batches), or five epochs' worth in every fifth (every5). */
inline void keep(const std::string &kind, size_t size, int epoch)
{
	static std::vector<void *> kept;
	size_t each = kind == "small" ? kept_small : kind == "batches" ? size / 20 : size;
	size_t wanted = size / each;
	if (kind == "every5") {
		each = 5 * size;
		wanted = epoch % 5 == 4;
	}
	for (size_t i = 0; i < wanted; i++)
		kept.push_back(std::memset(operator new(each - kept_overhead), 1, each - kept_overhead));
}

#endif
