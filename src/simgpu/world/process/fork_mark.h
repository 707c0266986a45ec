// Knows that this process is a fork's child of the one that set the mark, however it was forked.
#pragma once

#include <atomic>

namespace simgpu::world {

// A page that the kernel hands to children as zeroes; 1 in the process that set it. Null: never
// set.
extern std::atomic<std::atomic<int>*> fork_mark_page;

// Call once, in the process that is not a child. InForkedChild costs two loads, and is false where
// the mark was never set.
void SetForkMark();
inline bool InForkedChild() {
  const std::atomic<int>* mark = fork_mark_page.load(std::memory_order_acquire);
  return mark != nullptr && mark->load(std::memory_order_relaxed) == 0;
}

}  // namespace simgpu::world
