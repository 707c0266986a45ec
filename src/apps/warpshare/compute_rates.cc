#include "apps/warpshare/compute_rates.h"

#include <algorithm>

namespace warpshare::app {

namespace {

using node::CardReport;
using node::ProcessReport;
using node::TenantReport;
using node::WaitCounts;
using std::chrono::nanoseconds;

// What only grows, unless it began again.
uint64_t Growth(uint64_t before, uint64_t after) { return after < before ? after : after - before; }

uint32_t Permille(uint64_t part_ns, nanoseconds whole) {
  const auto permille =
      static_cast<unsigned __int128>(part_ns) * 1000 / static_cast<uint64_t>(whole.count());
  return static_cast<uint32_t>(std::min<unsigned __int128>(permille, ComputeRates::kMostPermille));
}

// Zero for a process that is not there.
uint64_t GpuNs(const TenantReport& tenant, const node::ProcessIdentity& process, size_t card) {
  const auto found = std::ranges::find(tenant.processes, process, &ProcessReport::identity);
  return found != tenant.processes.end() && card < found->gpu_ns.size() ? found->gpu_ns[card] : 0;
}

uint64_t UsedNs(const TenantReport& before, size_t card_before, const TenantReport& after,
                size_t card) {
  uint64_t sum = 0;
  for (const ProcessReport& process : after.processes) {
    const uint64_t now = GpuNs(after, process.identity, card);
    const uint64_t used = Growth(GpuNs(before, process.identity, card_before), now);
    sum = std::max(sum, sum + used);  // where it overflows, it was nonsense
  }
  return sum;
}

WaitCounts Difference(const WaitCounts& before, const WaitCounts& after) {
  WaitCounts difference{};
  for (size_t bucket = 0; bucket < after.size(); ++bucket)
    difference[bucket] = after[bucket] - before[bucket];  // counters that wrap
  return difference;
}

}  // namespace

std::optional<ComputeRates> RatesOf(const Observation& before, const Observation& after,
                                    const TenantReport& tenant, size_t card) {
  const auto earlier = std::ranges::find(before.tenants, tenant.name, &TenantReport::name);
  if (earlier == before.tenants.end() || after.at <= before.at) return std::nullopt;
  const CardReport& now = tenant.cards.at(card);
  const auto then = std::ranges::find(earlier->cards, now.uuid, &CardReport::uuid);
  if (then == earlier->cards.end()) return std::nullopt;
  const auto card_before = static_cast<size_t>(then - earlier->cards.begin());
  const nanoseconds interval = after.at - before.at;
  const uint64_t granted = Growth(then->compute.granted_ns, now.compute.granted_ns);
  return ComputeRates{
      .interval = interval,
      .used_permille = Permille(UsedNs(*earlier, card_before, tenant, card), interval),
      .granted_permille = Permille(granted, interval),
      .waits = Difference(then->compute.waits, now.compute.waits)};
}

std::optional<std::chrono::microseconds> WaitPercentile(const WaitCounts& waits, uint32_t percent) {
  uint64_t all = 0;
  for (const uint32_t count : waits) all += count;
  if (all == 0) return std::nullopt;
  const uint64_t rank = (all * percent + 99) / 100;
  size_t bucket = 0;
  for (uint64_t seen = waits[0]; seen < rank; seen += waits[bucket]) ++bucket;
  return std::chrono::microseconds(uint64_t{2} << bucket);
}

}  // namespace warpshare::app
