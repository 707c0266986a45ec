// Knows that this process is a fork's child of the one that set the mark, however it was forked.
#pragma once

namespace simgpu::world {

// Call once, in the process that is not a child. InForkedChild costs a load, and is false where the
// mark was never set.
void SetForkMark();
bool InForkedChild();

}  // namespace simgpu::world
