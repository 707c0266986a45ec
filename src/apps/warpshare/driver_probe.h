// Questions to a driver, to be asked in a child of their own (platform/process/isolated.h): they
// load the driver into the process that asks.
#pragma once

#include <string>

#include "types/bytes.h"

namespace warpshare::app {

// What the answer begins with if all is well, or most; else the answer is the reason.
inline constexpr char kProbeFine[] = "ok ";
inline constexpr char kProbeOdd[] = "odd ";

// cuInit, driver version and count of cards: "ok CUDA 13.0, 2 cards".
std::string ProbeCuda(const std::string& library_path);

// Whether the first card of the tenant that the environment names shows `limit` as its size.
std::string ProbeLimit(const std::string& interposer_path, Bytes limit);

}  // namespace warpshare::app
