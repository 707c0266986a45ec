// Tenants on a card that loses time whenever another process gets its turn. How much a real one
// loses nobody says; two programs on an H100 lose as much as 200 us a turn of its own slices are.
#include "bench/share/rows/play.h"
#include "bench/share/rows/promises.h"

namespace warpshare::bench {

namespace {

struct Case {
  std::string name;
  std::vector<int> percents;
  bool is_quick;
};

const std::vector<Case>& Cases() {
  static const std::vector<Case> cases = {
      {"2: 30 70", {30, 70}, true},
      {"2: 50 50", {50, 50}, false},
      {"4: 10 20 30 40", {10, 20, 30, 40}, true},
      {"8: 5 to 20", {5, 10, 10, 10, 15, 15, 15, 20}, false},
  };
  return cases;
}

void MeasureAt(const Bench& bench, const std::string& switch_cost) {
  for (const Case& which : Cases()) {
    const std::string name = which.name + ", 200us, a switch costs " + switch_cost;
    if ((bench.quick && !which.is_quick) || !bench.Runs(name)) continue;
    std::vector<TenantPlan> plans;
    std::vector<double> shares;
    for (const int percent : which.percents) {
      plans.push_back(Hard("t" + std::to_string(plans.size()), percent,
                           {"--kernel", "200us", "--depth", "16"}));
      shares.push_back(percent / 100.0);
    }
    JudgeShares(bench, *Played(bench, plans, bench.seconds()), "handovers", name, shares);
  }
}

}  // namespace

void MeasureHandovers(const Bench& bench) {
  for (const char* switch_cost : {"100us", "200us"}) {
    const SimMachine machine(bench.machine.build(), 1,
                             std::string("switch_cost = ") + switch_cost + "\n");
    MeasureAt({machine, bench.report, bench.quick, bench.only, bench.patience}, switch_cost);
  }
}

}  // namespace warpshare::bench
