#include "platform/metrics/build_info.h"

#include "abi/names/metrics.h"

namespace warpshare::platform {

namespace {

constexpr MetricFamily kBuildInfo{abi::kMetricBuildInfo, "1; the label is the daemon's version.",
                                  MetricKind::kGauge};

}  // namespace

void AddBuildInfo(const std::string& version, MetricPage& page) {
  page.Add(kBuildInfo, {{"version", version}}, 1);
}

}  // namespace warpshare::platform
