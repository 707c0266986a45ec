#include "simgpu/world/engine/timeline.h"

#include <algorithm>

#include "simgpu/world/engine/busy.h"

namespace simgpu::world {
namespace {

// Those who wait for an owner that may go idle at any time look again this often at most.
constexpr uint64_t kLookAgainNs = 20'000;

uint64_t Before(uint64_t when_ns, uint64_t lead_ns) {
  return when_ns > lead_ns ? when_ns - lead_ns : 0;
}

// The end of a turn whose owner died: work that had not run by now never will.
void StageOwnersDeath(Transaction& change, EngineState& state, Seat& owner, uint64_t now_ns) {
  const uint64_t cut_ns = std::max(now_ns, Get(state.turn_start_ns));
  change.Set(state.owner, 0);
  if (Get(state.free_ns) > cut_ns) change.Set(state.free_ns, cut_ns);
  StageCut(change, owner, cut_ns);
}

}  // namespace

TurnRules TurnRules::For(uint64_t slice_ns) {
  return {.slice_ns = slice_ns,
          .ahead_ns = std::clamp<uint64_t>(slice_ns / 8, 10'000, 250'000),
          .keep_ns = std::max<uint64_t>(2 * slice_ns, 4'000'000)};
}

Attempt Timeline::Try(uint32_t slot, const Work& work) {
  Seat& seat = seats_[slot];
  if (Get(state_.seats_used) <= slot) {
    state_.seats_used.store(slot + 1, std::memory_order_relaxed);
  }
  if (Get(seat.request) == kGranted) return Collect(slot);
  const Request request{work.duration_ns, work.ready_ns, work.more_follows};
  DropDeadOwner();
  while (true) {
    const bool owner = Get(state_.owner) == slot + 1;
    if (owner && FitsInTurn(request)) return {Grant(slot, request, Turn::kSame, For::kSelf), 0};
    if (request.ready_ns > now_ns_ + rules_.ahead_ns) {
      return {std::nullopt, request.ready_ns - rules_.ahead_ns};
    }
    if (Get(state_.owner) != 0 && now_ns_ < OpensAt(slot)) {
      return StandInLine(slot, request);
    }
    const uint32_t next = *NextWaiting(static_cast<uint32_t>(Get(state_.owner)), slot);
    if (next == slot) return {Grant(slot, request, Turn::kNew, For::kSelf), 0};
    Grant(next, RequestOf(next), Turn::kNew, For::kOther);
    to_wake_.push_back(next);
  }
}

void Timeline::Withdraw(uint32_t slot) {
  Transaction change(state_.guard.journal);
  change.Set(seats_[slot].request, kNone);
  change.Commit();
}

void Timeline::Idle(uint32_t slot) {
  if (Get(state_.owner) != slot + 1 || Get(state_.kept_until_ns) == 0) return;
  Transaction change(state_.guard.journal);
  change.Set(state_.kept_until_ns, 0);
  change.Commit();
  const auto next = NextWaiting(slot + 1, slot);
  if (next && *next != slot) to_wake_.push_back(*next);
}

Timeline::Request Timeline::RequestOf(uint32_t slot) const {
  const Seat& seat = seats_[slot];
  return {Get(seat.duration_ns), Get(seat.ready_ns), Get(seat.more_follows) != 0};
}

Interval Timeline::IntervalFor(const Request& request) const {
  const uint64_t start = std::max(request.ready_ns, Get(state_.free_ns));
  return {start, start + request.duration_ns};
}

bool Timeline::FitsInTurn(const Request& request) const {
  return IntervalFor(request).start_ns < Get(state_.turn_end_ns);
}

uint64_t Timeline::OpensAt(uint32_t asking_slot) const {
  const uint64_t free_ns = Get(state_.free_ns);
  if (TurnIsFull()) return Before(free_ns, rules_.ahead_ns);
  if (Get(state_.owner) == asking_slot + 1) return 0;  // its next work is beyond the turn
  return std::max(free_ns, Get(state_.kept_until_ns));
}

void Timeline::DropDeadOwner() {
  const uint64_t owner = Get(state_.owner);
  if (owner == 0 || is_alive_(static_cast<uint32_t>(owner - 1))) return;
  Transaction change(state_.guard.journal);
  StageOwnersDeath(change, state_, seats_[owner - 1], now_ns_);
  change.Commit();
  met_dead_ = true;
}

// Round robin from the slot with number `after_slot` (that is, after the owner, whose word is its
// slot + 1). The asking process counts as waiting, so there is always one.
std::optional<uint32_t> Timeline::NextWaiting(uint32_t after_slot, uint32_t asking_slot) {
  const auto seats = static_cast<uint32_t>(Get(state_.seats_used));
  for (uint32_t i = 0; i < seats; ++i) {
    const uint32_t slot = (after_slot + i) % seats;
    if (slot == asking_slot) return slot;
    if (Get(seats_[slot].request) != kWaiting) continue;
    if (is_alive_(slot)) return slot;
    met_dead_ = true;
  }
  return std::nullopt;
}

uint32_t Timeline::WaitingBefore(uint32_t slot) {
  const auto seats = static_cast<uint32_t>(Get(state_.seats_used));
  uint32_t count = 0;
  for (uint64_t at = Get(state_.owner) % seats; at != slot; at = (at + 1) % seats) {
    if (Get(seats_[at].request) == kWaiting) ++count;
  }
  return count;
}

Interval Timeline::Grant(uint32_t slot, const Request& request, Turn turn, For whom) {
  Seat& seat = seats_[slot];
  const Interval interval = IntervalFor(request);
  Transaction change(state_.guard.journal);
  change.Set(state_.free_ns, interval.end_ns);
  change.Set(state_.kept_until_ns,
             request.more_follows ? std::max(now_ns_, interval.end_ns) + rules_.keep_ns : 0);
  if (turn == Turn::kNew) {
    change.Set(state_.owner, slot + 1);
    change.Set(state_.turn_start_ns, interval.start_ns);
    change.Set(state_.turn_end_ns, interval.start_ns + rules_.slice_ns);
  }
  if (whom == For::kOther) {
    change.Set(seat.request, kGranted);
    change.Set(seat.granted_start_ns, interval.start_ns);
    change.Set(seat.granted_end_ns, interval.end_ns);
  } else {
    change.Set(seat.request, kNone);
  }
  StageBusy(change, seat, interval);
  change.Commit();
  AddToHistory(seat.history, interval);
  AddToHistory(state_.history, interval);
  if (turn == Turn::kNew) {
    const auto next = NextWaiting(slot + 1, slot);
    if (next && *next != slot) to_wake_.push_back(*next);  // it is first in line now
  }
  return interval;
}

Attempt Timeline::Collect(uint32_t slot) {
  Seat& seat = seats_[slot];
  const Interval interval{Get(seat.granted_start_ns), Get(seat.granted_end_ns)};
  Withdraw(slot);
  return {interval, 0};
}

// The first in line looks when the turn may open, the others a slice later each; they are woken
// when that changes.
Attempt Timeline::StandInLine(uint32_t slot, const Request& request) {
  Seat& seat = seats_[slot];
  if (Get(seat.request) != kWaiting || Get(seat.ready_ns) != request.ready_ns ||
      Get(seat.duration_ns) != request.duration_ns) {
    Transaction change(state_.guard.journal);
    change.Set(seat.request, kWaiting);
    change.Set(seat.duration_ns, request.duration_ns);
    change.Set(seat.ready_ns, request.ready_ns);
    change.Set(seat.more_follows, request.more_follows ? 1 : 0);
    change.Commit();
  }
  uint64_t look_ns = OpensAt(slot);
  if (!TurnIsFull()) {
    // An owner with more to run will most likely fill its turn; one without says when it adds some.
    if (Get(state_.kept_until_ns) > now_ns_) {
      look_ns = std::min(look_ns, Before(Get(state_.turn_end_ns), rules_.ahead_ns));
    }
    look_ns = std::max(look_ns, now_ns_ + kLookAgainNs);
  }
  return {std::nullopt, look_ns + WaitingBefore(slot) * rules_.slice_ns};
}

void RetireSeat(const SharedMap& map, int card, EngineKind kind, uint32_t slot) {
  EngineState& state = map.engine(card, kind);
  const Section section(state.guard);
  if (slot >= Get(state.seats_used)) return;
  Seat& seat = map.seats(card, kind)[slot];
  const uint64_t now_ns = NowNs();
  if (Get(state.owner) == slot + 1) {
    Transaction death(state.guard.journal);
    StageOwnersDeath(death, state, seat, now_ns);
    death.Commit();
  }
  Transaction change(state.guard.journal);
  change.Add(state.retired_ns, BusyUpTo(seat, UINT64_MAX));
  change.Set(seat.request, kNone);
  change.Set(seat.busy_ns, 0);
  for (Run& run : seat.runs) {
    change.Set(run.start_ns, 0);
    change.Set(run.end_ns, 0);
  }
  change.Commit();
  for (Word& stretch : seat.history.stretches) stretch.store(0, std::memory_order_relaxed);
}

}  // namespace simgpu::world
