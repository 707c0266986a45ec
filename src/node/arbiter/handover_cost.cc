#include "node/arbiter/handover_cost.h"

#include <algorithm>

#include "node/arbiter/timing.h"

namespace warpshare::node {

void HandoverCost::Begin(uint64_t card_free_ns, uint64_t used_ns) {
  turn_ = {.began_ns = card_free_ns, .used_ns = used_ns, .had_work = false};
}

// Until its first work is in flight it wakes up.
void HandoverCost::Watch(uint64_t in_flight_ns, bool others_want) {
  if (!turn_) return;
  const bool has_work = in_flight_ns >= kSaturatedNs;
  if (!others_want || (turn_->had_work && !has_work)) return Spoil();
  turn_->had_work = has_work;
}

// The middle one, as a thread that comes late makes one turn look dear, and work that is corrected
// late one dear and one cheap.
void HandoverCost::End(uint64_t card_free_ns, uint64_t used_ns) {
  if (!turn_ || !turn_->had_work || card_free_ns <= turn_->began_ns) return Spoil();
  const auto lasted_ns = static_cast<int64_t>(card_free_ns - turn_->began_ns);
  lost_ns_[turns_++ % kTurns] = lasted_ns - static_cast<int64_t>(used_ns - turn_->used_ns);
  turn_.reset();
  if (turns_ < kTurns) return;
  std::array<int64_t, kTurns> sorted = lost_ns_;
  std::ranges::nth_element(sorted, sorted.begin() + kTurns / 2);
  ns_ = static_cast<uint64_t>(
      std::clamp<int64_t>(sorted[kTurns / 2], 0, static_cast<int64_t>(kMostHandoverNs)));
}

}  // namespace warpshare::node
