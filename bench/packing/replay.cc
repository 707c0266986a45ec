#include "bench/packing/replay.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <span>
#include <utility>

#include "policy/place/grant.h"
#include "policy/place/standings.h"

namespace warpshare::bench {

namespace {

constexpr uint64_t kMilliPerCard = 1000;
constexpr uint64_t kMostArrivals = 130;  // percent of the capacity

// The cluster, as the scheduler keeps it.
class Cluster {
 public:
  Cluster(const std::vector<place::NodeSpec>& nodes, unsigned part_percent)
      : part_(std::max<size_t>(nodes.size() * part_percent / 100, 1)) {
    for (const place::NodeSpec& node : nodes) {
      ledger_.SetNode(node);
      all_.push_back(*ledger_.FindNode(node.name));
    }
  }

  // False: it fits nowhere.
  bool Place(const request::Request& request, const std::string& uid) {
    demand_.Observe(request);
    if (place::IsStale(outlook_, demand_)) outlook_ = place::Foresee(demand_, ledger_);
    const place::Shape shape = place::MakeShape(request, ledger_);
    standings_.Filter(shape, all_, place::HostCheck::kLook, verdicts_);
    TakePart();
    if (feasible_.empty()) {
      TakeAll();
      if (!feasible_.empty()) ++named_elsewhere_;
    }
    const auto best = standings_.FindBest(outlook_, shape, feasible_);
    if (!best) return false;
    return ledger_.Reserve(uid, place::HoldOf(request, ledger_, best->node, best->placement), 0);
  }

  size_t named_elsewhere() const { return named_elsewhere_; }

 private:
  bool Fits(size_t i) const { return verdicts_[i].reason == place::Reason::kNone; }

  // As kube-scheduler does: on from where it stopped, until so many have the processors and memory.
  void TakePart() {
    feasible_.clear();
    size_t with_host = 0;
    size_t looked = 0;
    for (; looked < all_.size() && with_host < part_; ++looked) {
      const size_t i = (next_ + looked) % all_.size();
      const place::Reason reason = verdicts_[i].reason;
      if (Fits(i)) feasible_.push_back(all_[i]);
      if (reason != place::Reason::kNoHostCpu && reason != place::Reason::kNoHostMemory)
        ++with_host;
    }
    if (part_ < all_.size()) next_ = (next_ + looked) % all_.size();
  }

  void TakeAll() {
    for (size_t i = 0; i < all_.size(); ++i)
      if (Fits(i)) feasible_.push_back(all_[i]);
  }

  const size_t part_;
  size_t next_ = 0;
  size_t named_elsewhere_ = 0;
  place::Ledger ledger_;
  place::Standings standings_{ledger_};
  place::Demand demand_;
  place::Outlook outlook_;
  std::vector<place::NodeId> all_;
  std::vector<place::NodeId> feasible_;
  std::vector<place::Verdict> verdicts_;
};

double Percent(uint64_t part, uint64_t whole) {
  return 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

uint64_t Capacity(const std::vector<place::NodeSpec>& nodes) {
  uint64_t milli = 0;
  for (const place::NodeSpec& node : nodes) milli += node.cards.size() * kMilliPerCard;
  return milli;
}

// Not with std::shuffle, which is another one in every library.
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

Unallocated Replay(const std::vector<place::NodeSpec>& nodes, const PodList& list, uint64_t seed,
                   unsigned part_percent) {
  Cluster cluster(nodes, part_percent);
  const uint64_t capacity = Capacity(nodes);
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
  unallocated.named_elsewhere = static_cast<double>(cluster.named_elsewhere());
  return unallocated;
}

}  // namespace warpshare::bench
