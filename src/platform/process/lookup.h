// What the system says about a pid. What follows from it is ledger/process_identity.h's matter.
#pragma once

#include <cstdint>
#include <string>

namespace warpshare::platform {

struct ProcessLookup {
  enum class Answer : uint8_t {
    kCannotTell,  // there may be one, but it is hidden from us
    kNoProcess,
    kThere,
  };
  Answer answer;
  std::string stat;  // /proc/PID/stat, for kThere
};

ProcessLookup LookUpProcess(uint32_t pid);

// Inode of our own pid namespace, in which LookUpProcess takes its pids; 0 if there is no telling.
uint64_t OwnPidNamespace();

}  // namespace warpshare::platform
