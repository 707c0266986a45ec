// Programs that leave the card idle between their kernels, as their own work takes longer than
// these. What each can use of its part is what it takes of a card that it has for itself; the two
// side by side without warpshare show what the card's own slices make of it.
#include <algorithm>
#include <map>

#include "bench/share/rows/play.h"
#include "bench/share/rows/promises.h"

namespace warpshare::bench {

namespace {

const Words kGaps = {"--mode", "gaps", "--kernel", "20us", "--gap", "40us", "--depth", "200"};
const Words kBusy = {"--kernel", "200us", "--depth", "64"};

struct Case {
  std::string name;
  std::vector<TenantPlan> plans;
  std::vector<double> shares;
};

std::vector<Case> Cases() {
  return {
      {"50 50, both", {Hard("t0", 50, kGaps), Hard("t1", 50, kGaps)}, {0.5, 0.5}},
      {"30 70, both", {Hard("t0", 30, kGaps), Hard("t1", 70, kGaps)}, {0.3, 0.7}},
      {"50 50, beside 200us", {Hard("t0", 50, kGaps), Hard("t1", 50, kBusy)}, {0.5, 0.5}},
      {"weights 1 1, beside 200us",
       {Weighted("t0", 1, kGaps), Weighted("t1", 1, kBusy)},
       {0.5, 0.5}},
  };
}

double PartOf(const Scene& scene, size_t tenant) {
  return scene.SeriesOf(tenant).Share(scene.Between(1, scene.whole().Seconds()));
}

double PartAlone(const Bench& bench, const Words& load) {
  return PartOf(*Played(bench, {Bare("alone", load)}, /*seconds=*/2), 0);
}

double BusyBare(const Bench& bench, const Case& which, std::string& detail) {
  std::vector<TenantPlan> plans;
  for (const TenantPlan& plan : which.plans) plans.push_back(Bare(plan.name, plan.load));
  const auto scene = Played(bench, plans, bench.seconds());
  double busy = 0;
  for (size_t i = 0; i < plans.size(); ++i) {
    busy += PartOf(*scene, i);
    detail += Detail("bare_percent_" + std::to_string(i), 100 * PartOf(*scene, i));
  }
  return busy;
}

// What each load takes of a card that it has for itself, played once.
using Alone = std::map<Words, double>;

void Measure(const Bench& bench, const Case& which, Alone& known) {
  std::string detail;
  const double bare = BusyBare(bench, which, detail);
  const auto scene = Played(bench, which.plans, bench.seconds());
  double least = 1;
  double busy = 0;
  for (size_t i = 0; i < which.plans.size(); ++i) {
    const auto [at, is_new] = known.try_emplace(which.plans[i].load);
    if (is_new) at->second = PartAlone(bench, at->first);
    const double alone = at->second;
    const double part = PartOf(*scene, i);
    least = std::min(least, part / std::min(alone, which.shares[i]));
    busy += part;
    detail += Detail("mean_percent_" + std::to_string(i), 100 * part) +
              Detail("alone_percent_" + std::to_string(i), 100 * alone) +
              Detail("charged_percent_" + std::to_string(i), scene->ChargedPercent(i));
  }
  Add(bench, *scene,
      {"gaps", which.name, "least_served", "percent of its part", 100 * least, 0, Wants::kNothing,
       detail});
  Add(bench, *scene,
      {"gaps", which.name, "busy", "percent of bare", 100 * busy / bare, 0, Wants::kNothing, ""});
}

}  // namespace

void MeasureGaps(const Bench& bench) {
  Alone known;
  for (const Case& which : Cases())
    if (bench.Runs(which.name)) Measure(bench, which, known);
}

}  // namespace warpshare::bench
