#include "node/exporter/tenant_totals.h"

namespace warpshare::node {

namespace {

// Follows `now`, which may fall back.
void Follow(uint64_t now, uint64_t& last, uint64_t& total) {
  if (now > last) total += now - last;
  last = now;
}

}  // namespace

void TenantTotals::Look(const std::vector<TenantReport>& reports) {
  std::map<Key, Entry> now;
  for (const TenantReport& report : reports) {
    for (const CardReport& card : report.cards) {
      const Key key(report.name, card.uuid);
      const auto before = entries_.find(key);
      Entry entry = before != entries_.end() ? before->second : Entry{};
      Follow(card.compute.used_ns, entry.last.used_ns, entry.total.used_ns);
      Follow(card.compute.waited_ns, entry.last.waited_ns, entry.total.waited_ns);
      now.emplace(key, entry);
    }
  }
  entries_ = std::move(now);
}

GpuTimes TenantTotals::Of(const std::string& tenant, const GpuUuid& card) const {
  const auto at = entries_.find(Key(tenant, card));
  return at != entries_.end() ? at->second.total : GpuTimes{};
}

}  // namespace warpshare::node
