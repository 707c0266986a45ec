#include "apps/warpshare/run_command.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "abi/names/env.h"
#include "apps/warpshare/arbiter_start.h"
#include "apps/warpshare/arguments.h"
#include "apps/warpshare/complaint.h"
#include "apps/warpshare/compute_words.h"
#include "apps/warpshare/driver_choice.h"
#include "apps/warpshare/installation.h"
#include "apps/warpshare/overpromise_warning.h"
#include "apps/warpshare/tenant_environment.h"
#include "node/tenancy/card_choice.h"
#include "node/tenancy/membership.h"
#include "node/tenancy/state_dir.h"
#include "platform/clock/clock.h"
#include "platform/nvml/nvml.h"
#include "platform/process/foreground.h"

namespace warpshare::app {

namespace {

std::optional<std::string> Variable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr) return std::nullopt;
  return value;
}

std::string GeneratedName() {
  return "run-" + std::to_string(getpid()) + "-" + node::RandomKey().substr(0, 6);
}

// A tenant inside of a tenant would have limits of its own and escape those around it.
Result<void> CheckNotInATenant() {
  struct stat status = {};
  const bool in_container = stat(abi::kFixedTenantDir, &status) == 0;
  if (!in_container && Variable(abi::kEnvTenantDir).value_or("").empty()) return {};
  return Fail(Errc::kConflict,
              "this is inside of a tenant already, whose limits hold for all that it starts: run "
              "the program without warpshare, or leave the tenant first");
}

// What the command line says by itself; the rest is asked of the driver.
struct Words {
  TenantName name;
  std::optional<MemoryAmount> memory;
  std::optional<node::ComputeRequest> compute;
};

Result<Words> ReadWords(const RunOptions& options) {
  auto name = ReadTenantName(options.name.value_or(GeneratedName()));
  if (!name) return Forward(name);
  const auto compute = ReadCompute(options.compute);
  if (!compute) return Fail(compute.error());
  Words words{.name = std::move(*name), .memory = std::nullopt, .compute = *compute};
  if (!options.memory) return words;
  const auto memory = ReadMemory(*options.memory);
  if (!memory) return Fail(memory.error());
  words.memory = *memory;
  return words;
}

// Also where none of them was asked for: who is told nothing would miss it.
void WarnOfUnreadable(const platform::CardList& machine) {
  for (const platform::UnreadableCard& card : machine.unreadable)
    Complain("warning: " + card.reason.message + ": it is left out: run: warpshare doctor");
}

void WarnOfOrder(const platform::CardList& machine, const std::vector<platform::Card>& chosen) {
  if (!node::CountsOtherwise(machine, Variable("CUDA_VISIBLE_DEVICES"),
                             Variable("CUDA_DEVICE_ORDER")))
    return;
  std::string names;
  for (const platform::Card& card : chosen)
    names += (names.empty() ? "" : ", ") + std::to_string(card.index) + " (" + card.name + ")";
  Complain("warning: CUDA_VISIBLE_DEVICES is read in the order of nvidia-smi: " + names +
           ": name cards with --gpu, or set CUDA_DEVICE_ORDER=PCI_BUS_ID");
}

Result<node::TenantRequest> MakeRequest(const RunOptions& options, const Words& words,
                                        const std::string& driver_folder) {
  auto machine = platform::ListCards(driver_folder);
  if (!machine) return Forward(machine);
  auto chosen = node::ChooseCards(*machine, options.cards, Variable("CUDA_VISIBLE_DEVICES"));
  if (!chosen) return Forward(chosen);
  WarnOfUnreadable(*machine);
  if (options.cards.empty()) WarnOfOrder(*machine, *chosen);
  return node::TenantRequest{.name = words.name,
                             .machine = std::move(machine->cards),
                             .chosen = std::move(*chosen),
                             .cards_stated = !options.cards.empty(),
                             .memory = words.memory,
                             .compute = words.compute};
}

// Also one that was there before this run.
bool IsHeldBack(const platform::Limits& limits) {
  return std::ranges::any_of(limits.cards, [](const platform::CardLimit& card) {
    return node::FromPage(card.compute).has_value();
  });
}

int RunProgram(const platform::ForegroundCommand& command) {
  const auto exit_code = platform::RunInForeground(command);
  if (exit_code) return *exit_code;
  const Error& error = exit_code.error();
  Complain(error.message);
  if (error.code == Errc::kNotFound) return kNotFound;
  return error.code == Errc::kNotRunnable ? kNotRunnable : kFailure;
}

}  // namespace

int Run(const RunOptions& options) {
  const auto words = ReadWords(options);
  if (!words) return ExitWith(words.error());
  if (auto outside = CheckNotInATenant(); !outside) return ExitWith(outside.error());
  const Installation installation = Installation::Find();
  if (auto there = CheckInterposer(installation); !there) return ExitWith(there.error());
  const auto driver = ChooseDriver(installation, options.simulated);
  if (!driver) return ExitWith(driver.error());
  const auto request = MakeRequest(options, *words, driver->folder);
  if (!request) return ExitWith(request.error());

  platform::SystemClock clock;
  const auto state = node::StateDir::Open(node::StateDir::DefaultPath(), node::IfMissing::kMake);
  if (!state) return ExitWith(state.error());
  auto membership = node::Membership::Enter(*state, *request, clock);
  if (!membership) return ExitWith(NamingTheFlag(membership.error()));
  if (IsHeldBack(membership->limits())) SeeToArbiter(*state);
  if (words->compute) WarnOfOverpromises(*state, words->name);
  const TenantSurroundings surroundings = {.interposer_folder = installation.interposer_folder,
                                           .driver_folder = driver->folder,
                                           .preload = options.preload};
  const int exit_code = RunProgram(
      {.arguments = options.command, .environment = TenantEnvironment(surroundings, *membership)});
  membership->Leave(*state, clock);
  return exit_code;
}

}  // namespace warpshare::app
