// How much memory of a card the driver says is taken, by whom. For what no call names the size of:
// contexts and code.
#pragma once

#include <atomic>
#include <cstdint>

#include "interposer/guest/lock.h"

namespace warpshare::interposer {

// What NVML says of a card at one moment.
struct DriverReport {
  static constexpr uint32_t kMostProcesses = 128;
  struct Process {
    uint32_t pid;  // as the driver knows it
    uint64_t bytes;
  };

  bool is_known;
  uint64_t card_bytes;  // everybody's, other tenants' too
  uint32_t count;
  Process processes[kMostProcesses];

  // What NVML says where it cannot tell how much a process has.
  static constexpr uint64_t kUntold = UINT64_MAX;

  bool Lists(uint32_t pid) const;
  uint64_t BytesOf(uint32_t pid) const;  // 0 if it is not listed, or kUntold
  // Whether it is said to have anything. In a container drivers list a process by a pid that they
  // then find nothing of, with 0 bytes or kUntold; but who has a context has some.
  bool Tells(uint32_t pid) const;
};

// NVML as the driver installed it, opened when it is first asked, which takes milliseconds.
class DriverReporter {
 public:
  using Uuid = uint8_t[16];  // of a card, as the limits page has it

  void Read(const Uuid& uuid, DriverReport& report);

  // The lists that are read here have pids of the asking process's own namespace or, of drivers
  // before that, of the outermost one, which in a container is not getpid(). So it is learned
  // around the first context of the process: the pid that was not listed before and is afterwards.
  // `had_memory`: the process held memory of the card before, so its own pid may have been listed.
  // 0: not learned. nvml/own_entries.h says what is known of pids.
  uint32_t pid() const { return pid_.load(std::memory_order_relaxed); }
  void LearnPid(const DriverReport& before, const DriverReport& after, bool had_memory);

 private:
  struct Nvml;

  bool Open(Nvml& nvml);

  guest::Lock lock_;  // of opening
  std::atomic<void*> library_;
  std::atomic<bool> is_absent_;
  std::atomic<uint32_t> pid_;
};

}  // namespace warpshare::interposer
