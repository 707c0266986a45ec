#include "interposer/guest/fork_wiped.h"

#include <sys/mman.h>

#include "interposer/guest/kernel.h"

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

// glibc's registration behind pthread_atfork, in libc.so.6 since 2.3.2; pthread_atfork itself moved
// between libraries.
extern "C" int __register_atfork(void (*prepare)(), void (*parent)(), void (*child)(),
                                 void* dso_handle);

namespace warpshare::guest {

namespace {

// What the kernel would not wipe. Not wiped itself: the child reads it.
constexpr size_t kMaxRanges = 16;
struct Range {
  std::atomic<void*> pages;
  std::atomic<size_t> bytes;
};
constinit Range g_unwiped[kMaxRanges] = {};
constinit std::atomic<bool> g_registered = false;

void ZeroInChild() {
  for (Range& range : g_unwiped) {
    char* pages = static_cast<char*>(range.pages.load());
    const size_t bytes = range.bytes.load();
    for (size_t i = 0; pages != nullptr && i < bytes; ++i) pages[i] = 0;
  }
}

void ZeroByHandler(void* pages, size_t bytes) {
  for (Range& range : g_unwiped) {
    void* free = nullptr;
    if (!range.pages.compare_exchange_strong(free, pages) && free != pages) continue;
    range.bytes.store(bytes);
    break;
  }
  if (!g_registered.exchange(true)) RunInForkChild(ZeroInChild);
}

}  // namespace

void WipeOnFork(void* pages, size_t bytes) {
  if (Advise(pages, bytes, MADV_WIPEONFORK) < 0) ZeroByHandler(pages, bytes);
}

void RunInForkChild(void (*handler)()) {
  __register_atfork(nullptr, nullptr, handler, nullptr);  // of no library that could be closed
}

void* MapZeroed(size_t bytes, bool wiped) {
  const size_t whole = (bytes + kPageBytes - 1) & ~(kPageBytes - 1);
  void* pages = Map(whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages != nullptr && wiped) WipeOnFork(pages, whole);
  return pages;
}

}  // namespace warpshare::guest
