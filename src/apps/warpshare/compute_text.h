// The GPU time of tenants, as a table for people, and as JSON for programs.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/warpshare/compute_rates.h"
#include "apps/warpshare/json_writer.h"

namespace warpshare::app {

// A line for each card of a tenant that is held back there; nothing if none is. With `before`, what
// was used and granted since then, and how long calls waited since then; without, since the tenant
// began. The less important columns are left out where `width` (0: any) is too small.
std::vector<std::string> ComputeTable(const Observation* before, const Observation& now,
                                      size_t width);

// The value of a card's "compute": null if the tenant is not held back there.
void WriteCompute(const node::ComputeReport& compute, const std::optional<ComputeRates>& rates,
                  JsonWriter& json);

}  // namespace warpshare::app
