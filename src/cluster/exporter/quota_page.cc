#include "abi/names/metrics.h"
#include "cluster/exporter/scheduler_page.h"

namespace warpshare::cluster {

namespace {

using platform::MetricFamily;
using platform::MetricKind;
using platform::MetricPage;

constexpr MetricFamily kCardsLimit{abi::kMetricQuotaCardsLimit,
                                   "Places on cards that the namespace may have.",
                                   MetricKind::kGauge};
constexpr MetricFamily kCardsUsed{abi::kMetricQuotaCardsUsed, "Places on cards that it has.",
                                  MetricKind::kGauge};
constexpr MetricFamily kMemoryLimit{abi::kMetricQuotaMemoryLimit,
                                    "Memory of cards that the namespace may have.",
                                    MetricKind::kGauge};
constexpr MetricFamily kMemoryUsed{abi::kMetricQuotaMemoryUsed, "Memory of cards that it has.",
                                   MetricKind::kGauge};
constexpr MetricFamily kComputeLimit{abi::kMetricQuotaComputeLimit,
                                     "Compute that the namespace may be promised; 1 is a card's.",
                                     MetricKind::kGauge};
constexpr MetricFamily kComputeUsed{abi::kMetricQuotaComputeUsed, "Compute that it is promised.",
                                    MetricKind::kGauge};

double Cards(uint64_t cores_percent) { return static_cast<double>(cores_percent) / 100; }

void AddStanding(const quota::QuotaBook::Standing& standing, MetricPage& page) {
  const platform::MetricLabels labels = {{"namespace", standing.space}, {"model", standing.model}};
  const admit::Limit& limit = standing.limit;
  const admit::Amount& used = standing.used;
  if (limit.cards) page.Add(kCardsLimit, labels, static_cast<double>(*limit.cards));
  if (limit.memory) page.Add(kMemoryLimit, labels, static_cast<double>(limit.memory->count()));
  if (limit.cores_percent) page.Add(kComputeLimit, labels, Cards(*limit.cores_percent));
  page.Add(kCardsUsed, labels, static_cast<double>(used.cards));
  page.Add(kMemoryUsed, labels, static_cast<double>(used.memory.count()));
  page.Add(kComputeUsed, labels, Cards(used.cores_percent));
}

}  // namespace

void AddQuotas(const quota::QuotaBook& quotas, MetricPage& page) {
  for (const auto& standing : quotas.Standings()) AddStanding(standing, page);
}

}  // namespace warpshare::cluster
