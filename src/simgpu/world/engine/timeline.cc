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

TurnRules TurnRules::For(uint64_t slice_ns, uint64_t switch_ns) {
  return {.slice_ns = slice_ns,
          .ahead_ns = std::clamp<uint64_t>(slice_ns / 8, 10'000, 250'000),
          .keep_ns = std::clamp<uint64_t>(4 * slice_ns, 50'000'000, 500'000'000),
          .switch_ns = switch_ns};
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
    if (MayGoOn(slot, request)) return {Grant(slot, request, Turn::kSame, For::kSelf), 0};
    if (request.ready_ns > now_ns_ + rules_.ahead_ns) {
      return {std::nullopt, request.ready_ns - rules_.ahead_ns};
    }
    if (Get(state_.owner) != 0 && now_ns_ < OpensAt(slot)) {
      return StandInLine(slot, request, LookForOwnersEnd(slot));
    }
    const uint32_t next = WhoseTurn(slot, request);
    if (next == slot) return {Grant(slot, request, Turn::kNew, For::kSelf), 0};
    if (Get(seats_[next].request) != kWaiting) {
      return StandInLine(slot, request, Get(seats_[next].more_until_ns));
    }
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
  Seat& seat = seats_[slot];
  if (Get(seat.more_until_ns) == 0) return;
  Transaction change(state_.guard.journal);
  change.Set(seat.more_until_ns, 0);
  change.Commit();
  WakeFirstInLine(slot);
}

Timeline::Request Timeline::RequestOf(uint32_t slot) const {
  const Seat& seat = seats_[slot];
  return {Get(seat.duration_ns), Get(seat.ready_ns), Get(seat.more_follows) != 0};
}

Interval Timeline::IntervalFor(const Request& request, uint64_t switch_ns) const {
  const uint64_t start = std::max(request.ready_ns, Get(state_.free_ns)) + switch_ns;
  return {start, start + request.duration_ns};
}

uint64_t Timeline::SwitchTo(uint32_t slot) const {
  const uint64_t owner = Get(state_.owner);
  return owner == 0 || owner == slot + 1 ? 0 : rules_.switch_ns;
}

// The owner's next work continues its turn, unless it comes so late that another's could run
// before.
bool Timeline::MayGoOn(uint32_t slot, const Request& request) const {
  if (Get(state_.owner) != slot + 1) return false;
  if (IntervalFor(request).start_ns >= Get(state_.turn_end_ns)) return false;
  return request.ready_ns <= Get(state_.free_ns) || request.ready_ns <= EarliestReady(slot);
}

uint64_t Timeline::OpensAt(uint32_t asking_slot) const {
  const uint64_t free_ns = Get(state_.free_ns);
  if (TurnIsFull()) return Before(free_ns, rules_.ahead_ns);
  const uint64_t owner = Get(state_.owner);
  if (owner == asking_slot + 1) return 0;  // its next work is beyond the turn
  return std::max(free_ns, Get(seats_[owner - 1].more_until_ns));
}

// When to look whether the turn is open. An owner with more to run will most likely fill its turn;
// one without may get some more at any time.
uint64_t Timeline::LookForOwnersEnd(uint32_t asking_slot) const {
  uint64_t look_ns = OpensAt(asking_slot);
  if (TurnIsFull()) return look_ns;
  if (look_ns > Get(state_.free_ns)) {
    look_ns = std::min(look_ns, Before(Get(state_.turn_end_ns), rules_.ahead_ns));
  }
  return std::max(look_ns, now_ns_ + kLookAgainNs);
}

void Timeline::DropDeadOwner() {
  const uint64_t owner = Get(state_.owner);
  if (owner == 0 || is_alive_(static_cast<uint32_t>(owner - 1))) return;
  Transaction change(state_.guard.journal);
  StageOwnersDeath(change, state_, seats_[owner - 1], now_ns_);
  change.Commit();
  met_dead_ = true;
}

bool Timeline::InLine(uint32_t slot) const {
  const Seat& seat = seats_[slot];
  return Get(seat.request) == kWaiting || Get(seat.more_until_ns) > now_ns_;
}

