// A thread that waits for its tenant's turn, as the arbiter and `warpshare top` see it. Announces
// itself once, and ends when it is destroyed: after its work was entered in the queue, so that the
// process never looks as if it had none.
#pragma once

#include <atomic>
#include <cstdint>

#include "interposer/session/session.h"

namespace warpshare::interposer {

// How many threads of this process wait for one card.
using Waiters = std::atomic<uint32_t>;

class TurnWait {
 public:
  TurnWait(Session& session, uint32_t card, Waiters& waiters)
      : session_(session), card_(card), waiters_(waiters) {}
  ~TurnWait();
  TurnWait(const TurnWait&) = delete;
  TurnWait& operator=(const TurnWait&) = delete;

  Session& session() { return session_; }
  uint32_t card() const { return card_; }

  void Announce(uint64_t now_ns);

  // Still here, though a turn came and went unused: an arbiter that was not answered stops to count
  // on who waits, and gives the card to others for some ten milliseconds.
  void AnnounceAgain();

 private:
  abi::CardWorkV1& page() const;

  Session& session_;
  const uint32_t card_;
  Waiters& waiters_;
  uint64_t since_ns_ = 0;  // 0: not announced
};

// Has the card's arbiter look at the tenant.
void CallArbiter(Session& session);

// Whether there is an arbiter that renews its word.
inline bool IsValid(const abi::TurnV1& turn, uint64_t now_ns) {
  return now_ns < turn.valid_until_ns.load(std::memory_order_relaxed);
}
inline bool IsGranted(uint32_t word) { return (word & 1) != 0; }
// Whether other tenants may use the card, too; may have since then.
inline bool IsShared(const abi::TurnV1& turn) {
  return turn.shared_since_ns.load(std::memory_order_relaxed) != 0;
}
inline bool WasSharedSince(const abi::TurnV1& turn, uint64_t since_ns) {
  return IsShared(turn) || turn.shared_until_ns.load(std::memory_order_relaxed) > since_ns;
}
// Whether an odd word does not count any more: its arbiter is late.
inline bool IsOver(const abi::TurnV1& turn, uint64_t now_ns) {
  return turn.ends_ns.load(std::memory_order_relaxed) - 1 < now_ns;  // 0: it has no end
}

}  // namespace warpshare::interposer
