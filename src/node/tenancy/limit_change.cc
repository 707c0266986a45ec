#include "node/tenancy/limit_change.h"

#include "node/tenancy/card_promises.h"
#include "node/tenancy/limit_text.h"
#include "node/tenancy/presence.h"
#include "node/tenancy/tenant_dir.h"
#include "platform/region_file/limits_file.h"
#include "types/printable.h"

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

Failure NoSuchCard(const LimitRequest& request) {
  return Fail(Errc::kNotFound, "tenant '" + request.tenant.text() + "' has no card '" +
                                   Printable(request.card.value_or("")) +
                                   "': warpshare ps lists its cards");
}

Failure SeveralCards(const LimitRequest& request) {
  return Fail(Errc::kInvalid, "'" + Printable(request.card.value_or("")) +
                                  "' is the beginning of several cards' uuids of tenant '" +
                                  request.tenant.text() +
                                  "': write more of it, or an index: warpshare ps lists its cards");
}

Result<std::optional<Bytes>> MemoryAfter(const MemoryChange& change, const CardReport& before,
                                         uint32_t position) {
  if (!change.most) return std::optional<Bytes>();
  const uint32_t index = before.index.value_or(position);
  if (auto fits = CheckFits(*change.most, index, before.capacity); !fits) return Forward(fits);
  return std::optional<Bytes>(change.most->On(before.capacity));
}

Result<LimitChange> Plan(const LimitRequest& request, const CardReport& before, uint32_t position) {
  LimitChange change{.card = before, .memory = before.limit, .compute = before.compute.limit};
  if (request.memory) {
    auto memory = MemoryAfter(*request.memory, before, position);
    if (!memory) return Forward(memory);
    change.memory = *memory;
  }
  if (request.compute) {
    const auto after = LimitAfter(*request.compute, change.compute);
    if (!after) return Fail(after.error());
    change.compute = *after;
  }
  return change;
}

Result<void> Store(const std::string& path, uint32_t position, const LimitChange& change) {
  if (change.memory != change.card.limit)
    if (auto stored = platform::StoreMemoryLimit(path, position, change.memory); !stored)
      return stored;
  if (change.compute == change.card.compute.limit) return {};
  return platform::StoreComputeTerms(path, position, OnPage(change.compute));
}

}  // namespace

Result<std::vector<LimitChange>> ChangeLimits(const StateDir& state, const LimitRequest& request,
                                              platform::Clock& clock) {
  const auto lock = state.Lock(clock);
  if (!lock) return Fail(lock.error());
  const std::string& name = request.tenant.text();
  const auto tenant = TenantDir::Open(state.tenants_path() + "/" + name);
  if (!tenant || !IsInUse(*tenant)) return NotRunning(request.tenant);
  const auto report = ReportTenant(*tenant, name);
  if (!report) return Fail(report.error());

  std::vector<LimitChange> changes;
  std::vector<uint32_t> positions;
  for (uint32_t position = 0; position < report->cards.size(); ++position) {
    if (!IsNamed(report->cards[position], request.card)) continue;
    auto change = Plan(request, report->cards[position], position);
    if (!change) return Forward(change);
    changes.push_back(std::move(*change));
    positions.push_back(position);
  }
  if (changes.empty()) return NoSuchCard(request);
  if (request.card && changes.size() > 1) return SeveralCards(request);
  for (size_t i = 0; i < changes.size(); ++i)
    if (auto stored = Store(tenant->limits_path(), positions[i], changes[i]); !stored)
      return Forward(stored);
  if (request.compute) SpreadStaticShares(state);
  return changes;
}

}  // namespace warpshare::node
