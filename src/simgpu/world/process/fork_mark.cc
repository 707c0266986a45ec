#include "simgpu/world/process/fork_mark.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>

namespace simgpu::world {

constinit std::atomic<std::atomic<int>*> fork_mark_page{nullptr};

namespace {

std::atomic<int> mark_without_page{0};
pthread_once_t set_once = PTHREAD_ONCE_INIT;

void MarkChild() { mark_without_page.store(0, std::memory_order_relaxed); }

void Set() {
  const auto bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  void* page = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  std::atomic<int>* mark = &mark_without_page;
  if (page != MAP_FAILED && madvise(page, bytes, MADV_WIPEONFORK) == 0) {
    mark = static_cast<std::atomic<int>*>(page);
  } else {
    // Kernels before 4.14: a child made by clone() itself is not noticed.
    pthread_atfork(nullptr, nullptr, MarkChild);
  }
  mark->store(1, std::memory_order_relaxed);
  fork_mark_page.store(mark, std::memory_order_release);
}

}  // namespace

void SetForkMark() { pthread_once(&set_once, Set); }

}  // namespace simgpu::world
