#include "bench/scheduler/fake_cluster.h"

#include "cluster/inventory/testing/cluster_objects.h"

namespace warpshare::bench {

namespace {

constexpr uint32_t kCards = 8;
constexpr uint32_t kSharedCards = 5;  // with resident pods; the others are empty
constexpr uint32_t kChangesKept = 256;

// The sizes that pods of a shared cluster have: parts of several sizes, and now and then whole
// cards.
cluster::PodWords WordsOf(uint32_t number) {
  constexpr struct {
    int cards, memory_gib, cores;
  } kMix[] = {{1, 4, 30}, {1, 2, 10}, {1, 8, 50}, {1, 1, 0}, {1, 4, 0},
              {2, 4, 25}, {1, 0, 0},  {1, 6, 40}, {1, 2, 0}, {1, 3, 20}};
  const auto& part = kMix[number % std::size(kMix)];
  return {.name = "w" + std::to_string(number),
          .cards = part.cards,
          .memory_gib = part.memory_gib,
          .cores = part.cores};
}

}  // namespace

FakeCluster::FakeCluster(const ClusterSize& size) : port_(api_.config().port) {
  Fill(size);
  thread_ = std::thread([this] { loop_.Run(); });
}

FakeCluster::~FakeCluster() {
  loop_.Stop();
  thread_.join();
}

void FakeCluster::Fill(const ClusterSize& size) {
  uint32_t changes = 0;
  const auto create = [&](const kube::Resource& resource, const char* space,
                          const std::string& object) {
    api_.Create(resource, space, object);
    if (++changes % kChangesKept == 0) api_.ForgetHistory();
  };
  for (uint32_t node = 0; node < size.nodes; ++node)
    create(kube::kNodes, "",
           cluster::NodeObject(static_cast<uint16_t>(node),
                               cluster::CardsText(static_cast<uint16_t>(node), kCards)));
  for (uint32_t pod = 0; pod < size.resident; ++pod) {
    const auto node = static_cast<uint16_t>(pod % size.nodes);
    const auto card = static_cast<uint8_t>(pod / size.nodes % kSharedCards);
    create(kube::kPods, "default",
           cluster::PodObject({.name = "r" + std::to_string(pod),
                               .memory_gib = 1,
                               .node = NodeName(node),
                               .assignment = cluster::AssignmentText(node, card, "1GiB"),
                               .phase = "Running"}));
  }
  for (uint32_t pod = 0; pod < size.waiting; ++pod) {
    const cluster::PodWords words = WordsOf(pod);
    create(kube::kPods, "default", cluster::PodObject(words));
    waiting_.push_back(api_.Get(kube::kPods, {"default", words.name}));
  }
  api_.ForgetHistory();
}

void FakeCluster::Arrive() {
  cluster::PodWords words = WordsOf(arrived_++);
  words.name.insert(0, 1, 'a');
  loop_.Post(
      [this, text = cluster::PodObject(words)] { api_.Create(kube::kPods, "default", text); });
}

void FakeCluster::ForgetHistory() {
  loop_.Post([this] { api_.ForgetHistory(); });
}

}  // namespace warpshare::bench
