// Time that is shared by weight: among those that have no guarantee, among soft tenants beyond
// theirs, and among high priorities.
#pragma once

#include <array>
#include <cstdint>

#include "policy/share/standing.h"

namespace warpshare::share {

// High priorities are compared with each other only.
enum class Pool : uint8_t { kHigh, kOthers, kNeither };
inline constexpr size_t kPools = 2;

Pool PoolOf(const Terms& terms);

// By so much more GPU time.
int64_t ProgressOf(const Terms& terms, uint64_t used_ns);

// The least progress goes first; who is late counts as somewhat behind.
Standing StandingByWeight(const Candidate& candidate, Claim claim);

void ChargeProgress(const Terms& terms, Account& account, uint64_t charged_ns);

// Measures progress from that of the last one in play of each pool, so that the numbers stay small
// and a new tenant begins beside the last one. Who is idle falls behind by its burst credit at
// most. Who might run and does not, as its program is slow, is not the last one: nothing is owed to
// it.
class LastInPlay {
 public:
  void Meet(const Candidate& candidate);
  void SettleProgress(const Candidate& candidate, Account& account) const;

 private:
  static constexpr int64_t kNobody = INT64_MAX;
  std::array<int64_t, kPools> progress_ = {kNobody, kNobody};
};

}  // namespace warpshare::share
