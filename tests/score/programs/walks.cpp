// SPDX-License-Identifier: MIT
// Graphs in C++: walks over a graph of many edges, kept in compact rows, are written as lines into a deque, read by threads that
// learn vectors from them, and dropped; the graph is made anew, with other edges, every few epochs, beside the one in use.
// walks SEED EPOCHS KEEP_KIB KIND START MS: the arguments of trees.c.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "kept.hpp"

namespace
{

constexpr int width = 32;

struct graph {
	std::vector<uint32_t> first, to; // where a node's edges begin; where they lead
	std::vector<float> weight;
};

std::unique_ptr<graph> made(std::mt19937 &rng, uint32_t nodes, uint32_t degree)
{
	auto g = std::make_unique<graph>();
	g->first.reserve(nodes + 1);
	g->first.push_back(0);
	for (uint32_t i = 0; i < nodes; i++)
		g->first.push_back(g->first.back() + degree / 2 + rng() % degree);
	g->to.resize(g->first.back());
	g->weight.resize(g->to.size());
	for (size_t i = 0; i < g->to.size(); i++) {
		g->to[i] = static_cast<uint32_t>((i * 2654435761U + rng() % 64) % nodes);
		g->weight[i] = static_cast<float>(i % 100) / 100;
	}
	return g;
}

std::string walked(const graph &g, std::mt19937 &rng, uint32_t nodes, int length)
{
	std::ostringstream line;
	auto at = static_cast<uint32_t>(rng() % nodes);
	for (int i = 0; i < length; i++) {
		line << at << ' ';
		uint32_t edges = g.first[at + 1] - g.first[at];
		uint32_t one = g.first[at] + rng() % edges, other = g.first[at] + rng() % edges;
		at = g.to[g.weight[one] > g.weight[other] ? one : other];
	}
	return line.str();
}

double learnt(const std::string &line, std::vector<float> &vectors, std::mt19937 &rng, uint32_t nodes)
{
	std::vector<uint32_t> places;
	std::istringstream words(line);
	for (uint32_t at = 0; words >> at;)
		places.push_back(at);
	double loss = 0;
	for (size_t i = 1; i < places.size(); i++)
		for (int wrong = 0; wrong < 3; wrong++) {
			float *a = &vectors[size_t{places[i - 1]} * width];
			float *b = &vectors[size_t{wrong ? static_cast<uint32_t>(rng() % nodes) : places[i]} *
					    width];
			float gap = 1 / (1 + std::exp(-std::inner_product(a, a + width, b, 0.0F))) -
				    (wrong ? 0.0F : 1.0F);
			for (int k = 0; k < width; k++) {
				float before = a[k];
				a[k] -= 0.03F * gap * b[k];
				b[k] -= 0.03F * gap * before;
			}
			loss += std::fabs(static_cast<double>(gap)) / 3;
		}
	return loss / static_cast<double>(places.size());
}

double one_epoch(const graph &g, std::mt19937 &rng, std::vector<float> &vectors, uint32_t nodes, int walks,
		 int threads, int pause_ms)
{
	std::deque<std::string> lines;
	for (int i = 0; i < walks; i++) {
		lines.push_back(walked(g, rng, nodes, 10 + static_cast<int>(rng() % 60)));
		if (i % (walks / 10) == 0)
			std::this_thread::sleep_for(std::chrono::milliseconds(pause_ms / 20));
	}
	std::shuffle(lines.begin(), lines.end(), rng);
	std::atomic<size_t> next{0};
	std::vector<double> losses(static_cast<size_t>(threads));
	std::vector<std::thread> team;
	for (double &loss : losses)
		team.emplace_back([&, own = std::mt19937(rng())]() mutable {
			for (size_t i = next++; i < lines.size(); i = next++)
				loss += learnt(lines[i], vectors, own, nodes);
		});
	std::this_thread::sleep_for(std::chrono::milliseconds(pause_ms / 2));
	for (std::thread &one : team)
		one.join();
	return std::accumulate(losses.begin(), losses.end(), 0.0) / walks;
}

} // namespace

int main(int argc, char **argv)
{
	if (argc < 7)
		return 2;
	std::mt19937 rng(static_cast<unsigned>(std::atoi(argv[1])));
	int epochs = std::atoi(argv[2]), start = std::atoi(argv[5]), pause_ms = std::atoi(argv[6]);
	auto size = static_cast<size_t>(std::atof(argv[3]) * 1024);
	auto nodes = static_cast<uint32_t>(450000 + rng() % 50000);
	int walks = 1000 << rng() % 2, threads = 1 + static_cast<int>(rng() % 2),
	    every = 4 + static_cast<int>(rng() % 4);
	const char *line = rng() % 2 ? "Epoch %d/%d mean gap %.4f\n" : "epoch %d of %d: loss %.5f\n";
	std::vector<float> vectors(size_t{nodes} * width);
	for (float &x : vectors)
		x = static_cast<float>(rng() % 1000) / 2000 - 0.25F;
	auto g = made(rng, nodes, 24);
	for (int epoch = 0; epoch < epochs; epoch++) {
		if (epoch % every == every - 1)
			g = made(rng, nodes, 20 + static_cast<uint32_t>(rng() % 8));
		double loss = one_epoch(*g, rng, vectors, nodes, walks, threads, pause_ms);
		std::printf(line, epoch + 1, epochs, loss);
		std::fflush(stdout);
		if (size > 0 && epoch >= start)
			keep(argv[4], size, epoch);
	}
}
