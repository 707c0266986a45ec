// What the threads of a storm do: one family of allocations each, made and freed in all its ways.
#pragma once

#include <cstdint>
#include <random>

#include "memory/tenant_process.h"

namespace warpshare::testing {

// One thread's means.
struct StormThread {
  Tenant& tenant;
  CUstream stream;
  std::mt19937_64 random;

  uint64_t Bytes(uint64_t most) { return 1 + random() % most; }
};

// Makes something of a random size and returns how to undo it; empty: it was refused for lack of
// memory. Any other refusal is a failure of the test.
using Undo = std::function<CUresult()>;
struct StormFamily {
  const char* name;
  Undo (*make)(StormThread& thread);
};

extern const StormFamily kStormFamilies[];
extern const size_t kStormFamilyCount;

}  // namespace warpshare::testing
