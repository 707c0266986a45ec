// One JSON line a case.
#pragma once

#include "bench/interposer/samples.h"

namespace warpshare::bench {

struct Case {
  const char* name;
  const char* driver;  // null, simgpu, or the folder it was taken from
  const char* tenant;  // none, unlimited, limited
  long live;           // allocations that are held meanwhile
  double budget_ns;    // what may be added; 0: no budget
};

void Print(const Case& which, const Timing& timing);

}  // namespace warpshare::bench
