// A program that gives the card work more slowly than the card does it, as an interpreter does that
// takes longer for each operator than its kernel lasts.
#include "bench/share/load/loads.h"

namespace warpshare::load {

namespace {

void WorkFor(uint64_t ns) {
  const uint64_t end_ns = NowNs() + ns;
  while (NowNs() < end_ns) {
  }
}

}  // namespace

void LaunchWithGaps(const Run& run) {
  const CUstream stream = run.card.stream(0);
  for (;;) {
    double launched = 0;
    for (uint32_t i = 0; i < run.options.depth; ++i) {
      WorkFor(run.options.gap_ns);
      launched += run.card.Launch(stream);
    }
    run.card.Synchronize(stream);
    run.progress.Add(launched);
  }
}

}  // namespace warpshare::load
