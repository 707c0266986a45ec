#include "node/tenancy/limit_change.h"

#include "node/tenancy/limit_text.h"
#include "node/tenancy/presence.h"
#include "node/tenancy/tenant_dir.h"
#include "platform/region_file/limits_file.h"

namespace warpshare::node {

namespace {

bool IsNamed(const CardReport& card, const std::optional<std::string>& name) {
  if (!name || card.uuid.StartsWith(*name)) return true;
  return card.index && std::to_string(*card.index) == *name;
}

Failure NotRunning(const TenantName& name) {
  return Fail(Errc::kNotFound,
              "no tenant '" + name.text() + "' is running: warpshare ps lists those that are");
}

}  // namespace

Result<std::vector<LimitChange>> ChangeLimits(const StateDir& state, const TenantName& name,
                                              MemoryAmount memory,
                                              const std::optional<std::string>& card) {
  const auto tenant = TenantDir::Open(state.tenants_path() + "/" + name.text());
  if (!tenant || !IsInUse(*tenant)) return NotRunning(name);
  const auto report = ReportTenant(*tenant, name.text());
  if (!report) return Fail(report.error());

  std::vector<LimitChange> changes;
  std::vector<uint32_t> positions;
  for (uint32_t position = 0; position < report->cards.size(); ++position) {
    const CardReport& before = report->cards[position];
    if (!IsNamed(before, card)) continue;
    if (auto fits = CheckFits(memory, before.index.value_or(position), before.capacity); !fits)
      return Forward(fits);
    changes.push_back({.card = before, .limit = memory.On(before.capacity)});
    positions.push_back(position);
  }
  if (changes.empty())
    return Fail(Errc::kNotFound, "tenant '" + name.text() + "' has no card '" + card.value_or("") +
                                     "': warpshare ps lists its cards");
  for (size_t i = 0; i < changes.size(); ++i)
    if (auto stored =
            platform::StoreMemoryLimit(tenant->limits_path(), positions[i], changes[i].limit);
        !stored)
      return Forward(stored);
  return changes;
}

}  // namespace warpshare::node
