#include <algorithm>

#include "abi/names/metrics.h"
#include "cluster/exporter/scheduler_page.h"

namespace warpshare::cluster {

namespace {

using platform::MetricFamily;
using platform::MetricKind;
using platform::MetricPage;

constexpr MetricFamily kSeconds{
    abi::kMetricVerbSeconds,
    "How long answers to kube-scheduler took; bind waits for the API server.",
    MetricKind::kHistogram};
constexpr MetricFamily kErrors{abi::kMetricVerbErrors,
                               "Answers that were an error, also because another process leads.",
                               MetricKind::kCounter};
constexpr MetricFamily kRefused{abi::kMetricRefusedNodes, "Nodes that Filter refused.",
                                MetricKind::kCounter};
constexpr MetricFamily kWaiting{abi::kMetricWaitingPods,
                                "Pods without a node, by what kept the most promising one away; "
                                "none: not asked yet, or placed and "
                                "not bound; gated: nobody is to place them yet.",
                                MetricKind::kGauge};
constexpr MetricFamily kOldest{abi::kMetricOldestWaiting,
                               "Age of the oldest pod without a node, but for gated ones.",
                               MetricKind::kGauge};
constexpr MetricFamily kReservations{abi::kMetricReservations,
                                     "Parts of cards that are kept for pods on their way.",
                                     MetricKind::kGauge};
constexpr MetricFamily kExpired{abi::kMetricReservationsExpired,
                                "Reservations that came to nothing.", MetricKind::kCounter};
constexpr MetricFamily kNominations{
    abi::kMetricNominations, "Nodes that were named to kube-scheduler.", MetricKind::kCounter};
constexpr MetricFamily kNominationsUsed{
    abi::kMetricNominationsUsed, "Of these, those that it then asked about, and about no other.",
    MetricKind::kCounter};
constexpr MetricFamily kBinding{
    abi::kMetricBindingPods, "Bindings that the API server has not answered.", MetricKind::kGauge};
constexpr MetricFamily kLeads{
    abi::kMetricLeads,
    "1: this process holds the Lease, or the kube-scheduler beside it does, or it needs none.",
    MetricKind::kGauge};
constexpr MetricFamily kServes{abi::kMetricServes,
                               "1: this process leads as above, and knows the cluster.",
                               MetricKind::kGauge};

std::string WordOf(size_t reason) {
  return std::string(place::ReasonWord(static_cast<place::Reason>(reason)));
}

platform::MetricBuckets BucketsOf(const LatencyCounts& latency) {
  return {.upper_bounds = {latency.kUpperBounds.begin(), latency.kUpperBounds.end()},
          .counts = {latency.counts.begin(), latency.counts.end()},
          .sum = latency.sum_seconds};
}

}  // namespace

void AddVerbs(const SchedulerReading& reading, MetricPage& page) {
  for (size_t i = 0; i < kVerbNames.size(); ++i) {
    const VerbStats::Answers& answers = reading.verbs.verbs[i];
    const platform::MetricLabels labels = {{"verb", std::string(kVerbNames[i])}};
    page.Add(kSeconds, labels, BucketsOf(answers.latency));
    page.Add(kErrors, labels, static_cast<double>(answers.errors));
  }
  for (size_t i = 1; i < place::kReasonCount; ++i)
    page.Add(kRefused, {{"reason", WordOf(i)}},
             static_cast<double>(reading.verbs.refused_nodes[i]));
  page.Add(kReservations, {}, static_cast<double>(reading.view.counts().reserved));
  page.Add(kExpired, {}, static_cast<double>(reading.expired));
  page.Add(kNominations, {}, static_cast<double>(reading.nominations.made));
  page.Add(kNominationsUsed, {}, static_cast<double>(reading.nominations.used));
  page.Add(kBinding, {}, static_cast<double>(reading.binding));
  page.Add(kLeads, {}, reading.leads ? 1 : 0);
  page.Add(kServes, {}, reading.serves ? 1 : 0);
}

void AddQueue(const SchedulerReading& reading, MetricPage& page) {
  ReasonCounts waiting = {};
  size_t gated = 0;
  int64_t oldest_s = reading.now_s;
  for (const auto& [uid, pod] : reading.view.waiting().by_uid()) {
    if (pod.queue.is_gated) {
      ++gated;
      continue;
    }
    const auto unplaced = reading.verbs.unplaced.find(uid);
    const auto reason =
        unplaced == reading.verbs.unplaced.end() ? place::Reason::kNone : unplaced->second;
    ++waiting[static_cast<size_t>(reason)];
    if (pod.created_s != 0) oldest_s = std::min(oldest_s, pod.created_s);
  }
  for (size_t i = 0; i < waiting.size(); ++i)
    page.Add(kWaiting, {{"reason", WordOf(i)}}, static_cast<double>(waiting[i]));
  page.Add(kWaiting, {{"reason", "gated"}}, static_cast<double>(gated));
  page.Add(kOldest, {}, static_cast<double>(reading.now_s - oldest_s));
}

}  // namespace warpshare::cluster