// Round robin from `first_slot` on.
std::optional<uint32_t> Timeline::FirstInLine(uint32_t first_slot, uint32_t except_slot,
                                              uint64_t ready_by_ns) {
  const auto seats = static_cast<uint32_t>(Get(state_.seats_used));
  for (uint32_t i = 0; i < seats; ++i) {
    const uint32_t slot = (first_slot + i) % seats;
    if (slot == except_slot || !InLine(slot) || ReadyOf(slot) > ready_by_ns) continue;
    if (is_alive_(slot)) return slot;
    met_dead_ = true;
  }
  return std::nullopt;
}

// Work that was announced counts as ready.
uint64_t Timeline::ReadyOf(uint32_t slot) const {
  return Get(seats_[slot].request) == kWaiting ? Get(seats_[slot].ready_ns) : 0;
}

uint64_t Timeline::EarliestReady(uint32_t except_slot) const {
  uint64_t earliest_ns = UINT64_MAX;
  for (uint32_t slot = 0; slot < Get(state_.seats_used); ++slot) {
    if (slot == except_slot || !InLine(slot) || !is_alive_(slot)) continue;
    earliest_ns = std::min(earliest_ns, ReadyOf(slot));
  }
  return earliest_ns;
}

uint32_t Timeline::WhoseTurn(uint32_t asking_slot, const Request& request) {
  const uint64_t earliest_ns = std::min(request.ready_ns, EarliestReady(asking_slot));
  const uint64_t ready_by_ns = std::max(Get(state_.free_ns), earliest_ns);
  const auto first_slot = static_cast<uint32_t>(Get(state_.owner));
  const auto other = FirstInLine(first_slot, asking_slot, ready_by_ns);
  if (!other || (request.ready_ns <= ready_by_ns && IsBefore(asking_slot, *other))) {
    return asking_slot;
  }
  return *other;
}

// Whether `a` comes before `b` going round from the slot after the owner's.
bool Timeline::IsBefore(uint32_t a, uint32_t b) const {
  const uint64_t seats = Get(state_.seats_used);
  const uint64_t first = Get(state_.owner) % seats;
  return (a + seats - first) % seats < (b + seats - first) % seats;
}

void Timeline::WakeFirstInLine(uint32_t except_slot) {
  const auto first_slot = static_cast<uint32_t>(Get(state_.owner));
  const auto next = FirstInLine(first_slot, except_slot, UINT64_MAX);
  if (next) to_wake_.push_back(*next);
}

uint32_t Timeline::InLineBefore(uint32_t slot) const {
  const auto seats = static_cast<uint32_t>(Get(state_.seats_used));
  uint32_t count = 0;
  for (uint32_t at = static_cast<uint32_t>(Get(state_.owner)) % seats; at != slot;
       at = (at + 1) % seats) {
    if (InLine(at)) ++count;
  }
  return count;
}

Interval Timeline::Grant(uint32_t slot, const Request& request, Turn turn, For whom) {
  Seat& seat = seats_[slot];
  const Interval interval = IntervalFor(request, turn == Turn::kNew ? SwitchTo(slot) : 0);
  Transaction change(state_.guard.journal);
  change.Set(state_.free_ns, interval.end_ns);
  change.Set(seat.more_until_ns,
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
  if (turn == Turn::kNew) WakeFirstInLine(slot);  // it is another one now
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
Attempt Timeline::StandInLine(uint32_t slot, const Request& request, uint64_t look_ns) {
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
  return {std::nullopt, look_ns + InLineBefore(slot) * rules_.slice_ns};
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
  change.Set(seat.more_until_ns, 0);
  change.Set(seat.busy_ns, 0);
  for (Run& run : seat.runs) {
    change.Set(run.start_ns, 0);
    change.Set(run.end_ns, 0);
  }
  change.Commit();
  for (Word& stretch : seat.history.stretches) stretch.store(0, std::memory_order_relaxed);
}

}  // namespace simgpu::world
