#include "bench/share/stage/scene.h"

#include <stdlib.h>

#include <array>
#include <fstream>
#include <numeric>
#include <string>

#include "simgpu/world/sync/clock.h"

namespace warpshare::bench {

namespace {

// Loads end by themselves; a little later than what is looked at, so that none is missing then.
constexpr double kMoreSeconds = 0.2;

struct ProcessorTimes {
  double all = 0;
  double idle = 0;
  double stolen = 0;

  static ProcessorTimes Now() {
    std::ifstream file("/proc/stat");
    std::string word;
    file >> word;  // user nice system idle iowait irq softirq steal
    std::array<double, 8> ticks{};
    for (double& tick : ticks) file >> tick;
    return {.all = std::accumulate(ticks.begin(), ticks.end(), 0.0),
            .idle = ticks[3] + ticks[4],
            .stolen = ticks[7]};
  }
};

// The world's directory; made by the first that asks, which a recorder must not be.
const std::string& WorldThatIsThere(const SimMachine& machine) {
  static std::string made;
  if (made != machine.world()) {
    testing::RunProgram({machine.build().Program("simgpu-smi"), "-L"}, machine.Bare());
    made = machine.world();
  }
  return made;
}

std::vector<pid_t> ProcessesOf(const std::vector<std::unique_ptr<TenantRun>>& tenants) {
  std::vector<pid_t> all;
  for (const auto& tenant : tenants) {
    const std::vector<pid_t> own = tenant->processes();
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

}  // namespace

Scene::Scene(const SimMachine& machine, std::vector<TenantPlan> plans, double seconds)
    : machine_(machine), seconds_(seconds), recorder_(WorldThatIsThere(machine)) {
  for (TenantPlan& plan : plans) {
    tenants_.push_back(
        std::make_unique<TenantRun>(machine, std::move(plan), seconds + kMoreSeconds));
  }
}

uint64_t Scene::Now() const { return simgpu::world::NowNs(); }

void Scene::SleepUntil(double seconds) const {
  simgpu::world::WaitUntil(period_.from_ns + static_cast<uint64_t>(seconds * kSecond));
}

void Scene::Start(size_t index) { tenants_[index]->Go(); }

void Scene::Play(size_t late, const std::function<void(Scene&)>& meanwhile) {
  for (const auto& tenant : tenants_) tenant->AwaitReady();
  const ProcessorTimes before = ProcessorTimes::Now();
  period_.from_ns = Now();
  period_.to_ns = period_.from_ns + static_cast<uint64_t>(seconds_ * kSecond);
  for (size_t i = 0; i + late < tenants_.size(); ++i) tenants_[i]->Go();
  if (meanwhile) meanwhile(*this);
  SleepUntil(seconds_);
  const ProcessorTimes after = ProcessorTimes::Now();
  accounts_ = machine_.Warpshare({"ps", "--json"});
  accounted_ns_ = Now();
  for (const auto& tenant : tenants_) reports_.push_back(tenant->Finish());
  const double ticks = after.all - before.all;
  noise_ = {.steal_percent = 100 * (after.stolen - before.stolen) / ticks,
            .processor_percent = 100 * (1 - (after.idle - before.idle) / ticks),
            .lateness_us = static_cast<double>(recorder_.worst_lateness_ns()) / 1e3};
}

double Scene::ChargedPercent(size_t index) const {
  const size_t at = accounts_.find("\"name\":\"" + plan(index).name + "\"");
  if (at == std::string::npos) return 0;
  const std::string key = "\"used_ns\":";
  const size_t number = accounts_.find(key, at);
  if (number == std::string::npos) return 0;
  const double charged_ns = strtod(accounts_.c_str() + number + key.size(), nullptr);
  const Period until_then = {.from_ns = period_.from_ns, .to_ns = accounted_ns_};
  return 100 * charged_ns / (SeriesOf(index).Share(until_then) * until_then.Seconds() * kSecond);
}

Period Scene::Between(double from_seconds, double to_seconds) const {
  return {.from_ns = period_.from_ns + static_cast<uint64_t>(from_seconds * kSecond),
          .to_ns = period_.from_ns + static_cast<uint64_t>(to_seconds * kSecond)};
}

BusySeries Scene::SeriesOf(size_t index, int card) const {
  return recorder_.Of(tenants_[index]->processes(), card);
}

BusySeries Scene::SeriesOfAll(int card) const { return recorder_.Of(ProcessesOf(tenants_), card); }

}  // namespace warpshare::bench
