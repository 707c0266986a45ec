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

  bool Lists(uint32_t pid) const;
  uint64_t BytesOf(uint32_t pid) const;
};

// NVML as the driver installed it, opened when it is first asked, which takes milliseconds.
class DriverReporter {
 public:
  using Uuid = uint8_t[16];  // of a card, as the limits page has it

  void Read(const Uuid& uuid, DriverReport& report);

  // The driver knows this process by a pid of the outermost namespace; in most containers that is
  // not getpid(). It is learned around the first context of the process: the pid that was not
  // listed before and is afterwards. `had_memory`: the process held memory of the card before, so
  // its own pid may have been listed. 0: not learned.
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
