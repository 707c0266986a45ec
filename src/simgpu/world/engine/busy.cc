#include "simgpu/world/engine/busy.h"

#include <algorithm>

#include "simgpu/world/engine.h"

namespace simgpu::world {
namespace {

constexpr int kNumberShift = 26;
constexpr uint64_t kNsMask = (uint64_t{1} << kNumberShift) - 1;

uint64_t Overlap(uint64_t a_start, uint64_t a_end, uint64_t b_start, uint64_t b_end) {
  const uint64_t start = std::max(a_start, b_start);
  const uint64_t end = std::min(a_end, b_end);
  return end > start ? end - start : 0;
}

}  // namespace

void StageBusy(Transaction& change, Seat& seat, const Interval& interval) {
  Run& newest = seat.runs[Get(seat.newest)];
  if (interval.start_ns == Get(newest.end_ns)) {
    change.Set(newest.end_ns, interval.end_ns);
    return;
  }
  const uint64_t next = (Get(seat.newest) + 1) % Seat::kRuns;
  Run& oldest = seat.runs[next];
  change.Add(seat.busy_ns, Get(oldest.end_ns) - Get(oldest.start_ns));
  change.Set(oldest.start_ns, interval.start_ns);
  change.Set(oldest.end_ns, interval.end_ns);
  change.Set(seat.newest, next);
}

void StageCut(Transaction& change, Seat& seat, uint64_t end_ns) {
  for (Run& run : seat.runs) {
    if (Get(run.end_ns) > end_ns) change.Set(run.end_ns, std::max(Get(run.start_ns), end_ns));
  }
}

uint64_t BusyUpTo(const Seat& seat, uint64_t now_ns) {
  uint64_t busy = Get(seat.busy_ns);
  for (const Run& run : seat.runs) busy += Overlap(Get(run.start_ns), Get(run.end_ns), 0, now_ns);
  return busy;
}

void AddToHistory(BusyHistory& history, const Interval& interval) {
  constexpr uint64_t kKept = BusyHistory::kStretchNs * BusyHistory::kStretches;
  uint64_t start = interval.start_ns;
  if (interval.end_ns > start + kKept) start = interval.end_ns - kKept;
  for (uint64_t number = start / BusyHistory::kStretchNs;
       number * BusyHistory::kStretchNs < interval.end_ns; ++number) {
    const uint64_t begin = number * BusyHistory::kStretchNs;
    const uint64_t part = Overlap(start, interval.end_ns, begin, begin + BusyHistory::kStretchNs);
    Word& stretch = history.stretches[number % BusyHistory::kStretches];
    const uint64_t old = Get(stretch);
    if (old >> kNumberShift > number) continue;  // long ago: the ring has moved on
    const uint64_t before = old >> kNumberShift == number ? old & kNsMask : 0;
    stretch.store(number << kNumberShift | (before + part), std::memory_order_relaxed);
  }
}

uint64_t BusyWithin(const BusyHistory& history, uint64_t now_ns, uint64_t window_ns) {
  const uint64_t from = now_ns > window_ns ? now_ns - window_ns : 0;
  uint64_t busy = 0;
  for (const Word& stretch : history.stretches) {
    const uint64_t word = Get(stretch);
    const uint64_t begin = (word >> kNumberShift) * BusyHistory::kStretchNs;
    const uint64_t end = begin + BusyHistory::kStretchNs;
    const uint64_t seen = Overlap(begin, end, from, now_ns);
    // In the stretch that is under way, what was given out may not have run yet.
    const uint64_t past = Overlap(begin, end, 0, now_ns);
    const uint64_t over = std::min(word & kNsMask, past);
    if (past > 0) busy += over * seen / past;
  }
  return busy;
}

}  // namespace simgpu::world
