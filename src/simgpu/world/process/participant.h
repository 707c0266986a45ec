// This process's place among the participants: its slot, held by a keeper thread that does nothing
// but live. A robust lock belongs to a thread, and threads of the program come and go; the keeper
// ends only with the process (exit, kill, exec), and that instant the kernel marks the slot's
// `life` lock. No pids, files or signals are involved, so it works across pid namespaces and in
// programs that close all descriptors.
#pragma once

#include <atomic>
#include <mutex>
#include <string>

#include "simgpu/world/layout/layout.h"

namespace simgpu::world {

// By a look at the slot alone: no system call, no lock.
bool IsAlive(const ProcessSlot& slot);

class Participant {
 public:
  explicit Participant(const SharedMap& map) : map_(map) {}
  ~Participant() { Leave(); }

  // False: no slot is free (reap, and try again), or no thread can be had; `error` says which.
  bool Join(std::string* error);

  // Ends the keeper; what was held is for the next reap to find, as after a death. Not to be joined
  // again.
  void Leave();

  bool joined() const { return slot_.load(std::memory_order_acquire) != kNoSlot; }
  uint32_t slot() const { return slot_.load(std::memory_order_acquire); }  // of a joined one
  ProcessKey key() const;

 private:
  static constexpr uint32_t kNoSlot = UINT32_MAX;
  enum Phase : uint32_t { kStarting, kSeated, kTableFull, kLeaving, kGone };
  static void* RunKeeper(void* participant);
  void Keep();
  bool TakeSlot(uint32_t index);
  bool StartKeeper();

  const SharedMap& map_;
  std::mutex joining_;
  std::atomic<uint32_t> slot_{kNoSlot};
  std::atomic<uint32_t> phase_{kStarting};  // futex between Join, the keeper and the destructor
};

}  // namespace simgpu::world
