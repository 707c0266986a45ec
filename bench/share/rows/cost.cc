// What a tenant that has the whole card loses against a bare process: throughput, in turn.
#include <algorithm>

#include "bench/share/rows/promises.h"

namespace warpshare::bench {

namespace {

struct Case {
  const char* name;
  Words load;
};

double Throughput(const Bench& bench, const TenantPlan& plan, Noise& noise) {
  Scene scene(bench.machine, {plan}, bench.quick ? 1 : 2);
  scene.Play();
  noise = scene.noise();
  return scene.reports(0)[0].PerSecond();
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

void MeasureCost(const Bench& bench) {
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
         Detail("bare_per_second", Median(bare)) +
             Detail("bare_spread_percent", 100 * (*std::max_element(bare.begin(), bare.end()) /
                                                      *std::min_element(bare.begin(), bare.end()) -
                                                  1))},
        noise);
  }
}

}  // namespace warpshare::bench
