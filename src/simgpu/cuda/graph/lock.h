// One lock for all graphs and captures of the process. Taken by the exported functions, and by the
// capture functions that other topics call; never held while work is enqueued.
#pragma once

#include <mutex>

namespace simgpu::cuda {

class GraphLock {
 public:
  GraphLock() : lock_(Mutex()) {}

 private:
  static std::mutex& Mutex() {
    static std::mutex* const mutex = new std::mutex;
    return *mutex;
  }

  std::lock_guard<std::mutex> lock_;
};

}  // namespace simgpu::cuda
