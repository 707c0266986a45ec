// What became of a card's time between two looks at its tenants.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "node/local/arbiter_state.h"
#include "node/tenancy/tenant_report.h"

namespace warpshare::app {

// Tenants, and when they were so.
struct Observation {
  std::vector<node::TenantReport> tenants;
  std::chrono::steady_clock::time_point at;
  node::ArbiterState arbiter = node::ArbiterState::kRuns;
};

// Of one tenant on one card.
struct ComputeRates {
  std::chrono::nanoseconds interval;
  // Permille of the interval. At most kMostPermille: what a tenant says of its use is its own word.
  uint32_t used_permille;
  uint32_t granted_permille;
  node::WaitCounts waits;  // of the calls that ended meanwhile

  static constexpr uint32_t kMostPermille = 9'999;
};

// A process that ended meanwhile does not count, one that began counts whole. None: the tenant was
// not there before, or no time passed.
std::optional<ComputeRates> RatesOf(const Observation& before, const Observation& after,
                                    const node::TenantReport& tenant, size_t card);

// How long the shortest of the longest (100 - percent) % of waits may have been: the upper edge of
// its bucket. None: nobody waited.
std::optional<std::chrono::microseconds> WaitPercentile(const node::WaitCounts& waits,
                                                        uint32_t percent);

}  // namespace warpshare::app
