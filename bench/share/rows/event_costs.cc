// A hard cap on a card on which an event takes time, as on a real one: what measures a tenant is
// work of its stream, and must not be taken for the program's.
#include <cmath>

#include "bench/share/rows/play.h"
#include "bench/share/rows/promises.h"

namespace warpshare::bench {

namespace {

constexpr char kEventCost[] = "1500ns";

struct Load {
  std::string name;
  Words words;
  bool is_quick;
};

const std::vector<Load>& Loads() {
  static const std::vector<Load> loads = {
      {"5us, 256 in flight", {"--kernel", "5us", "--depth", "256"}, true},
      {"5us, 64 in flight, 4 streams",
       {"--kernel", "5us", "--depth", "64", "--streams", "4"},
       false},
      {"graphs of 20, 5us",
       {"--mode", "graph", "--kernel", "5us", "--graph-nodes", "20", "--depth", "16"},
       true},
      {"mixture", {"--mode", "mix", "--depth", "32", "--graph-nodes", "5"}, false},
  };
  return loads;
}

void MeasureAt(const Bench& bench, const Load& load, int percent) {
  const auto scene = Played(bench, {Hard("capped", percent, load.words)}, bench.seconds());
  const Period period = scene->Between(1, scene->whole().Seconds());
  const double mean = 100 * scene->SeriesOf(0).Share(period);
  const std::string which =
      load.name + ", an event costs " + kEventCost + ", cap=" + std::to_string(percent);
  Add(bench, *scene,
      {"event_costs", which, "mean", "points", std::abs(mean - percent), kLongPoints,
       Wants::kAtMost,
       Detail("mean_percent", mean) + Detail("charged_percent", scene->ChargedPercent(0))});
}

}  // namespace

void MeasureEventCosts(const Bench& bench) {
  const SimMachine machine(bench.machine.build(), 1,
                           std::string("event_cost = ") + kEventCost + "\n");
  const Bench on_it = {machine, bench.report, bench.quick, bench.only, bench.patience};
  for (const Load& load : Loads()) {
    if ((bench.quick && !load.is_quick) || !bench.Runs(load.name)) continue;
    for (const int percent : {25, 50, 80}) MeasureAt(on_it, load, percent);
  }
}

}  // namespace warpshare::bench
