// Bursts of 2 ms every 20 ms with high priority, next to a low one that takes all it can.
#include <initializer_list>

#include "bench/share/rows/play.h"
#include "bench/share/rows/promises.h"

namespace warpshare::bench {

namespace {

const Words kBursts = {"--mode",  "burst", "--kernel", "200us",
                       "--burst", "2ms",   "--period", "20ms"};

void Judge(const Bench& bench, const Scene& both, const std::string& kernel, double low_kernel_us,
           const LoadReport& alone) {
  const std::string which = "low kernel=" + kernel;
  const LoadReport& high = both.reports(0)[0];
  const Period period = both.Between(1, both.whole().Seconds());
  const double left = 1 - both.SeriesOf(0).Share(period);
  const std::string detail = Detail("alone_p50", alone.p50_us) + Detail("alone_p99", alone.p99_us) +
                             Detail("p50", high.p50_us);
  Add(bench, both,
      {"priority", which, "high_p99", "us", high.p99_us, 1.05 * alone.p99_us + low_kernel_us,
       Wants::kAtMost, detail});
  Add(bench, both,
      {"priority", which, "low_of_rest", "percent", 100 * both.SeriesOf(1).Share(period) / left, 90,
       Wants::kAtLeast, detail});
}

}  // namespace

void MeasurePriority(const Bench& bench) {
  struct Low {
    const char* kernel;
    double us;
  };
  for (const Low& low : {Low{"200us", 200}, Low{"2ms", 2000}}) {
    if (!bench.Runs(low.kernel)) continue;
    const auto alone = Played(bench, {Priority("high", "high", kBursts)}, bench.seconds());
    const auto both = Played(bench,
                             {Priority("high", "high", kBursts),
                              Priority("low", "low", {"--kernel", low.kernel, "--depth", "64"})},
                             bench.seconds());
    bench.report.AddTrace("priority", std::string("low kernel=") + low.kernel, *both);
    Judge(bench, *both, low.kernel, low.us, alone->reports(0)[0]);
  }
}

}  // namespace warpshare::bench
