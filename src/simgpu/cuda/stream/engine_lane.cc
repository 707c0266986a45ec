#include "simgpu/cuda/stream/engine_lane.h"

#include <algorithm>
#include <mutex>

#include "simgpu/cuda/stream/dispatcher.h"
#include "simgpu/cuda/stream/stream_queue.h"
#include "simgpu/cuda/stream/thread.h"
#include "simgpu/world/sync/clock.h"
#include "simgpu/world/world.h"

namespace simgpu::cuda {
namespace {

world::Engine& Engines() { return world::World::Instance().engine(); }

}  // namespace

void EngineLane::Add(std::shared_ptr<StreamQueue> queue) {
  // A request that the card has refused stands and keeps the front.
  auto place = waiting_.begin() + (stands_ ? 1 : 0);
  while (place != waiting_.end() && (*place)->priority() <= queue->priority()) ++place;
  waiting_.insert(place, std::move(queue));
  if (!stands_ || world::NowNs() >= retry_ns_) Dispatcher::Instance().Ready(*this);
}

void EngineLane::Pump() {
  if (waiting_.empty()) return;
  const std::shared_ptr<StreamQueue> queue = waiting_.front();
  if (!stands_) {
    standing_ = queue->NextWork();
    standing_.more_follows = waiting_.size() > 1 || queue->HasMoreFor(engine_);
  }
  const world::Attempt attempt = Engines().Try(standing_);
  if (!attempt.interval) {
    StartWaiting(attempt.retry_ns);
    return;
  }
  stands_ = false;
  promised_more_ = standing_.more_follows;
  tail_ns_ = attempt.interval->end_ns;
  waiting_.pop_front();
  if (!waiting_.empty()) Dispatcher::Instance().Ready(*this);
  queue->Place(*attempt.interval);
}

void EngineLane::Rest() {
  if (!promised_more_ || !waiting_.empty()) return;
  promised_more_ = false;
  Engines().Idle(card_, engine_);
}

void EngineLane::StartWaiting(uint64_t retry_ns) {
  stands_ = true;
  retry_ns_ = retry_ns;
  if (has_thread_) {
    refused_.notify_one();
  } else {
    has_thread_ = StartThread("simgpu-engine", [this] { WaitForTurns(); });
  }
}

void EngineLane::WaitForTurns() {
  Dispatcher& dispatcher = Dispatcher::Instance();
  std::unique_lock lock(dispatcher.mutex());
  while (true) {
    refused_.wait(lock, [this] { return stands_; });
    const uint64_t retry_ns = retry_ns_;
    lock.unlock();
    Engines().WaitTurn(card_, engine_, retry_ns);
    lock.lock();
    dispatcher.Ready(*this);
    dispatcher.Drain();
  }
}

}  // namespace simgpu::cuda
