// Cases that are calls of the driver: each prints its JSON line.
#pragma once

#include <string_view>

#include "bench/interposer/driver.h"

namespace warpshare::bench {

struct Setup {
  const char* driver_name;
  const char* tenant;
  double budget_ns;  // of a call
  Driver bare;
  Driver hooked;
  bool has_threads;       // another thread has made the same calls before
  std::string_view only;  // cases whose name has this in it

  bool Wants(std::string_view name) const { return name.find(only) != name.npos; }
  const Driver& Way(bool is_hooked) const { return is_hooked ? hooked : bare; }
};

// The driver is initialised and a context is current.
void MeasureCalls(const Setup& setup);
// Of a tenant that shares GPU time, a launch is the call that differs.
void MeasureLaunch(const Setup& setup);

}  // namespace warpshare::bench
