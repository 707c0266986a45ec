// Engine time that was given out: to the nanosecond per process, and in stretches of 50 ms for
// utilization. Intervals may lie in the future; "up to now" leaves that part out.
#pragma once

#include <cstdint>

#include "simgpu/world/layout/shared_state.h"

namespace simgpu::world {

struct Interval;

// Adds to a seat's runs an interval that does not start before those it has.
void StageBusy(Transaction& change, Seat& seat, const Interval& interval);
// Takes back what lies after `end_ns`: the process died before it ran.
void StageCut(Transaction& change, Seat& seat, uint64_t end_ns);

uint64_t BusyUpTo(const Seat& seat, uint64_t now_ns);

void AddToHistory(BusyHistory& history, const Interval& interval);
// Busy time within [now - window, now]; a stretch that the window cuts counts by proportion.
uint64_t BusyWithin(const BusyHistory& history, uint64_t now_ns, uint64_t window_ns);

}  // namespace simgpu::world
