// GPU time of tenants as counters. What a report has are sums over the processes that live: when
// one ends, they shrink. A total takes over what they grow by. What a process used between the last
// look at it and its end is left out; so a total may be less than what was used, never more.
//
// One thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "node/tenancy/tenant_report.h"

namespace warpshare::node {

struct GpuTimes {
  uint64_t used_ns = 0;
  uint64_t waited_ns = 0;
};

class TenantTotals {
 public:
  // All tenants that there are; the others are forgotten.
  void Look(const std::vector<TenantReport>& reports);

  GpuTimes Of(const std::string& tenant, const GpuUuid& card) const;

 private:
  struct Entry {
    GpuTimes last;
    GpuTimes total;
  };
  using Key = std::pair<std::string, GpuUuid>;

  std::map<Key, Entry> entries_;
};

}  // namespace warpshare::node
