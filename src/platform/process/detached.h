// Starts a program that outlives us and has nothing of ours: not our terminal, session, open files,
// blocked signals or folder. Only the environment is passed on.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "result/result.h"

namespace warpshare::platform {

struct DetachedCommand {
  std::vector<std::string> arguments;  // the first one is the program's path
  std::string output_path;             // its standard output and error are appended there
};

// The program finds a pipe here, to which it writes a byte as soon as it is ready.
inline constexpr int kReadyDescriptor = 3;

enum class Readiness : uint8_t {
  kReady,
  kEnded,   // or closed the pipe: it will not be ready
  kNotYet,  // and is waited for no longer
};

// Waits at most `patience`. From a program of one thread only. A path with a link at its last name
// is not followed (platform/descriptor).
Result<Readiness> StartDetached(const DetachedCommand& command, std::chrono::milliseconds patience);

}  // namespace warpshare::platform
