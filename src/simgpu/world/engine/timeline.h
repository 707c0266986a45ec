// The rules of one engine: whose turn it is, and where work goes on the timeline. Works on shared
// state and a time given by the caller; all functions but RetireSeat are called under the engine's
// lock. No waiting here, and no clock.
//
// A turn belongs to its owner until
//   - its work reaches the turn's end ("full"): the next turn opens a little (`ahead_ns`) before
//     that work ends, so that the next owner is ready in time;
//   - or its work is done before, and it announced no more: the next turn opens when that work
//     ends;
//   - or it dies; its successor does not pay for the switch.
// An open turn goes round robin to the next process in line (one that waits, or one that announced
// more work) whose work is ready; the engine is never idle while anybody's is, but for
// `switch_ns` before a new owner's first work. Whoever finds the
// turn open gives it away, on behalf of a process that waits. For one that announced more but is
// not there yet, starved of CPU, all wait (`keep_ns` at most, as it may be stopped). The time is
// not lost: work is placed where it would have run.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "simgpu/world/engine.h"
#include "simgpu/world/layout/layout.h"

namespace simgpu::world {

struct TurnRules {
  uint64_t slice_ns = 0;
  uint64_t ahead_ns = 0;
  uint64_t keep_ns = 0;
  uint64_t switch_ns = 0;  // the engine is idle for so long before another process's first work
  static TurnRules For(uint64_t slice_ns, uint64_t switch_ns = 0);
};

class Timeline {
 public:
  using IsAliveFn = std::function<bool(uint32_t slot)>;
  struct Site {
    EngineState& state;
    Seat* seats;
    TurnRules rules;
  };
  Timeline(const Site& site, const IsAliveFn& is_alive, uint64_t now_ns)
      : state_(site.state),
        seats_(site.seats),
        rules_(site.rules),
        is_alive_(is_alive),
        now_ns_(now_ns) {}

  Attempt Try(uint32_t slot, const Work& work);
  void Withdraw(uint32_t slot);
  void Idle(uint32_t slot);

  // To be posted once the lock is released: seats whose request was answered, or that are next now.
  const std::vector<uint32_t>& to_wake() const { return to_wake_; }
  bool met_dead() const { return met_dead_; }  // a reap is due

 private:
  struct Request {
    uint64_t duration_ns = 0;
    uint64_t ready_ns = 0;
    bool more_follows = false;
  };
  Request RequestOf(uint32_t slot) const;
  Interval IntervalFor(const Request& request, uint64_t switch_ns = 0) const;
  uint64_t SwitchTo(uint32_t slot) const;
  bool TurnIsFull() const { return Get(state_.free_ns) >= Get(state_.turn_end_ns); }
  bool MayGoOn(uint32_t slot, const Request& request) const;
  uint64_t OpensAt(uint32_t asking_slot) const;
  uint64_t LookForOwnersEnd(uint32_t asking_slot) const;

  void DropDeadOwner();
  bool InLine(uint32_t slot) const;
  std::optional<uint32_t> FirstInLine(uint32_t first_slot, uint32_t except_slot,
                                      uint64_t ready_by_ns);
  uint64_t EarliestReady(uint32_t except_slot) const;
  uint32_t WhoseTurn(uint32_t asking_slot, const Request& request);
  uint64_t ReadyOf(uint32_t slot) const;
  bool IsBefore(uint32_t a, uint32_t b) const;
  uint32_t InLineBefore(uint32_t slot) const;
  void WakeFirstInLine(uint32_t except_slot);

  enum class Turn { kSame, kNew };
  enum class For { kSelf, kOther };  // another's interval is left at its seat for it to collect
  Interval Grant(uint32_t slot, const Request& request, Turn turn, For whom);
  Attempt Collect(uint32_t slot);
  Attempt StandInLine(uint32_t slot, const Request& request, uint64_t look_ns);

  EngineState& state_;
  Seat* const seats_;
  const TurnRules rules_;
  const IsAliveFn& is_alive_;
  const uint64_t now_ns_;
  std::vector<uint32_t> to_wake_;

  bool met_dead_ = false;
};

// Ends what a dead process has at an engine: its turn, its future work, its request. Its past work
// stays counted.
void RetireSeat(const SharedMap& map, int card, EngineKind kind, uint32_t slot);

}  // namespace simgpu::world
