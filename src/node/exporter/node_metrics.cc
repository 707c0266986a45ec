#include "node/exporter/node_metrics.h"

#include <algorithm>
#include <cmath>

#include "abi/names/metrics.h"

namespace warpshare::node {

namespace {

using platform::MetricFamily;
using platform::MetricKind;
using platform::MetricLabels;
using platform::MetricPage;

constexpr MetricFamily kCardCapacity{abi::kMetricCardMemoryCapacity, "Memory of the card.",
                                     MetricKind::kGauge};
constexpr MetricFamily kCardUsed{abi::kMetricCardMemoryUsed,
                                 "Memory in use by everybody, as the driver says.",
                                 MetricKind::kGauge};
constexpr MetricFamily kCardAllocated{abi::kMetricCardMemoryAllocated,
                                      "Memory of the card that is given away: pods in their peak.",
                                      MetricKind::kGauge};
constexpr MetricFamily kCardShare{abi::kMetricCardShareAllocated,
                                  "Share of the card's time that is given away, the same way.",
                                  MetricKind::kGauge};
constexpr MetricFamily kCardTenants{abi::kMetricCardTenants, "Tenants on the card.",
                                    MetricKind::kGauge};
constexpr MetricFamily kCardTaken{
    abi::kMetricCardTaken, "Pods that have the card of another device plugin (nvidia.com/gpu).",
    MetricKind::kGauge};
constexpr MetricFamily kCardHealthy{
    abi::kMetricCardHealthy, "1: may be given to new tenants; 0: not now.", MetricKind::kGauge};

constexpr MetricFamily kLimit{abi::kMetricTenantMemoryLimit,
                              "Memory limit on the card; absent without one.", MetricKind::kGauge};
constexpr MetricFamily kUsed{abi::kMetricTenantMemoryUsed, "Memory charged to the tenant.",
                             MetricKind::kGauge};
constexpr MetricFamily kPeak{abi::kMetricTenantMemoryPeak, "Most that was charged at a time.",
                             MetricKind::kGauge};
constexpr MetricFamily kRefusals{abi::kMetricTenantRefusals,
                                 "Allocations that were refused for the limit.",
                                 MetricKind::kCounter};
constexpr MetricFamily kShare{abi::kMetricTenantShare,
                              "Guaranteed share of GPU time; absent without one.",
                              MetricKind::kGauge};
constexpr MetricFamily kGranted{abi::kMetricTenantGranted,
                                "Time in which the card was the tenant's.", MetricKind::kCounter};
constexpr MetricFamily kGpuTime{abi::kMetricTenantUsed, "GPU time used.", MetricKind::kCounter};
constexpr MetricFamily kThrottled{abi::kMetricTenantThrottled,
                                  "Time that calls waited for the card, of all threads together.",
                                  MetricKind::kCounter};
constexpr MetricFamily kWaiting{abi::kMetricTenantWaiting, "Processes that wait for the card now.",
                                MetricKind::kGauge};
constexpr MetricFamily kLaunchWait{
    abi::kMetricTenantLaunchWait,
    "How long calls that had to wait did; the sum is estimated from the buckets.",
    MetricKind::kHistogram};
constexpr MetricFamily kProcesses{abi::kMetricTenantProcesses, "Processes of the tenant.",
                                  MetricKind::kGauge};

constexpr MetricFamily kStarts{
    abi::kMetricContainerStarts,
    "Containers that the kubelet was about to start: started, or refused with a reason.",
    MetricKind::kCounter};

constexpr double kNsPerSecond = 1e9;
constexpr double kPercent = 100;

double Seconds(uint64_t ns) { return static_cast<double>(ns) / kNsPerSecond; }
double Number(Bytes bytes) { return static_cast<double>(bytes.count()); }

double ShareOf(const ComputeLimit& limit) {
  return limit && share::IsGuaranteed(*limit)
             ? static_cast<double>(limit->share_permille) / share::kWholeCard
             : 0;
}

// Bucket b counts [2^b, 2^(b+1)) microseconds.
platform::MetricBuckets BucketsOf(const WaitCounts& waits) {
  platform::MetricBuckets buckets;
  for (size_t b = 0; b < waits.size(); ++b) {
    const double from_seconds = std::ldexp(1e-6, static_cast<int>(b));
    if (b + 1 < waits.size()) buckets.upper_bounds.push_back(2 * from_seconds);
    buckets.counts.push_back(waits[b]);
    buckets.sum += 1.5 * from_seconds * waits[b];
  }
  return buckets;
}

// Containers are not added up: not all of a pod's run at the same time, and the pod has its part
// before and after they do. Those who came past Kubernetes have what their limits say.
void AddGivenAway(MetricPage& page, const MetricLabels& labels, const NodeReading& reading,
                  const platform::Card& card) {
  if (!reading.held) return;
  HeldPart sum;
  if (const auto held = reading.held->find(card.uuid); held != reading.held->end())
    sum = held->second;
  double memory = Number(sum.memory);
  double share = sum.cores_percent / kPercent;
  for (size_t i = 0; i < reading.tenants.size(); ++i) {
    if (!reading.pods[i].pod.empty()) continue;
    const std::vector<CardReport>& cards = reading.tenants[i].cards;
    const auto at = std::ranges::find(cards, card.uuid, &CardReport::uuid);
    if (at == cards.end()) continue;
    memory += Number(std::min(at->limit.value_or(card.total), card.total));
    share += ShareOf(at->compute.limit);
  }
  page.Add(kCardAllocated, labels, memory);
  page.Add(kCardShare, labels, share);
}

void AddCard(MetricPage& page, const NodeReading& reading, const CardState& state) {
  const auto tenants = std::ranges::count_if(reading.tenants, [&](const TenantReport& tenant) {
    return std::ranges::find(tenant.cards, state.card.uuid, &CardReport::uuid) !=
           tenant.cards.end();
  });
  const MetricLabels labels = {
      {"node", reading.node}, {"card", state.card.uuid.Text()}, {"model", state.card.name}};
  page.Add(kCardCapacity, labels, Number(state.card.total));
  if (state.used) page.Add(kCardUsed, labels, Number(*state.used));
  AddGivenAway(page, labels, reading, state.card);
  page.Add(kCardTenants, labels, static_cast<double>(tenants));
  const auto taken = std::ranges::find(reading.taken, state.card.uuid, &TakenCard::uuid);
  page.Add(kCardTaken, labels,
           taken == reading.taken.end() ? 0 : static_cast<double>(taken->pods.size()));
  page.Add(kCardHealthy, labels, state.is_healthy ? 1 : 0);
}

void AddTenantCard(MetricPage& page, const MetricLabels& labels, const CardReport& card,
                   const GpuTimes& times) {
  if (card.limit) page.Add(kLimit, labels, Number(*card.limit));
  page.Add(kUsed, labels, Number(card.used));
  page.Add(kPeak, labels, Number(card.peak));
  page.Add(kRefusals, labels, static_cast<double>(card.refusals));
  if (!card.compute.limit) return;  // its time is not measured
  if (const double share = ShareOf(card.compute.limit); share > 0) page.Add(kShare, labels, share);
  page.Add(kGranted, labels, Seconds(card.compute.granted_ns));
  page.Add(kGpuTime, labels, Seconds(times.used_ns));
  page.Add(kThrottled, labels, Seconds(times.waited_ns));
  page.Add(kWaiting, labels, card.compute.waiting);
  page.Add(kLaunchWait, labels, BucketsOf(card.compute.waits));
}

}  // namespace

MetricPage PageOf(const NodeReading& reading, const TenantTotals& totals) {
  MetricPage page;
  for (const CardState& card : reading.cards) AddCard(page, reading, card);
  for (size_t i = 0; i < reading.tenants.size(); ++i) {
    const TenantReport& tenant = reading.tenants[i];
    const PodOfTenant& pod = reading.pods[i];
    MetricLabels labels = {{"node", reading.node},
                           {"tenant", tenant.name},
                           {"namespace", pod.name_space},
                           {"pod", pod.pod},
                           {"container", pod.container}};
    page.Add(kProcesses, labels, static_cast<double>(tenant.processes.size()));
    labels.emplace_back("card", "");
    for (const CardReport& card : tenant.cards) {
      labels.back().second = card.uuid.Text();
      AddTenantCard(page, labels, card, totals.Of(tenant.name, card.uuid));
    }
  }
  const auto starts = [&](const char* outcome, uint64_t count) {
    page.Add(kStarts, {{"node", reading.node}, {"outcome", outcome}}, static_cast<double>(count));
  };
  starts("started", reading.starts.started);
  starts("refused", reading.starts.refused);
  return page;
}

}  // namespace warpshare::node
