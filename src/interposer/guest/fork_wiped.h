// State of this process alone: a fork child, whichever way it was made, finds it all zero again.
// Locks that another thread of the parent held, a session that belongs to the parent, tables of the
// parent's allocations: gone.
//
//   static constinit guest::ForkWiped<Tables> g_tables;      // Tables: zero-initialised is valid
//   Tables& tables = g_tables.Get();
//
// The kernel does it (MADV_WIPEONFORK, Linux 4.14); on older ones an atfork handler, which a raw
// clone() does not run. vfork and clone(CLONE_VM) share the memory: nothing is wiped there, as it
// is the same state.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace warpshare::guest {

inline constexpr size_t kPageBytes = 4096;

// Makes [pages, pages + bytes), whole private anonymous pages, read as zero in every fork child.
// Idempotent.
[[gnu::cold]] void WipeOnFork(void* pages, size_t bytes);

// Has `handler` called in the child of every fork() from now on; only system calls are allowed
// there. A raw clone() does not call it.
void RunInForkChild(void (*handler)());

// `bytes` (rounded up to pages) of zeroed memory from the kernel, or null. `wiped`: as WipeOnFork.
void* MapZeroed(size_t bytes, bool wiped);

template <typename T>
class alignas(kPageBytes) ForkWiped {
 public:
  // One load and a branch after the first call in a process.
  T& Get() {
    if (armed_.load(std::memory_order_relaxed) == 0) [[unlikely]] {
      WipeOnFork(this, sizeof(*this));
      armed_.store(1, std::memory_order_relaxed);
    }
    return value_;
  }
  // For what may be read as zero before anybody has written it: no check.
  T& Peek() { return value_; }

 private:
  std::atomic<uint32_t> armed_ = 0;
  T value_{};
};

}  // namespace warpshare::guest
