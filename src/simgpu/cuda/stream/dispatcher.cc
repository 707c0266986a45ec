#include "simgpu/cuda/stream/dispatcher.h"

#include "simgpu/cuda/stream/stream_queue.h"

namespace simgpu::cuda {

Dispatcher& Dispatcher::Instance() {
  static Dispatcher* const dispatcher = new Dispatcher;
  return *dispatcher;
}

void Dispatcher::Ready(StreamQueue& queue) {
  if (queue.queued_for_advance) return;
  queue.queued_for_advance = true;
  ready_queues_.push_back(queue.shared_from_this());
}

void Dispatcher::Ready(EngineLane& lane) { ready_lanes_.push_back(&lane); }

// Not reentrant: what becomes ready meanwhile joins the lists, so that a long chain of streams
// waiting for each other needs no deep stack.
void Dispatcher::Drain() {
  if (draining_) return;
  draining_ = true;
  while (!ready_queues_.empty() || !ready_lanes_.empty()) {
    if (!ready_queues_.empty()) {
      const std::shared_ptr<StreamQueue> queue = std::move(ready_queues_.front());
      ready_queues_.pop_front();
      queue->queued_for_advance = false;
      queue->Advance();
    } else {
      EngineLane* const lane = ready_lanes_.front();
      ready_lanes_.pop_front();
      lane->Pump();
    }
  }
  for (auto& [key, lane] : lanes_) lane.Rest();
  draining_ = false;
}

EngineLane& Dispatcher::Lane(int card, world::EngineKind engine) {
  return lanes_.try_emplace({card, engine}, card, engine).first->second;
}

}  // namespace simgpu::cuda
