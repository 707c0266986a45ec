// Cases that are calls: each prints its JSON line.
#pragma once

#include "driver.h"
#include "median.h"

namespace warpshare::bench {

struct Setup {
  const char* tenant;  // no_tenant, unlimited, limited
  Driver bare;
  Driver hooked;
};

void Print(const char* name, const char* tenant, long live, const Timing& timing);

// The driver is initialised and a context is current.
void MeasureCalls(const Setup& setup);

}  // namespace warpshare::bench
