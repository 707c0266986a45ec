#include <cstdlib>
#include <functional>
#include <string>

#include "abi/names/env.h"
#include "apps/warpshare/doctor_checks.h"
#include "apps/warpshare/driver_choice.h"
#include "apps/warpshare/driver_probe.h"
#include "apps/warpshare/tenant_environment.h"
#include "node/tenancy/membership.h"
#include "platform/nvml/nvml.h"
#include "platform/process/isolated.h"

namespace warpshare::app {

namespace {

// A real driver with cold cards and no persistence daemon takes seconds.
constexpr std::chrono::milliseconds kPatience{30'000};

struct Probe {
  std::string name;
  std::string mend;
  std::function<std::string()> ask;  // answers kProbeFine or kProbeOdd and a finding, or a reason
};

Check Ask(const Probe& probe) {
  const auto answer = platform::RunIsolated(probe.ask, kPatience);
  if (answer && answer->starts_with(kProbeFine))
    return {.name = probe.name,
            .health = Health::kFine,
            .finding = answer->substr(sizeof(kProbeFine) - 1),
            .mend = {}};
  if (answer && answer->starts_with(kProbeOdd))
    return {.name = probe.name,
            .health = Health::kOdd,
            .finding = answer->substr(sizeof(kProbeOdd) - 1),
            .mend = probe.mend};
  return {.name = probe.name,
          .health = Health::kBroken,
          .finding = answer ? *answer : answer.error().message,
          .mend = probe.mend};
}

std::string ProbeCards(const std::string& driver_folder) {
  const auto machine = platform::ListCards(driver_folder);
  if (!machine) return machine.error().message;
  std::string list;
  for (const platform::Card& card : machine->cards)
    list += (list.empty() ? "" : "; ") + std::to_string(card.index) + " " + card.name + " " +
            Rounded(card.total) + " " + card.uuid.Text();
  for (const platform::UnreadableCard& card : machine->unreadable)
    list += (list.empty() ? "" : "; ") + card.reason.message;
  if (list.empty()) return "the driver shows no card";
  if (machine->cards.empty()) return list;
  return (machine->unreadable.empty() ? kProbeFine : kProbeOdd) + list;
}

// A tenant of its own on the first card, for as long as the question takes.
std::string ProbeTenant(const Installation& installation, const std::string& driver_folder) {
  auto machine = platform::ListCards(driver_folder);
  if (!machine) return machine.error().message;
  if (machine->cards.empty()) return "the driver shows no card any more";
  const auto state = node::StateDir::Open(node::StateDir::DefaultPath(), node::IfMissing::kMake);
  if (!state) return state.error().message;
  platform::SystemClock clock;
  const node::TenantRequest request = {
      .name = *ParseTenantName("doctor-" + node::RandomKey().substr(0, 12)),
      .machine = machine->cards,
      .chosen = {machine->cards.front()},
      .cards_stated = true,
      .memory = MemoryAmount::Share(MemoryAmount::kWhole / 2)};
  auto membership = node::Membership::Enter(*state, request, clock);
  if (!membership) return membership.error().message;

  const TenantSurroundings surroundings = {.interposer_folder = installation.interposer_folder,
                                           .driver_folder = driver_folder,
                                           .preload = false};
  platform::Change(TenantEnvironment(surroundings, *membership));
  const std::string library = installation.interposer_folder + "/" + abi::kCudaSoname;
  const Bytes limit = membership->limits().cards.at(0).memory.value_or(Bytes());
  // Asked one process deeper, so that a crash there still comes back here, to take the tenant away.
  const auto answer =
      platform::RunIsolated([&] { return ProbeLimit(library, limit); }, kPatience / 2);
  membership->Leave(*state, clock);
  return answer ? *answer : answer.error().message;
}

std::vector<Probe> DriverProbes(const Installation& installation, const std::string& folder) {
  return {
      {.name = "driver answers",
       .mend = "see that nvidia-smi works and that you may use /dev/nvidia* (group video, or the "
               "container's --gpus)",
       .ask = [folder] { return ProbeCuda(folder + "/" + abi::kCudaSoname); }},
      {.name = "cards",
       .mend = "see that nvidia-smi works",
       .ask = [folder] { return ProbeCards(folder); }},
      {.name = "limit reaches a program",
       .mend = "run it again with WARPSHARE_LOG=FILE:trace and read FILE",
       .ask = [&installation, folder] { return ProbeTenant(installation, folder); }},
  };
}

}  // namespace

std::vector<Check> CheckDriver(const Installation& installation, bool simulated) {
  const auto driver = ChooseDriver(installation, simulated);
  if (!driver)
    return {{.name = "driver",
             .health = Health::kBroken,
             .finding = driver.error().message,
             .mend = simulated ? "install warpshare again"
                               : "install the NVIDIA driver, or try: warpshare doctor --sim"}};
  std::vector<Check> checks = {{.name = "driver",
                                .health = Health::kFine,
                                .finding = driver->folder + ", found by " + driver->found_by,
                                .mend = {}}};
  if (!simulated) {
    const std::vector<Check> nodes = CheckDeviceNodes("/dev");
    checks.insert(checks.end(), nodes.begin(), nodes.end());
  }
  for (const Probe& probe : DriverProbes(installation, driver->folder)) {
    if (checks.back().health == Health::kBroken) break;
    checks.push_back(Ask(probe));
  }
  return checks;
}

}  // namespace warpshare::app
