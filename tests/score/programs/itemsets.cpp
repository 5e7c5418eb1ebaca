// SPDX-License-Identifier: MIT
// Rules of shopping baskets in C++: sets of items are counted in a std::map that grows level by level, the rules weighed by
// gradient steps over vectors that reallocate as they fill, and all of it dropped at the end of an epoch.
// itemsets SEED EPOCHS KEEP_KIB KIND START MS: the arguments of trees.c.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "kept.hpp"

namespace
{

using basket = std::vector<int>;
using counts = std::map<std::vector<int>, int>;

struct rule {
	std::vector<int> items;
	std::string name;
	double weight;
};

basket filled(std::mt19937 &rng, int items)
{
	std::geometric_distribution<int> often(6.0 / items);
	std::set<int> in;
	for (size_t n = 3 + rng() % 8; in.size() < n;)
		in.insert(std::min(items - 1, often(rng)));
	return {in.begin(), in.end()};
}

counts counted(const std::vector<basket> &some, int level, const counts &before, int least)
{
	counts out;
	for (const basket &b : some)
		for (size_t i = 0; i < b.size(); i++) {
			if (level == 1) {
				out[{b[i]}]++;
				continue;
			}
			for (size_t j = i + 1; j < b.size(); j++) {
				auto one = before.find({b[i]});
				if (level == 2 && one != before.end() && one->second >= least)
					out[{b[i], b[j]}]++;
				for (size_t k = j + 1; level == 3 && k < b.size(); k++) {
					auto two = before.find({b[i], b[j]});
					if (two != before.end() && two->second >= least)
						out[{b[i], b[j], b[k]}]++;
				}
			}
		}
	return out;
}

double weighed(const std::vector<basket> &some, std::vector<rule> &rules)
{
	double loss = 0;
	for (const basket &b : some) {
		std::vector<rule *> hit;
		double sum = 0;
		for (rule &r : rules)
			if (std::includes(b.begin(), b.end(), r.items.begin(), r.items.end())) {
				hit.push_back(&r);
				sum += r.weight;
			}
		double gap = 1 / (1 + std::exp(-sum)) - (b.front() % 2);
		loss += gap * gap;
		for (rule *r : hit)
			r->weight -= 0.05 * gap;
	}
	return loss / static_cast<double>(some.size());
}

} // namespace

int main(int argc, char **argv)
{
	if (argc < 7)
		return 2;
	std::mt19937 rng(static_cast<unsigned>(std::atoi(argv[1])));
	int epochs = std::atoi(argv[2]), start = std::atoi(argv[5]), ms = std::atoi(argv[6]);
	auto size = static_cast<size_t>(std::atof(argv[3]) * 1024);
	int items = 60 << rng() % 3, least = 5 + static_cast<int>(rng() % 10);
	const char *line = rng() % 2 ? "Epoch %d/%d loss %.4f\n" : "[epoch %d/%d] brier=%.5f\n";
	std::vector<basket> baskets(40000U << rng() % 3);
	for (basket &b : baskets)
		b = filled(rng, items);
	for (int epoch = 0; epoch < epochs; epoch++) {
		std::vector<basket> some;
		for (size_t n = 1000 + rng() % 1000; n > 0; n--)
			some.push_back(baskets[rng() % baskets.size()]);
		std::vector<rule> rules;
		counts before;
		for (int level = 1; level <= 3; level++) {
			before = counted(some, level, before, least);
			for (const auto &[set, n] : before)
				if (n >= least && rules.size() < 3000)
					rules.push_back({set, "rule of " + std::to_string(set.size()) + " items, seen " +
								 std::to_string(n) + " times", 0});
			std::this_thread::sleep_for(std::chrono::milliseconds(ms / 4));
		}
		double loss = weighed(some, rules);
		std::this_thread::sleep_for(std::chrono::milliseconds(ms / 4));
		std::printf(line, epoch + 1, epochs, loss);
		std::fflush(stdout);
		if (size > 0 && epoch >= start)
			keep(argv[4], size, epoch);
	}
}
