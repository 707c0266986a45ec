// One answer to a scrape.
//
//   MetricPage page;
//   page.Add({.name = abi::kMetricCardTenants, .help = "...", .kind = MetricKind::kGauge}, labels,
//   2); return page.Text();
//
// Samples of a family may come in any order; families stand in the order of their first sample.
// Plain values; no threads.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace warpshare::platform {

enum class MetricKind : uint8_t { kCounter, kGauge, kHistogram };

struct MetricFamily {
  const char* name;  // abi/names/metrics.h
  const char* help;
  MetricKind kind;
};

using MetricLabels = std::vector<std::pair<std::string, std::string>>;

struct MetricBuckets {
  std::vector<double> upper_bounds;  // ascending; one for +Inf is added
  std::vector<uint64_t> counts;      // of each alone, with one more for what is above them all
  double sum = 0;                    // of what was counted
};

class MetricPage {
 public:
  MetricPage();
  ~MetricPage();
  MetricPage(MetricPage&&) noexcept;
  MetricPage& operator=(MetricPage&&) noexcept;

  void Add(const MetricFamily& family, const MetricLabels& labels, double value);
  void Add(const MetricFamily& family, const MetricLabels& labels, const MetricBuckets& buckets);

  // What a scraper is to be told of the text below: its Content-Type.
  static constexpr char kContentType[] = "text/plain; version=0.0.4; charset=utf-8";
  std::string Text() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace warpshare::platform
