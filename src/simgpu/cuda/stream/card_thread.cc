#include "simgpu/cuda/stream/card_thread.h"

#include <algorithm>
#include <chrono>

#include "simgpu/cuda/stream/dispatcher.h"
#include "simgpu/cuda/stream/stream_queue.h"
#include "simgpu/cuda/stream/thread.h"
#include "simgpu/world/sync/clock.h"

namespace simgpu::cuda {
namespace {

// A wait without an end would overflow the clock.
constexpr uint64_t kLongestSleepNs = 3'600'000'000'000;

}  // namespace

void CardThread::Watch(const std::shared_ptr<StreamQueue>& queue) {
  if (!queue->watched) {
    queue->watched = true;
    watched_.push_back(queue);
  }
  if (!started_) {
    started_ = StartThread("simgpu-card", [this] { Run(); });
  } else if (queue->NextTime() < sleeps_until_ns_) {
    woken_.notify_one();
  }
}

void CardThread::Run() {
  std::unique_lock lock(Dispatcher::Instance().mutex());
  while (true) {
    if (Turn(lock)) continue;
    const uint64_t now_ns = world::NowNs();
    sleeps_until_ns_ = NextTime();
    if (sleeps_until_ns_ > now_ns) {
      const uint64_t sleep_ns = std::min(sleeps_until_ns_ - now_ns, kLongestSleepNs);
      woken_.wait_for(lock, std::chrono::nanoseconds(sleep_ns));
    }
    sleeps_until_ns_ = 0;
  }
}

bool CardThread::Turn(std::unique_lock<std::mutex>& lock) {
  const uint64_t now_ns = world::NowNs();
  bool progress = false;
  for (size_t i = 0; i < watched_.size(); ++i) {
    const std::shared_ptr<StreamQueue> queue = watched_[i];
    if (queue->helped() || queue->NextTime() > now_ns) continue;
    Dispatcher::Instance().Ready(*queue);
    progress = true;
    if (!queue->RunDueEffect(lock)) continue;
    std::erase(watched_, queue);  // the list may have changed; others come first the next time
    watched_.push_back(queue);
    break;
  }
  Dispatcher::Instance().Drain();
  std::erase_if(watched_, [](const std::shared_ptr<StreamQueue>& queue) {
    queue->watched = queue->NextTime() != UINT64_MAX;
    return !queue->watched;
  });
  return progress;
}

uint64_t CardThread::NextTime() const {
  uint64_t next_ns = UINT64_MAX;
  for (const std::shared_ptr<StreamQueue>& queue : watched_) {
    if (!queue->helped()) next_ns = std::min(next_ns, queue->NextTime());
  }
  return next_ns;
}

}  // namespace simgpu::cuda
