// Filter, scores and the ledger at the size of large clusters. `filter_p99_us` is over pods of
// several shapes on a cluster that is four fifths full.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <random>

#include "policy/place/testing/small_cluster.h"

namespace warpshare::place {
namespace {

constexpr uint32_t kCardsPerNode = 8;

NodeSpec LargeNode(uint32_t number) {
  NodeSpec node{.name = "node-" + std::to_string(number), .cpu_milli = 96'000, .memory = 768_GiB};
  for (uint32_t card = 0; card < kCardsPerNode; ++card) {
    std::array<uint8_t, 16> uuid = {};
    std::memcpy(uuid.data(), &number, sizeof(number));
    std::memcpy(uuid.data() + 4, &card, sizeof(card));
    node.cards.push_back({.uuid = GpuUuid(uuid),
                          .model = number % 3 == 0 ? "NVIDIA A100" : "NVIDIA T4",
                          .memory = number % 3 == 0 ? 80_GiB : 16_GiB});
  }
  return node;
}

request::Request RandomPod(std::mt19937& random) {
  request::Request request = random() % 4 == 0
                                 ? Pod({Whole(1 + random() % 2)})
                                 : Pod({Part(Bytes((1 + random() % 12) << 30), random() % 3 * 20)});
  request.host.cpu_milli = 1'000 * (1 + random() % 8);
  return request;
}

// A cluster with as many pods on it as a fill of four fifths, or `pods`, allows.
SmallCluster MakeFull(uint32_t nodes, uint32_t pods) {
  std::vector<NodeSpec> specs;
  for (uint32_t i = 0; i < nodes; ++i) specs.push_back(LargeNode(i));
  SmallCluster cluster(specs);
  std::mt19937 random(1);
  for (int i = 0; i < 2'000; ++i) cluster.demand.Observe(RandomPod(random));
  cluster.outlook = Foresee(cluster.demand, cluster.ledger);
  for (uint32_t i = 0; i < pods; ++i) {
    const request::Request request = RandomPod(random);
    const Shape shape = MakeShape(request, cluster.ledger);
    Placer placer(cluster.ledger, cluster.outlook, shape);
    Placement placement;
    const NodeId node = random() % nodes;
    if (!placer.Place(node, placement)) continue;
    cluster.ledger.Reserve("pod-with-a-long-uid-like-kubernetes-" + std::to_string(i),
                           HoldOf(request, cluster.ledger, node, placement), 0);
  }
  return cluster;
}

void BenchFilter(benchmark::State& state) {
  const auto nodes = static_cast<uint32_t>(state.range(0));
  SmallCluster cluster = MakeFull(nodes, nodes * 12);
  std::mt19937 random(2);
  std::vector<double> times_us;
  std::vector<Verdict> verdicts;
  for (auto _ : state) {
    const request::Request request = RandomPod(random);
    const auto begin = std::chrono::steady_clock::now();
    const Shape shape = MakeShape(request, cluster.ledger);
    Filter(cluster.ledger, shape, cluster.nodes, HostCheck::kSkip, verdicts);
    const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - begin;
    times_us.push_back(time.count());
  }
  std::sort(times_us.begin(), times_us.end());
  state.counters["filter_p99_us"] = times_us[times_us.size() * 99 / 100];
}
BENCHMARK(BenchFilter)->Arg(1'000)->Arg(5'000)->Arg(10'000)->Unit(benchmark::kMicrosecond);

void BenchScore(benchmark::State& state) {
  const auto nodes = static_cast<uint32_t>(state.range(0));
  SmallCluster cluster = MakeFull(nodes, nodes * 12);
  std::mt19937 random(2);
  std::vector<int64_t> scores;
  for (auto _ : state) {
    const Shape shape = MakeShape(RandomPod(random), cluster.ledger);
    Placer placer(cluster.ledger, cluster.outlook, shape);
    Score(placer, cluster.nodes, scores);
    benchmark::DoNotOptimize(scores.data());
  }
}
BENCHMARK(BenchScore)->Arg(1'000)->Arg(5'000)->Arg(10'000)->Unit(benchmark::kMicrosecond);

void BenchReserveAndRelease(benchmark::State& state) {
  SmallCluster cluster = MakeFull(1'000, 0);
  const PodHold hold{.node = "node-7",
                     .cards = {{.uuid = cluster.ledger.detail(7 * kCardsPerNode).uuid,
                                .hold = {.memory = 1 << 30, .slots = 1, .unpromised = 1}}}};
  for (auto _ : state) {
    benchmark::DoNotOptimize(cluster.ledger.Reserve("a", hold, 0));
    cluster.ledger.Release("a");
  }
}
BENCHMARK(BenchReserveAndRelease);

void BenchForesee(benchmark::State& state) {
  SmallCluster cluster = MakeFull(static_cast<uint32_t>(state.range(0)), 0);
  for (auto _ : state) benchmark::DoNotOptimize(Foresee(cluster.demand, cluster.ledger).observed);
}
BENCHMARK(BenchForesee)->Arg(5'000)->Unit(benchmark::kMicrosecond);

double ResidentMebibytes() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  long size = 0;
  long resident = 0;
  const int read = std::fscanf(file, "%ld %ld", &size, &resident);
  std::fclose(file);
  return read == 2 ? static_cast<double>(resident) * 4096 / (1 << 20) : 0;
}

// 10,000 nodes and 100,000 pods that are held, whether they fit or not.
void BenchMemory(benchmark::State& state) {
  const double before = ResidentMebibytes();
  SmallCluster cluster = MakeFull(10'000, 0);
  std::mt19937 random(3);
  for (uint32_t i = 0; i < 100'000; ++i) {
    const NodeId node = random() % 10'000;
    const CardId card = cluster.ledger.node(node).first_card + random() % kCardsPerNode;
    cluster.ledger.Adopt("00000000-0000-0000-0000-" + std::to_string(100'000'000'000 + i),
                         {.node = cluster.ledger.node_name(node),
                          .cards = {{.uuid = cluster.ledger.detail(card).uuid,
                                     .hold = {.memory = 1 << 28, .slots = 1, .unpromised = 1}}}});
  }
  for (auto _ : state) benchmark::DoNotOptimize(cluster.ledger.pod_count());
  state.counters["ledger_mib"] = ResidentMebibytes() - before;
}
BENCHMARK(BenchMemory)->Iterations(1);

}  // namespace
}  // namespace warpshare::place

BENCHMARK_MAIN();
