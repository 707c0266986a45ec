#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <limits>

#include "platform/metrics/metric_page.h"

namespace warpshare::platform {

struct MetricPage::Impl {
  std::vector<prometheus::MetricFamily> families;

  prometheus::ClientMetric& AddTo(const MetricFamily& family, const MetricLabels& labels);
};

namespace {

prometheus::MetricType TypeOf(MetricKind kind) {
  switch (kind) {
    case MetricKind::kCounter:
      return prometheus::MetricType::Counter;
    case MetricKind::kHistogram:
      return prometheus::MetricType::Histogram;
    case MetricKind::kGauge:
      break;
  }
  return prometheus::MetricType::Gauge;
}

}  // namespace

prometheus::ClientMetric& MetricPage::Impl::AddTo(const MetricFamily& family,
                                                  const MetricLabels& labels) {
  auto at = std::ranges::find(families, family.name, &prometheus::MetricFamily::name);
  if (at == families.end())
    at = families.insert(at, {family.name, family.help, TypeOf(family.kind), {}});
  prometheus::ClientMetric& metric = at->metric.emplace_back();
  for (const auto& [name, value] : labels) metric.label.push_back({name, value});
  return metric;
}

MetricPage::MetricPage() : impl_(std::make_unique<Impl>()) {}
MetricPage::~MetricPage() = default;
MetricPage::MetricPage(MetricPage&&) noexcept = default;
MetricPage& MetricPage::operator=(MetricPage&&) noexcept = default;

void MetricPage::Add(const MetricFamily& family, const MetricLabels& labels, double value) {
  prometheus::ClientMetric& metric = impl_->AddTo(family, labels);
  if (family.kind == MetricKind::kCounter)
    metric.counter.value = value;
  else
    metric.gauge.value = value;
}

void MetricPage::Add(const MetricFamily& family, const MetricLabels& labels,
                     const MetricBuckets& buckets) {
  auto& histogram = impl_->AddTo(family, labels).histogram;
  uint64_t below = 0;
  for (size_t i = 0; i < buckets.counts.size(); ++i) {
    below += buckets.counts[i];
    const double bound = i < buckets.upper_bounds.size() ? buckets.upper_bounds[i]
                                                         : std::numeric_limits<double>::infinity();
    histogram.bucket.push_back({.cumulative_count = below, .upper_bound = bound});
  }
  histogram.sample_count = below;
  histogram.sample_sum = buckets.sum;
}

std::string MetricPage::Text() const {
  return prometheus::TextSerializer().Serialize(impl_->families);
}

}  // namespace warpshare::platform
