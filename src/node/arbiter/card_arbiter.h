// One card's arbiter: sees what its tenants want, asks policy/share who runs, and says so on the
// limits pages.
//
// At any time at most one tenant that is held back at all has an odd word, unless the policy shares
// turns among those that leave the card idle between their kernels. It keeps it when it has
// no work, as long as nobody else has, so that going on costs it nothing; a tenant with a cap keeps
// it for kCappedRestNs. Another's word becomes odd only when what the one before had in flight is
// about to be done, or was waited for in vain (timing.h). So tenants overlap on the card only
//   - by kHandoverNs, so that the card is not idle until the next one is awake;
//   - when work in flight takes longer than its process says, or than it is waited for;
//   - by the one call that read an odd word and has not said yet that it has work in flight.
//
// No locks, no clock: whoever calls brings both (card_loop.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "node/arbiter/call_limit.h"
#include "node/arbiter/drain.h"
#include "node/arbiter/handover_cost.h"
#include "node/arbiter/tenant_work.h"
#include "node/arbiter/turn_word.h"
#include "platform/futex/futex.h"
#include "policy/share/decide.h"

namespace warpshare::node {

class CardArbiter {
 public:
  explicit CardArbiter(platform::Futex& futex) : futex_(futex) {}
  ~CardArbiter();  // removes all tenants
  CardArbiter(const CardArbiter&) = delete;
  CardArbiter& operator=(const CardArbiter&) = delete;

  // From the next step on. The id is never used again for another tenant.
  void Add(share::TenantId id, const TenantPages& pages);

  // Its pages are not touched after this. Its processes go over to their static share at once; if
  // it had the card, the next step gives it to somebody else.
  void Remove(share::TenantId id);

  // When to step again, if nobody calls for attention before; `now_ns` (CLOCK_MONOTONIC) never goes
  // back.
  uint64_t Step(uint64_t now_ns);

  // What to sleep on until then.
  void AppendCalls(std::vector<platform::FutexWait>& waits) const;

  // Learned: what the card loses when it goes from one tenant to another; 0: not known yet.
  uint64_t handover_ns() const { return handover_.ns(); }

  // What is wrong with the pages of whom, as of the last step.
  struct Problem {
    share::TenantId tenant;
    std::string text;
  };
  std::vector<Problem> Problems() const;
  bool HasProblems() const;

 private:
  struct Seat {
    TenantPages pages;
    TenantWork work;
    CallLimit calls;
    bool is_distrusted = false;              // its work in flight was waited for in vain
    uint64_t runs_since_ns = share::kNever;  // its word is odd, as it has a turn; kNever: it is not

    share::TenantId id() const { return work.tenant().id; }
    bool IsInFlight(uint64_t now_ns) const { return work.surely_until_ns() > now_ns; }
  };

  Seat* Find(share::TenantId id);
  TurnWord WordOf(const Seat& seat) const;
  void LookAtAll(uint64_t now_ns);
  void LookBehind(uint64_t now_ns);
  void CountGranted(uint64_t now_ns);
  bool IsDraining(uint64_t now_ns);
  uint64_t DrainLook();
  uint64_t AllInFlightNs(uint64_t now_ns) const;
  void NoteCardFree(const Seat& seat, uint64_t now_ns);
  uint64_t Arbitrate(uint64_t now_ns);
  void BeginRun(std::optional<share::TenantId> next, uint64_t now_ns);
  bool HasTurn(const Seat& seat) const;
  bool EndSharing(uint64_t now_ns);
  bool OthersWant(const Seat& runner) const;
  void FillSnapshot();
  bool WorksAlone(const Seat& seat) const;
  std::optional<share::TenantId> NextRunner(const share::Decision& decision, uint64_t now_ns);
  bool Withdraw(uint64_t now_ns);
  uint64_t WatchHolder(uint64_t now_ns);
  uint64_t SoonerForSome(uint64_t next_ns, uint64_t now_ns) const;
  void WriteTurns(uint64_t now_ns, uint64_t look_ns);
  uint32_t MostAheadUs(const Seat& seat, bool has_high) const;

  platform::Futex& futex_;
  std::vector<Seat> seats_;
  std::vector<share::Tenant> tenants_;  // of the snapshot: those that are held back
  share::Accounts accounts_;
  std::optional<share::Turn> turn_;
  std::vector<share::Turn> beside_;        // of the others with an odd word
  bool is_shared_ = false;                 // there may be such
  std::optional<share::TenantId> runner_;  // the one with the odd word
  uint64_t runner_since_ns_ = 0;           // that one, or none
  std::optional<share::TenantId> last_;    // that ran, or runs
  std::optional<share::TenantId> former_;  // the one before
  bool former_is_late_ = false;            // with what it left
  bool is_card_its_own_ = false;           // the runner's, who also had it before
  std::optional<Drain> drain_;
  uint64_t card_free_ns_ = 0;  // when what the one before had in flight should be done
  HandoverCost handover_;
  uint64_t stepped_ns_ = 0;
};

}  // namespace warpshare::node
