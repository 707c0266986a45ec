#include "bench/packing/replay.h"

#include <numeric>
#include <random>
#include <span>
#include <utility>

#include "policy/place/filter.h"
#include "policy/place/grant.h"
#include "policy/place/rank.h"

namespace warpshare::bench {

namespace {

constexpr uint64_t kMilliPerCard = 1000;
constexpr uint64_t kMostArrivals = 130;  // percent of the capacity

// The same on every machine, which std::shuffle is not.
std::vector<size_t> Arrivals(const PodList& list, uint64_t capacity_milli, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<size_t> order(list.pods.size());
  std::iota(order.begin(), order.end(), 0);
  for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  const uint64_t most = capacity_milli * kMostArrivals / 100;
  uint64_t demand = 0;
  for (const TracePod& pod : list.pods) demand += pod.milli;
  while (demand != 0 && demand < most) {
    order.push_back(random() % list.pods.size());
    demand += list.pods[order.back()].milli;
  }
  for (; demand > most; order.pop_back()) demand -= list.pods[order.back()].milli;
  return order;
}

// The cluster, as the scheduler keeps it.
class Cluster {
 public:
  explicit Cluster(const std::vector<place::NodeSpec>& nodes) {
    for (const place::NodeSpec& node : nodes) {
      ledger_.SetNode(node);
      all_.push_back(*ledger_.FindNode(node.name));
      capacity_milli_ += node.cards.size() * kMilliPerCard;
    }
  }

  uint64_t capacity_milli() const { return capacity_milli_; }

  // False: it fits nowhere.
  bool Place(const request::Request& request, const std::string& uid) {
    demand_.Observe(request);
    if (place::IsStale(outlook_, demand_)) outlook_ = place::Foresee(demand_, ledger_);
    const place::Shape shape = place::MakeShape(request, ledger_);
    place::Filter(ledger_, shape, all_, place::HostCheck::kLook, verdicts_);
    feasible_.clear();
    for (size_t i = 0; i < all_.size(); ++i)
      if (verdicts_[i].reason == place::Reason::kNone) feasible_.push_back(all_[i]);
    place::Placer placer(ledger_, outlook_, shape);
    const auto best = place::FindBest(placer, feasible_);
    if (!best) return false;
    return ledger_.Reserve(uid, place::HoldOf(request, ledger_, best->node, best->placement), 0);
  }

 private:
  place::Ledger ledger_;
  place::Demand demand_;
  place::Outlook outlook_;
  std::vector<place::NodeId> all_;
  std::vector<place::NodeId> feasible_;
  std::vector<place::Verdict> verdicts_;
  uint64_t capacity_milli_ = 0;
};

double Percent(uint64_t part, uint64_t whole) {
  return 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

Unallocated Replay(const std::vector<place::NodeSpec>& nodes, const PodList& list, uint64_t seed) {
  Cluster cluster(nodes);
  const uint64_t capacity = cluster.capacity_milli();
  const std::vector<size_t> order = Arrivals(list, capacity, seed);
  Unallocated unallocated;
  uint64_t arrived = 0;
  uint64_t placed = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    const TracePod& pod = list.pods[order[i]];
    const bool was_below = arrived < capacity;
    arrived += pod.milli;
    if (cluster.Place(pod.request, std::to_string(i))) placed += pod.milli;
    if (was_below && arrived >= capacity) unallocated.at_100 = Percent(capacity - placed, capacity);
  }
  unallocated.at_130 = Percent(capacity - placed, capacity);
  return unallocated;
}

}  // namespace warpshare::bench
