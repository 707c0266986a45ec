// What a tenant that has the whole card loses against a bare process: throughput, in turn.
#include <algorithm>

#include "bench/share/rows/play.h"
#include "bench/share/rows/promises.h"

namespace warpshare::bench {

namespace {

struct Case {
  const char* name;
  Words load;
};

// In percent of the card's time: all submissions of a case are equally long, and the card's own
// account does not depend on when the program heard of their ends.
double Throughput(const Bench& bench, const TenantPlan& plan, Noise& noise) {
  const double seconds = bench.quick ? 1.5 : 2.5;
  const auto scene = Played(bench, {plan}, seconds);
  noise = scene->noise();
  return 100 * scene->SeriesOf(0).Share(scene->Between(0.5, seconds));
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

namespace {

// By bench_interposer, in one process that calls the driver directly and through us.
void MeasureLaunch(const Bench& bench) {
  const testing::Ran ran = testing::RunProgram(
      {bench.machine.build().Program("bench_interposer"), "--turn"}, bench.machine.Tenant());
  const double bare_ns = NumberIn(ran.out, "bare_ns");
  if (bare_ns == 0) return;
  bench.report.SetPlays(1, /*was_disturbed=*/false);  // it is no scene
  bench.report.Add({"cost", "a launch that is not held back", "added", "ns",
                    NumberIn(ran.out, "added_ns"), 50, Wants::kAtMost,
                    Detail("bare_ns", bare_ns) + Detail("error_ns", NumberIn(ran.out, "error_ns"))},
                   {});
}

}  // namespace

void MeasureCost(const Bench& bench) {
  if (bench.Runs("launch")) MeasureLaunch(bench);
  constexpr int kPairs = 5;
  for (const Case& which : {Case{"5us depth=64", {"--kernel", "5us", "--depth", "64"}},
                            Case{"200us depth=64", {"--kernel", "200us", "--depth", "64"}},
                            Case{"200us launch+sync", {"--kernel", "200us", "--mode", "sync"}},
                            Case{"graphs", {"--mode", "graph", "--depth", "4"}},
                            Case{"copies", {"--mode", "copy", "--depth", "16"}}}) {
    if (!bench.Runs(which.name)) continue;
    std::vector<double> bare;
    std::vector<double> shared;
    Noise noise;
    for (int i = 0; i < kPairs; ++i) {
      bare.push_back(Throughput(bench, Bare("bare", which.load), noise));
      shared.push_back(Throughput(bench, Hard("whole", 100, which.load), noise));
    }
    bench.report.Add(
        {"cost", which.name, "throughput", "percent of bare", 100 * Median(shared) / Median(bare),
         99.5, Wants::kAtLeast,
         Detail("bare_percent", Median(bare)) +
             Detail("bare_spread_percent", 100 * (*std::max_element(bare.begin(), bare.end()) /
                                                      *std::min_element(bare.begin(), bare.end()) -
                                                  1))},
        noise);
  }
}

}  // namespace warpshare::bench
