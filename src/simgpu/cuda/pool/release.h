// Pools give memory above their release threshold back when the program synchronizes.
#pragma once

namespace simgpu::cuda {

// Called after the program synchronized a stream, event or context. One load when no pool holds
// too much.
void ReleasePoolExcess();

// Whatever the thresholds: the card's primary context has ended.
void TrimPoolsOf(int card);

// A pool holds more than its threshold: the next ReleasePoolExcess looks.
void NotePoolExcess();

}  // namespace simgpu::cuda
