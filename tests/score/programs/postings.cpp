// SPDX-License-Identifier: MIT
// Ranking in C++: an index of hash tables from words to their places is built anew from the texts of every epoch, while
// the last one still answers; the weights of its fields are learnt from clicks; every fourth epoch is scored by all queries.
// postings SEED EPOCHS KEEP_KIB KIND START MS: the arguments of trees.c.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "kept.hpp"

namespace
{

constexpr int fields = 3;

struct posting {
	unsigned text;
	unsigned char field, times;
};

struct settings {
	unsigned texts, words, length;
	int pause_ms;
};

struct index_of_words {
	std::unordered_map<std::string, std::vector<posting>> places;
	std::vector<unsigned> lengths;
};

std::string word(std::mt19937 &rng, unsigned words)
{
	double at = std::pow(std::uniform_real_distribution<double>(0, 1)(rng), 3);
	return "some word " + std::to_string(static_cast<unsigned>(at * words));
}

std::unique_ptr<index_of_words> built(std::mt19937 &rng, const settings &s)
{
	auto made = std::make_unique<index_of_words>();
	for (unsigned text = 0; text < s.texts; text++) {
		std::unordered_map<std::string, posting> here;
		unsigned length = s.length / 2 + static_cast<unsigned>(rng()) % s.length;
		for (unsigned i = 0; i < length; i++) {
			posting &p = here[word(rng, s.words)];
			p.text = text;
			p.field = static_cast<unsigned char>(i % fields);
			p.times++;
		}
		for (auto &[name, p] : here)
			made->places[name].push_back(p);
		made->lengths.push_back(length);
		if (text % (s.texts / 20 + 1) == 0)
			std::this_thread::sleep_for(std::chrono::milliseconds(s.pause_ms / 20));
	}
	return made;
}

std::vector<std::pair<double, unsigned>> answers(const index_of_words &index,
						 const std::vector<std::string> &query, const double *weights)
{
	std::unordered_map<unsigned, double> scores;
	for (const std::string &name : query) {
		auto at = index.places.find(name);
		if (at == index.places.end())
			continue;
		double rare = std::log(1 + static_cast<double>(index.lengths.size()) /
					       static_cast<double>(at->second.size()));
		for (const posting &p : at->second)
			scores[p.text] +=
			    rare * weights[p.field] * p.times / (p.times + 0.01 * index.lengths[p.text]);
	}
	std::vector<std::pair<double, unsigned>> best;
	for (auto &[text, score] : scores)
		best.emplace_back(score, text);
	std::partial_sort(best.begin(), best.begin() + std::min<long>(10, static_cast<long>(best.size())),
			  best.end(), std::greater<>());
	return best;
}

double learnt(std::mt19937 &rng, const index_of_words &index, const settings &s, double *weights, int queries)
{
	double gained = 0;
	for (int i = 0; i < queries; i++) {
		std::vector<std::string> query;
		for (unsigned n = 1 + rng() % 4; n > 0; n--)
			query.push_back(word(rng, s.words));
		auto best = answers(index, query, weights);
		std::unordered_set<unsigned> clicked;
		for (size_t at = 0; at < std::min<size_t>(10, best.size()); at++)
			if (rng() % (at + 2) == 0)
				clicked.insert(best[at].second);
		for (size_t at = 0; at < std::min<size_t>(10, best.size()); at++)
			if (clicked.count(best[at].second)) {
				gained += 1 / std::log2(static_cast<double>(at) + 2);
				weights[best[at].second % fields] += 1e-4 * static_cast<double>(at);
			}
	}
	return gained / queries;
}

} // namespace

int main(int argc, char **argv)
{
	if (argc < 7)
		return 2;
	std::mt19937 rng(static_cast<unsigned>(std::atoi(argv[1])));
	int epochs = std::atoi(argv[2]), start = std::atoi(argv[5]);
	auto size = static_cast<size_t>(std::atof(argv[3]) * 1024);
	settings s = {static_cast<unsigned>(7000 + rng() % 2000),
		      static_cast<unsigned>(40000 + rng() % 20000), 80, std::atoi(argv[6])};
	double weights[fields] = {1, 1, 1};
	const char *line = rng() % 2 ? "Epoch %d/%d ndcg %.4f\n" : "Epoch %d of %d: gain %.4f\n";
	auto index = built(rng, s);
	for (int epoch = 0; epoch < epochs; epoch++) {
		settings now = s;
		now.texts = s.texts - static_cast<unsigned>(rng()) % (s.texts / 5);
		auto next = built(rng, now);
		double gain = learnt(rng, *index, s, weights, epoch % 4 == 3 ? 120 : 30);
		index = std::move(next);
		std::printf(line, epoch + 1, epochs, gain);
		std::fflush(stdout);
		if (size > 0 && epoch >= start)
			keep(argv[4], size, epoch);
	}
}
