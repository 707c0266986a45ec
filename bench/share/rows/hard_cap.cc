// One tenant with a hard cap on a card that is otherwise idle.
#include <algorithm>
#include <cmath>

#include "bench/share/rows/play.h"
#include "bench/share/rows/promises.h"

namespace warpshare::bench {

namespace {

struct Case {
  std::string load_name;
  Words load;
  double kernel_ms;  // the longest piece that cannot be interrupted
  bool is_quick;
  bool pauses = false;  // by itself, so that it need not reach its cap
  int processes = 1;    // each with the load
};

std::vector<Case> Cases() {
  std::vector<Case> cases;
  struct Kernel {
    const char* name;
    double ms;
  };
  for (const Kernel& kernel : {Kernel{"5us", 0.005}, {"200us", 0.2}, {"2ms", 2}, {"20ms", 20}}) {
    const auto add = [&](const std::string& name, Words words, bool is_quick, bool pauses = false,
                         int kernels = 1) {
      words.insert(words.end(), {"--kernel", kernel.name});
      cases.push_back({"kernel=" + std::string(kernel.name) + " " + name, words,
                       kernel.ms * kernels, is_quick, pauses});
    };
    const bool is_tiny = kernel.ms < 0.01;
    for (const char* depth : {"1", "64", "1024"})
      add("async depth=" + std::string(depth), {"--depth", depth}, depth[0] != '1');
    if (kernel.ms < 2)
      add("async depth=64 streams=4", {"--depth", "64", "--streams", "4"}, !is_tiny);
    add("launch+sync", {"--mode", "sync"}, kernel.ms < 1);
    if (kernel.ms < 2) add("graph of 20", {"--mode", "graph", "--depth", "4"}, !is_tiny, false, 20);
    add("bursts", {"--mode", "burst", "--burst", "300ms", "--period", "900ms"}, false, true);
  }
  const auto vary = [&](const char* name, Words words) {
    words.insert(words.end(), {"--kernel", "20us..2ms"});
    cases.push_back({std::string("kernels of 20us to 2ms ") + name, words, 2, true});
  };
  vary("async depth=64", {"--depth", "64"});
  vary("async depth=64 streams=4", {"--depth", "64", "--streams", "4"});
  vary("launch+sync", {"--mode", "sync"});
  const auto several = [&](const char* name, int processes, double kernel_ms, Words words) {
    cases.push_back({name, words, kernel_ms, true, false, processes});
  };
  several("three processes, launch+sync of 200us", 3, 0.2, {"--mode", "sync", "--kernel", "200us"});
  several("three processes, launch+sync of 20us to 2ms", 3, 2,
          {"--mode", "sync", "--kernel", "20us..2ms"});
  several("three processes, 20us async depth=64", 3, 0.02, {"--kernel", "20us", "--depth", "64"});
  several("three processes, 20us to 2ms async depth=64", 3, 2,
          {"--kernel", "20us..2ms", "--depth", "64"});
  several("two processes, graphs of four kernels of 100us, one at a time", 2, 0.4,
          {"--mode", "graph", "--kernel", "100us", "--graph-nodes", "4", "--depth", "1"});
  several("two processes of three threads with launch+sync of 200us", 2, 0.2,
          {"--mode", "threads", "--kernel", "200us", "--depth", "1", "--streams", "6"});
  cases.push_back({"five threads with launch+sync of 20us",
                   {"--mode", "threads", "--kernel", "20us", "--depth", "1", "--streams", "10"},
                   0.02,
                   true});
  const Words serves = {"--mode", "serve",     "--kernel", "100us",        "--depth",
                        "4",      "--streams", "4",        "--copy-bytes", "16384"};
  several("four threads that copy around four kernels of 100us", 1, 0.1, serves);
  several("two processes of four threads that copy around four kernels of 100us", 2, 0.1, serves);
  cases.push_back({"copies of 256 KiB", {"--mode", "copy", "--depth", "16"}, 0.0125, true});
  cases.push_back({"kernel=20us six threads",
                   {"--mode", "threads", "--kernel", "20us", "--depth", "50", "--streams", "12"},
                   0.02,
                   true});
  cases.push_back({"mixture", {"--mode", "mix", "--depth", "32", "--graph-nodes", "5"}, 1, true});
  return cases;
}

TenantPlan Planned(TenantPlan plan, const Case& load) {
  plan.processes = load.processes;
  return plan;
}

// What the load takes of a card that it has for itself. What it took least of in a window is what
// the machine let it submit there: no cap above that can be kept to in such a window.
class Alone {
 public:
  Alone(const Bench& bench, const Case& load)
      : scene_(Played(bench, {Planned(Bare("alone", load.load), load)}, bench.seconds())),
        series_(scene_->SeriesOf(0)) {}
  double Mean() const { return series_.Share(Settled()); }
  double LeastPercent(uint64_t window_ns) const {
    return 100 - WorstWindow(series_, Settled(), window_ns, /*share=*/1).under_points;
  }

 private:
  Period Settled() const { return scene_->Between(0.3, scene_->whole().Seconds()); }

  const std::unique_ptr<Scene> scene_;
  const BusySeries series_;
};

void Judge(const Bench& bench, const Scene& scene, const Case& load, double cap,
           const Alone& alone) {
  const std::string which = load.load_name + " cap=" + std::to_string(std::lround(cap * 100));
  const Period period = scene.Between(1, scene.whole().Seconds());
  const BusySeries series = scene.SeriesOf(0);
  const double mean = series.Share(period);
  const bool must_reach = !load.pauses && alone.Mean() > cap + 0.02;
  const auto worst = [&](uint64_t window_ns) {
    Worst found = WorstOf(scene, series, period, window_ns, cap, /*over_only=*/!must_reach);
    found.detail += Detail("alone_least_percent", alone.LeastPercent(window_ns));
    return found;
  };
  const double mean_error =
      must_reach ? std::abs(mean - cap) * 100 : std::max(0.0, mean - cap) * 100;
  const std::string detail = Detail("mean_percent", mean * 100) +
                             Detail("demand", alone.Mean() * 100) +
                             Detail("charged_percent", scene.ChargedPercent(0));
  // A kernel longer than 2 ms is allowed to be one kernel over the window; a graph is one of them.
  const auto add = [&](const char* metric, const Worst& value, double target) {
    Add(bench, scene,
        {"hard_cap", which, metric, "points", value.points, target, Wants::kAtMost,
         detail + value.detail});
  };
  add("mean", {.points = mean_error, .detail = ""}, kLongPoints);
  add("worst_1s", worst(kLongWindowNs), std::max(kLongPoints, load.kernel_ms / 10));
  add("worst_100ms", worst(kShortWindowNs), std::max(kShortPoints, load.kernel_ms));
}

}  // namespace

void MeasureHardCaps(const Bench& bench) {
  const std::vector<int> caps = bench.quick ? std::vector{25, 80} : std::vector{5, 25, 50, 80, 95};
  for (const Case& load : Cases()) {
    if ((bench.quick && !load.is_quick) || !bench.Runs(load.load_name)) continue;
    const Alone alone(bench, load);
    for (const int cap : caps) {
      const TenantPlan plan = Planned(Hard("capped", cap, load.load), load);
      const auto scene = Played(bench, {plan}, bench.seconds());
      bench.report.AddTrace("hard_cap", load.load_name + " cap=" + std::to_string(cap), *scene);
      Judge(bench, *scene, load, cap / 100.0, alone);
    }
  }
}

}  // namespace warpshare::bench
