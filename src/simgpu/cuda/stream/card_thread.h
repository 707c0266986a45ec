// The thread that moves the data of one card's streams, and wakes streams whose time has come. Made
// when first needed. Guarded by the dispatcher's mutex.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace simgpu::cuda {

class StreamQueue;

class CardThread {
 public:
  // The queue needs a thread at queue->NextTime().
  void Watch(const std::shared_ptr<StreamQueue>& queue);

 private:
  void Run();
  // Does what is due; true when it did something.
  bool Turn(std::unique_lock<std::mutex>& lock);
  uint64_t NextTime() const;

  std::vector<std::shared_ptr<StreamQueue>> watched_;
  std::condition_variable woken_;
  uint64_t sleeps_until_ns_ = 0;  // 0 while it is awake
  bool started_ = false;
};

}  // namespace simgpu::cuda
