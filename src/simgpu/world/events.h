// Faults that cards report (XIDs), as NVML's event sets read them: those the scenario schedules,
// and injected ones. One queue for the world, kept for the last 256 events; each reader has its own
// cursor.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

namespace simgpu::world {

class Machine;  // inside the room

struct XidEvent {
  uint64_t number = 0;  // 1, 2, ...: place in the queue
  int card = 0;
  uint32_t xid = 0;
  uint64_t at_ns = 0;  // CLOCK_MONOTONIC
};

class Events {
 public:
  explicit Events(Machine& machine);
  ~Events();

  void Inject(int card, uint32_t xid);
  uint64_t Last();  // number of the newest event so far: where a new reader starts
  // The first event after `number` (or the oldest kept), now or until `until_ns` (CLOCK_MONOTONIC).
  // Null: none came.
  std::optional<XidEvent> Next(uint64_t number, uint64_t until_ns);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace simgpu::world
