// A driver of all functions that do nothing: each returns a number that names it, so that a test
// sees which one it reached. Only the look-up works. For routing; what a driver does is simgpu's
// part.
#pragma once

#include <cstddef>

#include "abi/driver/entry_points.h"

namespace warpshare::testing {

constexpr int CodeOf(abi::CudaIndex row) { return 10'000 + static_cast<int>(row); }
constexpr int CodeOf(abi::NvmlIndex row) { return 20'000 + static_cast<int>(row); }

// With this variable set, cuGetProcAddress gives addresses that are not the exported ones; those
// functions return the code plus kInternalOffset.
inline constexpr char kEnvInternalAddresses[] = "FAKE_DRIVER_INTERNAL_ADDRESSES";
inline constexpr int kInternalOffset = 100'000;

struct RowAddresses {
  void* exported;
  void* internal;
};
extern const RowAddresses kRowAddresses[abi::kCudaEntryCount];

}  // namespace warpshare::testing
