// Whom to run next on a card, for how long, and when to ask again even if nothing happens.
//
//   1  the strongest claim (snapshot.h), whoever makes it; a stronger one ends a turn early
//   2  within a claim: a guaranteed share by its deadline, weights by the least progress; then the
//      longest wait, then the lower id. So the order is total, and not that of the snapshot.
//   3  a turn that is not over goes on
//   4  while turns are shared, those that leave gaps have the card beside that one, and a turn of
//      their own only if nobody else has a claim
//
// Shares that add up to more than the card, or a high priority that takes much of it, scale the
// guarantees down in proportion; what is left to weights may then be nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "policy/share/accounts.h"
#include "policy/share/snapshot.h"
#include "policy/share/standing.h"

namespace warpshare::share {

struct Decision {
  std::optional<Turn> turn;  // the snapshot's own: go on as before; none: the card stays idle
  uint64_t look_again_ns = kNever;  // of the snapshot's clock
  // Who may use the card beside that one, while turns are shared (shared_turns.h).
  std::vector<Turn> beside = {};

  bool operator==(const Decision&) const = default;
};

// `accounts` were advanced to this snapshot. O(n log n); allocates nothing but what is `beside`.
Decision Decide(const Snapshot& snapshot, const Accounts& accounts);

}  // namespace warpshare::share
