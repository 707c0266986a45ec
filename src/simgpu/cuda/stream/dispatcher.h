// Moves the work of all streams of this process along. One mutex guards all of it; whoever changes
// something (a program's thread that enqueues, a thread whose wait ended) marks the streams that
// may be able to go on as ready and drains: most work is placed by the thread that enqueues it, and
// the dispatcher's own threads only do what must happen later. Lives as long as the process.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "simgpu/cuda/stream/card_thread.h"
#include "simgpu/cuda/stream/engine_lane.h"
#include "simgpu/cuda/stream/host_thread.h"
#include "simgpu/world/engine_kind.h"

namespace simgpu::cuda {

class StreamQueue;

class Dispatcher {
 public:
  static Dispatcher& Instance();

  std::mutex& mutex() { return mutex_; }

  // The rest is called with the mutex held.
  void Ready(StreamQueue& queue);
  void Ready(EngineLane& lane);
  void Drain();
  EngineLane& Lane(int card, world::EngineKind engine);
  CardThread& Card(int card) { return cards_[card]; }
  HostThread& Host() { return host_; }

 private:
  Dispatcher() = default;

  std::mutex mutex_;
  std::deque<std::shared_ptr<StreamQueue>> ready_queues_;
  std::deque<EngineLane*> ready_lanes_;
  std::map<std::pair<int, world::EngineKind>, EngineLane> lanes_;
  std::map<int, CardThread> cards_;
  HostThread host_;
  bool draining_ = false;
};

}  // namespace simgpu::cuda
