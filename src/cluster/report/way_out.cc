#include "cluster/report/way_out.h"

#include <algorithm>
#include <functional>

#include "policy/place/placement.h"

namespace warpshare::report {

namespace {

// Each costs some tens of placements, and nobody reads more than a few.
constexpr size_t kMostNodes = 200;

Bytes MemoryOf(const PodFacts& pod) {
  uint64_t sum = 0;
  for (const place::HeldCard& card : pod.hold.cards)
    sum += static_cast<uint64_t>(std::max<int64_t>(card.hold.memory, 0));
  return Bytes(sum);
}

// One node as it is, and as it would be without some of its pods. Processors of the node are left
// out: pods without cards have them, too.
class Trial {
 public:
  Trial(const Survey& survey, const PodFacts& pod, const NodeFacts& node) : node_(node) {
    ledger_.SetNode({.name = node.name(), .cards = node.cards});
    for (const PodFacts* there : survey.PodsOn(node.name())) {
      if (there->hold.cards.empty()) continue;
      ledger_.Adopt(there->uid, there->hold);
      pods_.push_back(there);
    }
    std::ranges::stable_sort(pods_, {}, [](const PodFacts* each) { return MemoryOf(*each); });
    shape_ = place::MakeShape(pod.request, ledger_);
  }

  // None: not even without all of them.
  std::optional<Departure> Find() {
    for (const PodFacts* pod : pods_)
      if (FitsWithout(*pod)) return DepartureOf({pod});
    return FindSeveral();
  }

 private:
  bool Fits() {
    const auto id = ledger_.FindNode(node_.name());
    place::Placer placer(ledger_, outlook_, shape_);
    return id && placer.Place(*id, scratch_);
  }

  bool FitsWithout(const PodFacts& pod) {
    ledger_.Release(pod.uid);
    const bool fits = Fits();
    ledger_.Adopt(pod.uid, pod.hold);
    return fits;
  }

  // The largest go until there is room; then each that was not needed stays after all.
  std::optional<Departure> FindSeveral() {
    std::vector<const PodFacts*> gone;
    for (auto pod = pods_.rbegin(); pod != pods_.rend() && !Fits(); ++pod) {
      ledger_.Release((*pod)->uid);
      gone.push_back(*pod);
    }
    if (!Fits()) return std::nullopt;
    std::erase_if(gone, [this](const PodFacts* pod) {
      ledger_.Adopt(pod->uid, pod->hold);
      if (Fits()) return true;
      ledger_.Release(pod->uid);
      return false;
    });
    return DepartureOf(std::move(gone));
  }

  Departure DepartureOf(std::vector<const PodFacts*> pods) const {
    Departure departure{.node = &node_, .pods = std::move(pods)};
    for (const PodFacts* pod : departure.pods)
      departure.memory = Bytes(departure.memory.count() + MemoryOf(*pod).count());
    return departure;
  }

  const NodeFacts& node_;
  const place::Outlook outlook_ = {};  // whether it fits does not depend on it
  place::Ledger ledger_;
  place::Shape shape_;
  place::Placement scratch_;
  std::vector<const PodFacts*> pods_;  // that hold cards, the smallest first
};

// The pod's request with one amount changed, asked of all nodes that Kubernetes would take.
class Asker {
 public:
  Asker(const Survey& survey, const PodFacts& pod, std::span<const NodeAnswer> nodes)
      : survey_(survey), request_(pod.request) {
    for (const NodeAnswer& answer : nodes) {
      if (answer.refusal.is_rule || answer.refusal.word == "bad_node") continue;
      ids_.push_back(answer.id);
      nodes_.push_back(answer.node);
    }
  }

  // The first node that would take it.
  const NodeFacts* FindNode(size_t container, const request::ContainerRequest& changed) {
    const request::ContainerRequest asked = request_.containers[container];
    request_.containers[container] = changed;
    place::Filter(survey_.ledger(), place::MakeShape(request_, survey_.ledger()), ids_,
                  place::HostCheck::kLook, verdicts_);
    request_.containers[container] = asked;
    const auto fits = std::ranges::find(verdicts_, place::Reason::kNone, &place::Verdict::reason);
    return fits == verdicts_.end() ? nullptr
                                   : nodes_[static_cast<size_t>(fits - verdicts_.begin())];
  }

