// A set of cards whose faults a program waits for. Sets are found by their handle, so that a wrong
// or freed one is an error, and live until the last call that uses them has returned.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "simgpu/nvml/session/session.h"

namespace simgpu::nvml {

class EventSet {
 public:
  // From now on `card` is watched. A card's events before that are not told.
  void Watch(const Card& card);

  // The oldest event of a watched card that no one was told yet, now or until `until_ns` of
  // CLOCK_MONOTONIC. Null: none came, or the set was closed. Each event is told once.
  std::optional<world::XidEvent> Wait(world::World& world, uint64_t until_ns);

  // Waits end soon and find nothing.
  void Close() { closed_.store(true, std::memory_order_relaxed); }

 private:
  // Takes the next event of a watched card; null when there is none yet.
  std::optional<world::XidEvent> Take(world::World& world);

  std::atomic<bool> closed_{false};
  std::mutex mutex_;   // guards what follows
  uint64_t seen_ = 0;  // number of the last event taken or passed over
  std::optional<uint64_t> watched_from_[world::kMaxCards];  // events after this number count
};

nvmlEventSet_t AddEventSet();
std::shared_ptr<EventSet> FindEventSet(nvmlEventSet_t handle);  // null: no such set
bool RemoveEventSet(nvmlEventSet_t handle);

}  // namespace simgpu::nvml
