// The one clock of the simulated machine: CLOCK_MONOTONIC in nanoseconds, the same in all processes
// of the host.
#pragma once

#include <cstdint>

namespace simgpu::world {

uint64_t NowNs();

// Returns at `when_ns`, hardly later: sleeps, then spins over the last microseconds.
void WaitUntil(uint64_t when_ns);

// Makes this thread's sleeps end on time (the kernel may otherwise be 50 us late). For threads of
// the simulator's own.
void SleepPreciselyInThisThread();

}  // namespace simgpu::world
