#include "simgpu/cuda/stream/completion.h"

#include "simgpu/cuda/stream/dispatcher.h"
#include "simgpu/cuda/stream/stream_queue.h"
#include "simgpu/world/sync/clock.h"

namespace simgpu::cuda {

void Completion::Wait() {
  if (!data_moved()) {
    std::shared_ptr<StreamQueue> queue;
    {
      const std::lock_guard lock(Dispatcher::Instance().mutex());
      queue = queue_.lock();
    }
    if (queue != nullptr) queue->HelpUntil(*this);
  }
  data_moved_.wait(0, std::memory_order_acquire);  // pairs with SetDataMoved
  world::WaitUntil(time_ns());
  SetStamp(time_ns());
}

bool Completion::Reached(uint64_t now_ns) {
  if (!data_moved() || now_ns < time_ns()) return false;
  SetStamp(time_ns());
  return true;
}

void Completion::SetTime(uint64_t time_ns) {
  time_ns_.store(time_ns, std::memory_order_release);
  WakeSubscribers();
}

void Completion::SetDataMoved() {
  data_moved_.store(1, std::memory_order_release);
  data_moved_.notify_all();
  WakeSubscribers();
}

void Completion::SetStamp(uint64_t stamp_ns) {
  uint64_t unknown = kUnknown;
  stamp_ns_.compare_exchange_strong(unknown, stamp_ns, std::memory_order_relaxed);
}

uint64_t Completion::stamp_ns() {
  SetStamp(time_ns());
  return stamp_ns_.load(std::memory_order_relaxed);
}

void Completion::WakeSubscribers() {
  const std::vector<std::shared_ptr<StreamQueue>> subscribers = std::move(subscribers_);
  subscribers_.clear();
  for (const auto& queue : subscribers) Dispatcher::Instance().Ready(*queue);
}

}  // namespace simgpu::cuda
