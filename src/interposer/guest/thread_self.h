// Which thread this is, as a number: the address that libc keeps the thread's own data at. It comes
// again only when the thread is gone. No TLS slot of ours, no system call.
#pragma once

#include <cstdint>

namespace warpshare::guest {

inline constexpr uint64_t kNoThread = 0;

inline uint64_t ThreadSelf() {
  uint64_t self;
  asm("movq %%fs:0, %0" : "=r"(self));  // not volatile: the same throughout a function
  return self;
}

}  // namespace warpshare::guest
