#include <algorithm>

#include "abi/names/metrics.h"
#include "cluster/exporter/scheduler_page.h"

namespace warpshare::cluster {

namespace {

using platform::MetricFamily;
using platform::MetricKind;
using platform::MetricPage;

constexpr MetricFamily Gauge(const char* name, const char* help) {
  return {name, help, MetricKind::kGauge};
}

constexpr MetricFamily kNodes = Gauge(abi::kMetricLedgerNodes, "Nodes that are known.");
constexpr MetricFamily kPods = Gauge(abi::kMetricLedgerPods, "Pods that are known.");
constexpr MetricFamily kCards = Gauge(abi::kMetricLedgerCards, "Cards that nodes announce.");
constexpr MetricFamily kUnhealthy =
    Gauge(abi::kMetricUnhealthyCards, "Cards that take nobody new.");
constexpr MetricFamily kEmpty = Gauge(abi::kMetricEmptyCards, "Healthy cards with nobody on them.");
constexpr MetricFamily kFree =
    Gauge(abi::kMetricFreeCards,
          "What is free of healthy cards, in cards: memory or cores, whichever is less.");
constexpr MetricFamily kStranded = Gauge(
    abi::kMetricStrandedCards,
    "How much of that will stay unused in the end if pods go on coming as they did, in cards.");
constexpr MetricFamily kOvercommitted =
    Gauge(abi::kMetricOvercommittedCards, "Cards of which pods hold more than there is.");
constexpr MetricFamily kBadNodes =
    Gauge(abi::kMetricUnreadableNodes, "Nodes whose cards cannot be read.");
constexpr MetricFamily kBadPods =
    Gauge(abi::kMetricUnreadablePods,
          "Pods whose request or assignment makes no sense, or that have none.");
constexpr MetricFamily kHeld =
    Gauge(abi::kMetricNodeMemoryHeld, "Memory of the node's cards that pods hold.");

constexpr double kMilliPerCard = place::kLevels * place::kMilliPerLevel;

struct Sums {
  uint64_t cards = 0;
  uint64_t unhealthy = 0;
  uint64_t empty = 0;
  uint64_t overcommitted = 0;
  double free_milli = 0;
  double stranded_milli = 0;

  void Add(const place::Card& card, const place::Outlook& outlook) {
    ++cards;
    if (card.memory_free < 0 || card.cores_free < 0 || card.slots_free < 0) ++overcommitted;
    if (!card.healthy) {
      ++unhealthy;
      return;
    }
    if (card.tenants == 0) ++empty;
    const double free = place::FreeLevel(card) * place::kMilliPerLevel;
    free_milli += free;
    stranded_milli += std::clamp(place::WasteOf(outlook, card), 0.0, free);
  }
};

double MemoryHeld(std::span<const place::Card> cards) {
  double held = 0;
  for (const place::Card& card : cards)
    held += static_cast<double>(card.memory_total) - static_cast<double>(card.memory_free);
  return held;
}

}  // namespace

void AddLedger(const ClusterView& view, MetricPage& page) {
  const place::Ledger& ledger = view.ledger();
  Sums sums;
  for (place::NodeId id = 0; id < ledger.node_ids(); ++id) {
    if (!ledger.node(id).present || ledger.node(id).card_count == 0) continue;
    for (const place::Card& card : ledger.cards_of(id)) sums.Add(card, view.former_outlook());
    page.Add(kHeld, {{"node", ledger.node_name(id)}}, MemoryHeld(ledger.cards_of(id)));
  }
  const ClusterView::Counts counts = view.counts();
  page.Add(kNodes, {}, static_cast<double>(counts.nodes));
  page.Add(kPods, {}, static_cast<double>(counts.pods));
  page.Add(kCards, {}, static_cast<double>(sums.cards));
  page.Add(kUnhealthy, {}, static_cast<double>(sums.unhealthy));
  page.Add(kEmpty, {}, static_cast<double>(sums.empty));
  page.Add(kFree, {}, sums.free_milli / kMilliPerCard);
  page.Add(kStranded, {}, sums.stranded_milli / kMilliPerCard);
  page.Add(kOvercommitted, {}, static_cast<double>(sums.overcommitted));
  page.Add(kBadNodes, {}, static_cast<double>(counts.bad_nodes));
  page.Add(kBadPods, {}, static_cast<double>(counts.bad_pods));
}

}  // namespace warpshare::cluster
