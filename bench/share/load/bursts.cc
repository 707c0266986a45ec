#include <algorithm>

#include "bench/share/load/loads.h"

namespace warpshare::load {

// A burst is late when the one before it took longer than the period; it then begins at once.
void SubmitBursts(const Run& run) {
  const uint64_t kernels = std::max<uint64_t>(1, run.options.burst_ns / run.options.kernel_ns);
  uint64_t due_ns = NowNs();
  for (;; due_ns = std::max(due_ns + run.options.period_ns, NowNs())) {
    SleepUntil(due_ns);
    const uint64_t start_ns = NowNs();
    for (uint64_t i = 0; i < kernels; ++i) run.card.Launch(run.card.stream(0));
    run.card.Synchronize(run.card.stream(0));
    run.progress.Add(static_cast<double>(kernels));
    run.progress.Add(Burst{.start_ns = start_ns, .latency_ns = NowNs() - start_ns});
  }
}

}  // namespace warpshare::load
