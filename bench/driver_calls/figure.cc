#include "bench/driver_calls/figure.h"

#include <stdio.h>

#include <algorithm>

namespace warpshare::driver_calls {

void Print(const char* name, const char* unit, std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  const auto at = [&](double part) {
    return samples[static_cast<size_t>(part * static_cast<double>(samples.size() - 1) + 0.5)];
  };
  printf(
      "{\"figure\": \"%s\", \"unit\": \"%s\", \"p10\": %.3f, \"p50\": %.3f, \"p99\": %.3f, "
      "\"samples\": %zu}\n",
      name, unit, at(0.1), at(0.5), at(0.99), samples.size());
  fflush(stdout);
}

}  // namespace warpshare::driver_calls
