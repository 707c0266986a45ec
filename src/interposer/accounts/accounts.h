// All that this process has charged to its tenant, by what frees it. Empty in a fork child, whose
// driver knows nothing of it either.
#pragma once

#include "interposer/accounts/live_table.h"
#include "interposer/accounts/physical_memory.h"
#include "interposer/accounts/place.h"
#include "interposer/accounts/pools.h"

namespace warpshare::interposer {

struct Accounts {
  static Accounts& OfProcess();

  ContextDevices context_devices;
  LiveTable pointers;  // by device pointer
  LiveTable arrays;    // by CUarray and CUmipmappedArray
  Pools pools;
  PhysicalMemory physical_memory;
  Rounding pitch_rule[abi::kMaxCards + 1];  // by card: how its driver pads rows
};

}  // namespace warpshare::interposer
