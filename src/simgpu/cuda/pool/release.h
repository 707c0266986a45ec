// Pools give memory above their release threshold back when the program synchronizes.
#pragma once

namespace simgpu::cuda {

// Called after a stream, event or context was synchronized, and after a context's end. One load
// when no pool holds too much.
void ReleasePoolExcess();

// A pool holds more than its threshold: the next ReleasePoolExcess looks.
void NotePoolExcess();

}  // namespace simgpu::cuda
