// bench_packing DIR: how much of the cards stays unallocated on each pod list of the openb trace in
// DIR, in the mean over seeds 42 to 51. One JSON line a list on standard output.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "bench/packing/replay.h"
#include "bench/packing/trace.h"

namespace {

using warpshare::bench::PodList;
using warpshare::bench::Unallocated;

constexpr uint64_t kFirstSeed = 42;
constexpr size_t kSeeds = 10;

using Nodes = std::vector<warpshare::place::NodeSpec>;

// All seeds of one list, as many at once as there are processors.
Unallocated Mean(const Nodes& nodes, const PodList& list) {
  std::vector<Unallocated> results(kSeeds);
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t i = next++; i < kSeeds; i = next++) {
      results[i] = warpshare::bench::Replay(nodes, list, kFirstSeed + i);
      std::fprintf(stderr, "%s: seed %zu: %.2f %% at 100, %.2f %% at 130\n", list.trace.c_str(),
                   kFirstSeed + i, results[i].at_100, results[i].at_130);
    }
  };
  std::vector<std::thread> threads(std::max(1U, std::thread::hardware_concurrency()));
  for (std::thread& thread : threads) thread = std::thread(work);
  for (std::thread& thread : threads) thread.join();
  Unallocated mean;
  for (const Unallocated& result : results) {
    mean.at_100 += result.at_100 / kSeeds;
    mean.at_130 += result.at_130 / kSeeds;
  }
  return mean;
}

int Complain(const warpshare::Error& error) {
  std::fprintf(stderr, "bench_packing: %s\n", error.message.c_str());
  return EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    // Not an error where all benchmarks are run one after the other.
    std::fprintf(stderr, "bench_packing: left out: say bench packing DIR, with the openb files\n");
    return argc == 1 ? EXIT_SUCCESS : 2;
  }
  const auto nodes = warpshare::bench::ReadNodes(argv[1]);
  if (!nodes) return Complain(nodes.error());
  const auto lists = warpshare::bench::ReadPodLists(argv[1]);
  if (!lists) return Complain(lists.error());
  for (const PodList& list : *lists) {
    const Unallocated mean = Mean(*nodes, list);
    std::printf(
        "{\"bench\":\"packing\",\"trace\":\"%s\",\"seeds\":%zu,\"unallocated_pct_at_100\":%.3f,"
        "\"unallocated_pct_at_130\":%.3f}\n",
        list.trace.c_str(), kSeeds, mean.at_100, mean.at_130);
    std::fflush(stdout);
  }
  return EXIT_SUCCESS;
}
