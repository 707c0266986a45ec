// Two to eight tenants whose caps are the whole card.
#include "bench/share/rows/play.h"
#include "bench/share/rows/promises.h"

namespace warpshare::bench {

namespace {

struct Member {
  int percent;
  Words load;
  int processes = 1;  // each with the load
};

struct Case {
  std::string name;
  std::vector<Member> members;
  bool is_quick;
};

Words Kernels(const char* kernel) { return {"--kernel", kernel, "--depth", "64"}; }

std::vector<Case> Cases() {
  const Words graphs = {"--mode", "graph", "--depth", "4"};
  const Words mixture = {"--mode", "mix", "--depth", "32", "--graph-nodes", "5"};
  const Words waiting = {"--mode", "sync", "--kernel", "2ms"};
  std::vector<Case> cases = {
      {"2: 30 70, 200us", {{30, Kernels("200us")}, {70, Kernels("200us")}}, true},
      {"2: 50 50, 5us beside 2ms", {{50, Kernels("5us")}, {50, Kernels("2ms")}}, true},
      {"2: 50 50, 20us to 2ms beside 200us",
       {{50, Kernels("20us..2ms")}, {50, Kernels("200us")}},
       true},
      {"2: 30 70, launch+sync of 20us to 2ms beside 2ms",
       {{30, {"--mode", "sync", "--kernel", "20us..2ms"}}, {70, Kernels("2ms")}},
       false},
      {"2: 50 50, three processes with launch+sync of 200us beside 200us",
       {{50, {"--mode", "sync", "--kernel", "200us"}, 3}, {50, Kernels("200us")}},
       true},
      {"2: 50 50, four threads with launch+sync of 200us beside 200us",
       {{50, {"--mode", "threads", "--kernel", "200us", "--depth", "1", "--streams", "8"}},
        {50, Kernels("200us")}},
       true},
      {"2: 5 95, 200us beside 2ms", {{5, Kernels("200us")}, {95, Kernels("2ms")}}, false},
      {"3: 20 30 50, graphs, 200us, mixture",
       {{20, graphs}, {30, Kernels("200us")}, {50, mixture}},
       false},
      {"4: 10 20 30 40, mixed",
       {{10, Kernels("5us")}, {20, waiting}, {30, graphs}, {40, Kernels("2ms")}},
       true},
      {"8: equal, 200us", {}, false},
      {"8: 5 to 20, mixed",
       {{5, Kernels("200us")},
        {10, Kernels("2ms")},
        {10, graphs},
        {10, Kernels("5us")},
        {15, mixture},
        {15, waiting},
        {15, Kernels("200us")},
        {20, Kernels("2ms")}},
       false},
  };
  return cases;
}

}  // namespace

void MeasureTenants(const Bench& bench) {
  for (const Case& which : Cases()) {
    if ((bench.quick && !which.is_quick) || !bench.Runs(which.name)) continue;
    std::vector<TenantPlan> plans;
    std::vector<double> shares;
    for (const Member& member : which.members) {
      plans.push_back(Hard("t" + std::to_string(plans.size()), member.percent, member.load));
      plans.back().processes = member.processes;
      shares.push_back(member.percent / 100.0);
    }
    for (int i = 0; i < 8 && which.members.empty(); ++i) {  // an eighth each, in whole percents
      const int percent = i < 4 ? 12 : 13;
      plans.push_back(Hard("t" + std::to_string(i), percent, Kernels("200us")));
      shares.push_back(percent / 100.0);
    }
    const auto scene = Played(bench, plans, bench.seconds());
    JudgeShares(bench, *scene, "tenants", which.name, shares);
  }
}

}  // namespace warpshare::bench
