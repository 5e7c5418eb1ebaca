// SPDX-License-Identifier: MIT
// Clustering in C++: threads sort points into vectors that grow as they fill,
// merge them through maps of strings, and drop all of it.
// kmeans SEED EPOCHS KEEP_KIB KIND START MS: the arguments of trees.c.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "kept.hpp"

namespace
{

constexpr int width = 8;

using point = std::vector<float>;

struct cluster {
	std::vector<point> points;
	point centre;
};

struct settings {
	int threads, points, clusters, pause_ms;
};

point made(std::mt19937 &rng)
{
	std::normal_distribution<float> normal(static_cast<float>(rng() % 5), 1);
	point p;
	for (int i = 0; i < width; i++)
		p.push_back(normal(rng));
	return p;
}

float apart(const point &a, const point &b)
{
	float sum = 0;
	for (int i = 0; i < width; i++)
		sum += (a[i] - b[i]) * (a[i] - b[i]);
	return sum;
}

using found = std::unordered_map<std::string, cluster>;

float sort_points(std::mt19937 rng, const std::vector<point> &data, const std::vector<point> &centres,
		  const settings &s, found &into)
{
	float total = 0;
	for (int i = 0; i < s.points; i++) {
		point p = data[rng() % data.size()];
		size_t best = 0;
		for (size_t c = 1; c < centres.size(); c++)
			if (apart(p, centres[c]) < apart(p, centres[best]))
				best = c;
		total += apart(p, centres[best]);
		into["cluster number " + std::to_string(best)].points.push_back(std::move(p));
		if (i % (s.points / 10 + 1) == 0)
			std::this_thread::sleep_for(std::chrono::milliseconds(s.pause_ms / 10));
	}
	return total;
}

void move_centre(point &centre, const std::vector<point> &points)
{
	point sum(width, 0);
	for (const point &p : points)
		for (int i = 0; i < width; i++)
			sum[i] += p[i];
	for (int i = 0; i < width; i++)
		centre[i] += 0.5F * (sum[i] / static_cast<float>(points.size()) - centre[i]);
}

float one_epoch(std::mt19937 &rng, const std::vector<point> &data, std::vector<point> &centres, settings s)
{
	std::mutex merging;
	found all;
	float total = 0;
	std::vector<std::thread> threads;
	s.points = s.points / 2 + static_cast<int>(rng() % s.points);
	for (int i = 0; i < s.threads; i++)
		threads.emplace_back([&, seed = rng()] {
			found mine;
			float sum = sort_points(std::mt19937(seed), data, centres, s, mine);
			std::lock_guard<std::mutex> lock(merging);
			total += sum;
			for (auto &[name, c] : mine)
				all[name].points.insert(all[name].points.end(), c.points.begin(),
							c.points.end());
		});
	for (std::thread &thread : threads)
		thread.join();
	for (size_t c = 0; c < centres.size(); c++)
		if (auto at = all.find("cluster number " + std::to_string(c)); at != all.end())
			move_centre(centres[c], at->second.points);
	return total;
}

} // namespace

int main(int argc, char **argv)
{
	if (argc < 7)
		return 2;
	std::mt19937 rng(static_cast<unsigned>(std::atoi(argv[1])));
	int epochs = std::atoi(argv[2]), start = std::atoi(argv[5]);
	auto size = static_cast<size_t>(std::atof(argv[3]) * 1024);
	settings s = {1 + static_cast<int>(rng() % 4), 5000 << rng() % 3, 8 << rng() % 3, std::atoi(argv[6])};
	const char *line = rng() % 2 ? "Epoch %d/%d inertia: %.1f\n" : "epoch %d of %d done, inertia %.1f\n";
	std::vector<point> data(50000U << rng() % 3), centres;
	for (point &p : data)
		p = made(rng);
	for (int i = 0; i < s.clusters; i++)
		centres.push_back(data[rng() % data.size()]);
	for (int epoch = 0; epoch < epochs; epoch++) {
		float total = one_epoch(rng, data, centres, s);
		std::printf(line, epoch + 1, epochs, static_cast<double>(total));
		std::fflush(stdout);
		if (size > 0 && epoch >= start)
			keep(argv[4], size, epoch);
	}
}
