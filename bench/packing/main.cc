// bench_packing DIR: how much of the cards stays unallocated on each pod list of the openb trace in
// DIR, in the mean over seeds 42 to 51. One JSON line a list on standard output.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "bench/packing/arrivals.h"
#include "bench/packing/replay.h"
#include "bench/packing/trace.h"

namespace {

using warpshare::bench::PodList;
using warpshare::bench::Unallocated;

struct Options {
  std::string folder;
  std::string trace;  // empty: all that are there
  std::vector<uint64_t> seeds = {42, 43, 44, 45, 46, 47, 48, 49, 50, 51};
  unsigned part_percent = 100;
  bool only_arrivals = false;
};

using Nodes = std::vector<warpshare::place::NodeSpec>;

// All seeds of one list, as many at once as there are processors.
Unallocated Mean(const Nodes& nodes, const PodList& list, const Options& options) {
  const std::vector<uint64_t>& seeds = options.seeds;
  std::vector<Unallocated> results(seeds.size());
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t i = next++; i < seeds.size(); i = next++) {
      results[i] = warpshare::bench::Replay(nodes, list, seeds[i], options.part_percent);
      std::fprintf(stderr, "%s: seed %zu: %.2f %% at 100, %.2f %% at 130\n", list.trace.c_str(),
                   seeds[i], results[i].at_100, results[i].at_130);
    }
  };
  std::vector<std::thread> threads(std::max(1U, std::thread::hardware_concurrency()));
  for (std::thread& thread : threads) thread = std::thread(work);
  for (std::thread& thread : threads) thread.join();
  Unallocated mean;
  for (const Unallocated& result : results) {
    mean.at_100 += result.at_100 / static_cast<double>(seeds.size());
    mean.at_130 += result.at_130 / static_cast<double>(seeds.size());
    mean.named_elsewhere += result.named_elsewhere / static_cast<double>(seeds.size());
  }
  return mean;
}

void Measure(const Nodes& nodes, const PodList& list, const Options& options) {
  const Unallocated mean = Mean(nodes, list, options);
  std::printf(
      "{\"bench\":\"packing\",\"trace\":\"%s\",\"seeds\":%zu,\"unallocated_pct_at_100\":%.3f,"
      "\"unallocated_pct_at_130\":%.3f,\"part_pct\":%u,\"named_elsewhere\":%.1f}\n",
      list.trace.c_str(), options.seeds.size(), mean.at_100, mean.at_130, options.part_percent,
      mean.named_elsewhere);
  std::fflush(stdout);
}

warpshare::Result<void> Run(const Options& options) {
  auto nodes = warpshare::bench::ReadNodes(options.folder);
  if (!nodes) return Forward(nodes);
  auto lists = warpshare::bench::ReadPodLists(options.folder);
  if (!lists) return Forward(lists);
  bool is_there = false;
  for (const PodList& list : *lists) {
    if (!options.trace.empty() && options.trace != list.trace) continue;
    is_there = true;
    if (options.only_arrivals)
      warpshare::bench::PrintArrivals(stdout, *nodes, list, options.seeds.front());
    else
      Measure(*nodes, list, options);
  }
  if (is_there) return {};
  return warpshare::Fail(warpshare::Errc::kNotFound, options.folder + ": no list " + options.trace);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{"How much of the cards pods leave unallocated.", "bench_packing"};
  app.add_option("DIR", options.folder, "The openb files");
  CLI::Option* trace = app.add_option("--trace", options.trace, "Only openb_pod_list_TRACE.csv");
  app.add_option("--seeds", options.seeds, "Orders of arrival")->capture_default_str();
  app.add_option("--part", options.part_percent, "Percent of the nodes that each pod is shown")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  app.add_flag("--arrivals", options.only_arrivals,
               "Print the nodes, and the pods as they arrive with the first seed, instead")
      ->needs(trace);
  CLI11_PARSE(app, argc, argv);
  if (options.folder.empty()) {
    // Not an error where all benchmarks are run one after the other.
    std::fprintf(stderr, "bench_packing: left out: say bench packing DIR, with the openb files\n");
    return EXIT_SUCCESS;
  }
  const auto ran = Run(options);
  if (ran) return EXIT_SUCCESS;
  std::fprintf(stderr, "bench_packing: %s\n", ran.error().message.c_str());
  return EXIT_FAILURE;
}
