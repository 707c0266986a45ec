// Tenants as a table for people, and as JSON for programs. ps and top show the same.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/warpshare/compute_rates.h"
#include "node/tenancy/tenant_report.h"

namespace warpshare::app {

// A header, then for each tenant a line per card, and under it a line per process that holds memory
// there. Lines have no line break and are cut at `width` (0: not at all).
std::vector<std::string> TenantTable(const std::vector<node::TenantReport>& tenants, size_t width);

// One line a card: its name, what it has, what its tenants were promised and hold.
std::vector<std::string> CardTable(const std::vector<node::TenantReport>& tenants, size_t width);

// {"tenants":[...]}; docs/cli.md has the fields. `before`: may be null; where rates are counted
// from.
std::string TenantJson(const Observation* before, const Observation& now);

}  // namespace warpshare::app
