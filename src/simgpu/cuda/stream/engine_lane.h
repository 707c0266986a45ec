// The streams of this process that wait for a place on one engine of one card, most urgent first
// and in order of arrival. A stream has one piece of work here at a time. Guarded by the
// dispatcher's mutex.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>

#include "simgpu/world/engine.h"

namespace simgpu::cuda {

class StreamQueue;

class EngineLane {
 public:
  EngineLane(int card, world::EngineKind engine) : card_(card), engine_(engine) {}

  void Add(std::shared_ptr<StreamQueue> queue);

  // Places work while the card takes it. When it does not (another process has its turn, or the
  // timeline is far enough ahead), a thread of the lane waits and tries again.
  void Pump();

  // Called when nothing of this process can go on: tells the card that no work follows.
  void Rest();

  // End of the last piece placed.
  uint64_t tail_ns() const { return tail_ns_; }

 private:
  void StartWaiting(uint64_t retry_ns);
  void WaitForTurns();

  const int card_;
  const world::EngineKind engine_;
  std::deque<std::shared_ptr<StreamQueue>> waiting_;
  world::Work standing_;  // the request the card has refused so far
  bool stands_ = false;
  uint64_t retry_ns_ = 0;
  uint64_t tail_ns_ = 0;
  bool promised_more_ = false;
  bool has_thread_ = false;
  std::condition_variable refused_;
};

}  // namespace simgpu::cuda
