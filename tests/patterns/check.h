// What a pattern sees of the world, and how it says what went wrong.
#pragma once

#include <string>

#include "tests/patterns/driver_api.h"

namespace warpshare::patterns {

inline constexpr size_t kMiB = size_t{1} << 20;

// Empty: the pattern holds. Otherwise what was expected and what came.
using Outcome = std::string;

struct Tenant {
  DriverApi api;
  CUdevice device = 0;
  CUcontext context = nullptr;
  bool limited = false;           // runs under a memory limit well below the card's size
  const char* program = nullptr;  // path of this program, to start a child of it
};

// Bytes that cuMemGetInfo says are free, or 0 when it fails.
size_t FreeBytes(const Tenant& tenant);

std::string Describe(const char* expression, CUresult got, CUresult wanted, int line);

}  // namespace warpshare::patterns

// Inside a pattern: leaves it with a sentence unless the driver answers `wanted`.
#define WANT(wanted, call)                                                              \
  do {                                                                                  \
    const CUresult want_result = (call);                                                \
    if (want_result != (wanted)) return Describe(#call, want_result, wanted, __LINE__); \
  } while (false)

#define WANT_OK(call) WANT(CUDA_SUCCESS, call)

#define WANT_TRUE(condition)                                                             \
  do {                                                                                   \
    if (!(condition))                                                                    \
      return std::string(#condition " does not hold, line ") + std::to_string(__LINE__); \
  } while (false)