 private:
  const Survey& survey_;
  request::Request request_;
  std::vector<place::NodeId> ids_;
  std::vector<const NodeFacts*> nodes_;
  std::vector<place::Verdict> verdicts_;
};

// The greatest of 1..most that finds a node; there is none for more if there is none for less.
struct Greatest {
  uint64_t amount = 0;
  const NodeFacts* node = nullptr;
};
Greatest FindGreatest(uint64_t most, const std::function<const NodeFacts*(uint64_t)>& find) {
  Greatest best;
  uint64_t least_bad = most + 1;
  while (best.amount + 1 < least_bad) {
    const uint64_t middle = best.amount + (least_bad - best.amount) / 2;
    if (const NodeFacts* node = find(middle))
      best = {middle, node};
    else
      least_bad = middle;
  }
  return best;
}

constexpr uint64_t kMiB = 1 << 20;

uint64_t MostMemory(const Survey& survey, const request::ContainerRequest& asked) {
  uint64_t largest = 0;
  const place::Kinds& kinds = survey.ledger().kinds();
  for (uint16_t kind = 0; kind < kinds.count(); ++kind)
    largest = std::max(largest, kinds.MemoryOf(kind));
  return (asked.whole ? Bytes(largest) : asked.memory.On(Bytes(largest))).count() / kMiB;
}

request::ContainerRequest WithMemory(request::ContainerRequest asked, uint64_t mebibytes) {
  if (asked.whole) asked.cores_percent = 0;  // a part of a card with no cores of its own
  asked.whole = false;
  asked.memory = MemoryAmount::Of(Bytes(mebibytes * kMiB));
  return asked;
}

}  // namespace

std::vector<Departure> FindDepartures(const Survey& survey, const PodFacts& pod,
                                      std::span<const NodeAnswer* const> nodes, size_t most) {
  std::vector<Departure> departures;
  for (const NodeAnswer* answer : nodes.first(std::min(nodes.size(), kMostNodes)))
    if (auto departure = Trial(survey, pod, *answer->node).Find())
      departures.push_back(std::move(*departure));
  std::ranges::stable_sort(departures, {}, [](const Departure& each) {
    return std::pair(each.pods.size(), each.memory);
  });
  if (departures.size() > most) departures.resize(most);
  return departures;
}

std::vector<Offer> FindOffers(const Survey& survey, const PodFacts& pod,
                              std::span<const NodeAnswer> nodes) {
  const auto& containers = pod.request.containers;
  const auto wants = [](const request::ContainerRequest& each) { return each.cards != 0; };
  if (std::ranges::count_if(containers, wants) != 1) return {};
  const auto place =
      static_cast<size_t>(std::ranges::find_if(containers, wants) - containers.begin());
  const request::ContainerRequest& asked = containers[place];
  Asker asker(survey, pod, nodes);
  std::vector<Offer> offers;
  const auto try_amounts = [&](Offer::What what, uint64_t most, auto change) {
    const Greatest found = FindGreatest(most, [&](uint64_t amount) {
      request::ContainerRequest changed = asked;
      change(changed, amount);
      return asker.FindNode(place, changed);
    });
    if (found.node == nullptr) return;
    offers.push_back({.what = what, .node = found.node});
    if (what == Offer::What::kMemory)
      offers.back().memory = Bytes(found.amount * kMiB);
    else
      offers.back().number = static_cast<uint32_t>(found.amount);
  };
  try_amounts(Offer::What::kMemory, MostMemory(survey, asked),
              [](auto& changed, uint64_t mebibytes) { changed = WithMemory(changed, mebibytes); });
  if (!asked.whole && asked.cores_percent > 1)
    try_amounts(Offer::What::kCores, asked.cores_percent - 1, [](auto& changed, uint64_t percent) {
      changed.cores_percent = static_cast<uint32_t>(percent);
    });
  if (asked.cards > 1)
    try_amounts(Offer::What::kCards, asked.cards - 1, [](auto& changed, uint64_t cards) {
      changed.cards = static_cast<uint32_t>(cards);
    });
  return offers;
}

}  // namespace warpshare::report
