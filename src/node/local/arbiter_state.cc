#include "node/local/arbiter_state.h"

#include <algorithm>
#include <chrono>

#include "node/local/node_lock.h"

namespace warpshare::node {

namespace {

// Past the time until which a turn held. A machine whose processors are all busy makes an arbiter
// late by some hundred milliseconds.
constexpr std::chrono::nanoseconds kMostLate = std::chrono::seconds(2);

bool IsOverdue(const ComputeReport& compute, uint64_t now_ns) {
  if (!compute.limit || compute.valid_until_ns == 0) return false;
  return now_ns > compute.valid_until_ns &&
         now_ns - compute.valid_until_ns > static_cast<uint64_t>(kMostLate.count());
}

}  // namespace

ArbiterState ArbiterOf(const StateDir& state, const std::vector<TenantReport>& tenants,
                       platform::Clock::Time now) {
  if (!IsNodeRunning(state)) return ArbiterState::kNone;
  const auto now_ns = static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(now.time_since_epoch()).count());
  const bool hangs = std::ranges::any_of(tenants, [now_ns](const TenantReport& tenant) {
    return std::ranges::any_of(
        tenant.cards, [now_ns](const CardReport& card) { return IsOverdue(card.compute, now_ns); });
  });
  return hangs ? ArbiterState::kHangs : ArbiterState::kRuns;
}

}  // namespace warpshare::node
