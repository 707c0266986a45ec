// One figure: samples of the same thing, printed as a JSON line.
#pragma once

#include <vector>

#include "bench/share/load/progress.h"

namespace warpshare::driver_calls {

// `unit` is that of the samples.
void Print(const char* name, const char* unit, std::vector<double> samples);

inline constexpr int kBatches = 300;

// A batch is `calls` times `call()`, timed; `before()` and `after()` are not. Prints ns a call.
template <typename Before, typename Call, typename After>
void PrintCallTime(const char* name, int calls, Before before, Call call, After after) {
  std::vector<double> samples;
  for (int batch = 0; batch < kBatches; ++batch) {
    before();
    const uint64_t start_ns = load::NowNs();
    for (int i = 0; i < calls; ++i) call();
    samples.push_back(static_cast<double>(load::NowNs() - start_ns) / calls);
    after();
  }
  Print(name, "ns", std::move(samples));
}

}  // namespace warpshare::driver_calls
