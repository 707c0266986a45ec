// A scrape's answer from what was read for it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "node/device_plugin/card_view.h"
#include "node/device_plugin/held_parts.h"
#include "node/device_plugin/readiness.h"
#include "node/device_plugin/taken_cards.h"
#include "node/exporter/tenant_totals.h"
#include "node/tenancy/tenant_report.h"
#include "platform/metrics/metric_page.h"

namespace warpshare::node {

// Empty for what did not come from Kubernetes.
struct PodOfTenant {
  std::string name_space;
  std::string pod;
  std::string container;
};

struct NodeReading {
  std::string node;
  std::vector<CardState> cards;
  std::vector<TenantReport> tenants;
  std::vector<PodOfTenant> pods;       // beside the tenants
  std::optional<HeldParts> held = {};  // by pods; none: not known yet
  std::vector<TakenCard> taken = {};
  StartCounts starts = {};
};

platform::MetricPage PageOf(const NodeReading& reading, const TenantTotals& totals);

}  // namespace warpshare::node
