// What Filter costs in this process, without HTTP: on a cluster of nodes of 8 cards with 10 pods
// each. `bin/bench_scheduler` has the whole, over HTTP.
#include <benchmark/benchmark.h>

#include "cluster/extender/extender.h"
#include "cluster/inventory/testing/cluster_objects.h"
#include "cluster/inventory/testing/kept_log.h"
#include "pods/pod_json.h"

namespace warpshare::cluster {
namespace {

constexpr uint8_t kCards = 8;
constexpr uint32_t kResident = 10;
constexpr int kKinds = 99;  // of pods of so many cards, more than are remembered
static_assert(kKinds > place::kMostDemands);

PodWords WaitingPod(int cards, int kind) {
  const std::string name = "w" + std::to_string(cards) + "-" + std::to_string(kind);
  return {.name = name, .uid = name, .cards = cards, .memory_gib = 2, .cores = 1 + kind};
}

struct Cluster {
  explicit Cluster(uint32_t nodes) {
    json::Writer list;
    list.BeginArray();
    for (uint32_t node = 0; node < nodes; ++node) {
      const auto number = static_cast<uint16_t>(node);
      const auto object =
          json::Document::Parse(NodeObject(number, CardsText(number, kCards))).value();
      view.SetNode(NodeViewOf(object.root()));
      list.String("n" + std::to_string(node));
    }
    names = list.EndArray().Take();
    for (uint32_t pod = 0; pod < nodes * kResident; ++pod) {
      const auto node = static_cast<uint16_t>(pod % nodes);
      const std::string name = "r" + std::to_string(pod);
      Show(PodObject({.name = name,
                      .uid = name,
                      .memory_gib = 1,
                      .node = "n" + std::to_string(node),
                      .assignment = AssignmentText(node, pod / nodes % 5, "1GiB"),
                      .phase = "Running"}));
    }
  }
  // What kube-scheduler sends about a pod that is new now.
  std::string Body(int cards, int kind) {
    const std::string text = PodObject(WaitingPod(cards, kind));
    Show(text);
    return R"({"Pod":)" + text + R"(,"Nodes":null,"NodeNames":)" + names + "}";
  }
  void Show(const std::string& pod) {
    const auto object = json::Document::Parse(pod).value();
    view.SetPod(pods::PodViewOf(object.root()), false);
  }

  KeptLog log;
  ClusterView view{log};
  NodeLookup lookup;
  std::string names;
};

void BenchParse(benchmark::State& state) {
  Cluster cluster(static_cast<uint32_t>(state.range(0)));
  const std::string text = cluster.Body(1, 0);
  for (auto _ : state) {
    const auto body = json::Document::Parse(text, {.bytes = kMaxBodyBytes});
    benchmark::DoNotOptimize(body.has_value());
  }
}
BENCHMARK(BenchParse)->Arg(5'000)->Arg(10'000)->Unit(benchmark::kMicrosecond);

void BenchRead(benchmark::State& state) {
  Cluster cluster(static_cast<uint32_t>(state.range(0)));
  const auto body = json::Document::Parse(cluster.Body(1, 0));
  for (auto _ : state) {
    const auto asked = ReadNodesArgs(body->root());
    benchmark::DoNotOptimize(asked->names.data());
  }
}
BENCHMARK(BenchRead)->Arg(5'000)->Arg(10'000)->Unit(benchmark::kMicrosecond);

void BenchLookup(benchmark::State& state) {
  Cluster cluster(static_cast<uint32_t>(state.range(0)));
  const auto body = json::Document::Parse(cluster.Body(1, 0));
  const auto asked = ReadNodesArgs(body->root());
  for (auto _ : state)
    benchmark::DoNotOptimize(cluster.lookup.Find(cluster.view.ledger(), asked->names).data());
}
BENCHMARK(BenchLookup)->Arg(5'000)->Arg(10'000)->Unit(benchmark::kMicrosecond);

// One pod after the other, of so many cards and so many kinds in turn: of one kind they are
// remembered, of all they never are.
void BenchFilter(benchmark::State& state) {
  Cluster cluster(static_cast<uint32_t>(state.range(0)));
  const int cards = static_cast<int>(state.range(1));
  std::vector<json::Document> bodies;
  for (int kind = 0; kind < state.range(2); ++kind)
    bodies.push_back(json::Document::Parse(cluster.Body(cards, kind)).value());
  std::vector<NodesArgs> asked;
  for (const json::Document& body : bodies) asked.push_back(ReadNodesArgs(body.root()).value());
  size_t turn = 0;
  for (auto _ : state) {
    const NodesArgs& pod = asked[turn++ % asked.size()];
    benchmark::DoNotOptimize(AnswerFilter(cluster.view, cluster.lookup, pod, 0).passed);
    cluster.view.DropReservation(std::string(pod.pod["metadata"]["uid"].StringOr("")));
  }
}
BENCHMARK(BenchFilter)
    ->ArgsProduct({{5'000, 10'000}, {1, 2}, {1, kKinds}})
    ->ArgNames({"nodes", "cards", "kinds"})
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace warpshare::cluster

BENCHMARK_MAIN();
