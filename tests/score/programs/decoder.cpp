// SPDX-License-Identifier: MIT
// Speech in C++: utterances of any length are unpacked into a cache that drops those not used for longest once it is full, which it
// is after some epochs; a beam of paths that share their pasts is searched over each, and the model's counts follow the best one.
// decoder SEED EPOCHS KEEP_KIB KIND START MS: the arguments of trees.c.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <list>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "kept.hpp"

namespace
{

constexpr int columns = 20, states = 40;

using frames = std::vector<std::vector<float>>;

struct path {
	std::shared_ptr<path> before;
	int state;
	float score;
};

class cache
{
	std::list<std::pair<int, frames>> newest_first;
	std::unordered_map<int, std::list<std::pair<int, frames>>::iterator> where;
	size_t held = 0, most;

      public:
	explicit cache(size_t bytes) : most(bytes)
	{
	}

	const frames &utterance(int id)
	{
		if (auto found = where.find(id); found != where.end()) {
			newest_first.splice(newest_first.begin(), newest_first, found->second);
			return found->second->second;
		}
		std::mt19937 rng(static_cast<unsigned>(id));
		frames made(40 + rng() % 360, std::vector<float>(columns));
		for (auto &frame : made)
			for (float &x : frame)
				x = static_cast<float>(rng() % 1000) / 1000;
		held += made.size() * columns * sizeof(float);
		newest_first.emplace_front(id, std::move(made));
		where[id] = newest_first.begin();
		for (; held > most; newest_first.pop_back()) {
			held -= newest_first.back().second.size() * columns * sizeof(float);
			where.erase(newest_first.back().first);
		}
		return newest_first.front().second;
	}
};

struct model {
	float means[states][columns];
	std::map<std::pair<int, int>, int> steps; // bounded: states by states
};

float fit(const model &m, int state, const std::vector<float> &frame)
{
	float sum = 0;
	for (int i = 0; i < columns; i++)
		sum += (m.means[state][i] - frame[i]) * (m.means[state][i] - frame[i]);
	return -sum;
}

float learnt(model &m, const frames &heard, size_t beam)
{
	std::vector<std::shared_ptr<path>> paths{std::make_shared<path>(path{nullptr, 0, 0})};
	for (size_t at = 0; at < heard.size(); at += 4) {
		std::vector<std::shared_ptr<path>> longer;
		for (auto &p : paths)
			for (int hop = 0; hop < 3; hop++) {
				int state = (p->state + hop) % states;
				longer.push_back(std::make_shared<path>(
				    path{p, state, p->score + fit(m, state, heard[at])}));
			}
		std::sort(longer.begin(), longer.end(), [](auto &a, auto &b) { return a->score > b->score; });
		longer.resize(std::min(beam, longer.size()));
		paths.swap(longer);
	}
	size_t at = (heard.size() - 1) / 4 * 4;
	for (const path *p = paths[0].get(); p->before; p = p->before.get(), at -= 4) {
		m.steps[{p->before->state, p->state}]++;
		for (int i = 0; i < columns; i++)
			m.means[p->state][i] += 0.01F * (heard[at][i] - m.means[p->state][i]);
	}
	return paths[0]->score / static_cast<float>(heard.size());
}

} // namespace

int main(int argc, char **argv)
{
	if (argc < 7)
		return 2;
	std::mt19937 rng(static_cast<unsigned>(std::atoi(argv[1])));
	int epochs = std::atoi(argv[2]), start = std::atoi(argv[5]), pause_ms = std::atoi(argv[6]);
	auto size = static_cast<size_t>(std::atof(argv[3]) * 1024);
	size_t beam = 4 << rng() % 2;
	int each = 250 + static_cast<int>(rng() % 150), many = each * 8;
	cache heard((18U + rng() % 6) << 20);
	auto m = std::make_unique<model>();
	std::memset(m->means, 0, sizeof(m->means));
	const char *line =
	    rng() % 2 ? "Epoch %d/%d likelihood %.4f\n" : "epoch %d of %d: score per frame %.4f\n";
	for (int epoch = 0; epoch < epochs; epoch++) {
		float score = 0;
		for (int i = 0; i < each; i++) {
			const frames &some =
			    heard.utterance(static_cast<int>(rng() % static_cast<unsigned>(many)));
			score += i % 4 == 0 ? learnt(*m, some, beam) / static_cast<float>(each)
					    : fit(*m, 0, some[0]) * 1e-4F;
			if (i % (each / 20) == 0)
				std::this_thread::sleep_for(std::chrono::milliseconds(pause_ms / 20));
		}
		std::printf(line, epoch + 1, epochs, static_cast<double>(score));
		std::fflush(stdout);
		if (size > 0 && epoch >= start)
			keep(argv[4], size, epoch);
	}
}
