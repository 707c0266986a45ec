// How soon everybody has what is now theirs after a limit changed, a tenant started, or one was
// killed: from when on every second is within its bound.
#include "bench/share/rows/play.h"
#include "bench/share/rows/promises.h"

namespace warpshare::bench {

namespace {

constexpr double kSettledMs = 200;
constexpr double kChangeAt = 1.5;
constexpr double kEnd = 4.5;
const Words kKernels = {"--kernel", "200us", "--depth", "64"};

void Judge(const Bench& bench, const Scene& scene, const std::string& which, uint64_t changed_ns,
           const std::vector<double>& shares) {
  std::vector<BusySeries> series;
  for (size_t i = 0; i < shares.size(); ++i) series.push_back(scene.SeriesOf(i));
  std::vector<Promise> promises;
  for (size_t i = 0; i < shares.size(); ++i)
    promises.push_back({.series = &series[i], .share = shares[i]});
  bench.report.AddTrace("changes", which, scene);
  const Period period = {.from_ns = changed_ns, .to_ns = scene.whole().to_ns};
  Add(bench, scene,
      {"changes", which, "settled", "ms",
       SettledAfterMs(promises, period, kLongWindowNs, kLongPoints), kSettledMs, Wants::kAtMost});
}

void MeasureLimitChange(const Bench& bench) {
  uint64_t changed_ns = 0;
  const auto change = [&](Scene& playing) {
    playing.SleepUntil(kChangeAt);
    changed_ns = playing.Now();
    bench.machine.Warpshare({"set", "b", "--cores", "40"});
    bench.machine.Warpshare({"set", "a", "--cores", "60"});
  };
  const auto scene =
      Played(bench, {Hard("a", 30, kKernels), Hard("b", 70, kKernels)}, kEnd, /*late=*/0, change);
  Judge(bench, *scene, "limits 30 70 become 60 40", changed_ns, {0.6, 0.4});
}

void MeasureStart(const Bench& bench) {
  uint64_t changed_ns = 0;
  const auto start = [&](Scene& playing) {
    playing.SleepUntil(kChangeAt);
    changed_ns = playing.Now();
    playing.Start(2);
  };
  const auto scene = Played(
      bench, {Weighted("a", 1, kKernels), Weighted("b", 1, kKernels), Weighted("c", 2, kKernels)},
      kEnd, /*late=*/1, start);
  Judge(bench, *scene, "weights 1 1, a third of 2 starts", changed_ns, {0.25, 0.25, 0.5});
}

void MeasureKill(const Bench& bench) {
  uint64_t changed_ns = 0;
  const auto kill = [&](Scene& playing) {
    playing.SleepUntil(kChangeAt);
    changed_ns = playing.Now();
    playing.tenant(2).Kill();
  };
  const auto scene = Played(
      bench, {Weighted("a", 1, kKernels), Weighted("b", 3, kKernels), Weighted("c", 2, kKernels)},
      kEnd, /*late=*/0, kill);
  Judge(bench, *scene, "weights 1 3 2, the last is killed", changed_ns, {0.25, 0.75});
}

}  // namespace

void MeasureChanges(const Bench& bench) {
  if (bench.Runs("limits")) MeasureLimitChange(bench);
  if (bench.Runs("starts")) MeasureStart(bench);
  if (bench.Runs("killed")) MeasureKill(bench);
}

}  // namespace warpshare::bench
