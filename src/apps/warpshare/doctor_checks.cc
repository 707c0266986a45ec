#include "apps/warpshare/doctor_checks.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "abi/names/env.h"
#include "node/local/arbiter_state.h"
#include "node/local/ensure_local_node.h"
#include "node/local/node_lock.h"
#include "node/local/other_arbiters.h"
#include "node/tenancy/card_promises.h"
#include "node/tenancy/leftovers.h"
#include "node/tenancy/state_dir.h"
#include "node/tenancy/tenant_report.h"
#include "platform/clock/clock.h"
#include "platform/driver_files/driver_files.h"
#include "platform/driver_files/elf_file.h"

namespace warpshare::app {

namespace {

namespace fs = std::filesystem;

Check CheckLibrary(const std::string& folder, const std::string& soname) {
  const std::string path = folder + "/" + soname;
  Check check = {.name = "library " + soname,
                 .health = Health::kBroken,
                 .finding = {},
                 .mend = "install warpshare again"};
  const auto library = platform::ReadElfFile(path);
  if (!library) {
    check.finding = library.error().message;
  } else if (library->soname != soname) {
    check.finding = path + " stands for '" + library->soname + "'";
  } else if (!platform::IsOurLibrary(path)) {
    check.finding = path + " is not warpshare's";
  } else {
    check = {.name = check.name, .health = Health::kFine, .finding = path, .mend = {}};
  }
  return check;
}

std::string ListOf(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

Check CheckLeftovers(const node::StateDir& state) {
  platform::SystemClock clock;
  std::vector<std::string> removed;
  if (const auto lock = state.Lock(clock)) removed = node::ReapLeftovers(state);
  if (const auto left = node::FindLeftovers(state); !left.empty())
    return {.name = "leftovers",
            .health = Health::kOdd,
            .finding = "tenants that nobody is in any more and that stay: " + ListOf(left),
            .mend = "remove them by hand from " + state.tenants_path()};
  return {.name = "leftovers",
          .health = Health::kFine,
          .finding = removed.empty()
                         ? "none"
                         : "removed tenants that nobody was in any more: " + ListOf(removed),
          .mend = {}};
}

Check HangingArbiter(const node::StateDir& state) {
  const auto pid = node::RunningNode(state);
  const std::string who = pid ? std::to_string(*pid) : "its process";
  return {.name = "arbiter",
          .health = Health::kOdd,
          .finding =
              "warpshare-node runs and does nothing: tenants keep themselves to their GPU "
              "time",
          .mend = "continue it (kill -CONT " + who + ") or end it (kill -KILL " + who +
                  "), and run this again"};
}

// Tried when somebody needs it: as with leftovers, looking mends.
Check CheckArbiter(const node::StateDir& state, const Installation& installation) {
  Check check = {.name = "arbiter", .health = Health::kFine, .finding = {}, .mend = {}};
  const std::string program = installation.program_folder + "/warpshare-node";
  const bool is_needed = node::IsAnyoneHeldBack(state);
  const auto now = platform::SystemClock().Now();
  const node::ArbiterState arbiter = node::ArbiterOf(state, node::ReportTenants(state), now);
  if (arbiter == node::ArbiterState::kRuns) {
    check.finding = "warpshare-node runs";
  } else if (arbiter == node::ArbiterState::kHangs) {
    return HangingArbiter(state);
  } else if (access(program.c_str(), X_OK) != 0) {
    check = {.name = check.name,
             .health = Health::kOdd,
             .finding = "cannot run " + program + ": tenants keep themselves to their GPU time",
             .mend = "install warpshare again"};
  } else if (!is_needed) {
    check.finding = "started with the first tenant that has a share of GPU time";
  } else if (const auto started = node::EnsureLocalNode(state, installation.program_folder)) {
    check.finding = "started warpshare-node, which did not run though tenants need it";
  } else {
    check = {.name = check.name,
             .health = Health::kOdd,
             .finding = started.error().message,
             .mend = "see " + state.path() + "/node.log"};
  }
  return check;
}

Check CheckOtherArbiters(const node::StateDir& state) {
  const std::vector<std::string> others = node::FindOtherArbiters(state);
  if (others.empty())
    return {.name = "other arbiters", .health = Health::kFine, .finding = "none", .mend = {}};
  return {.name = "other arbiters",
          .health = Health::kOdd,
          .finding = ListOf(others) + ": each holds only its own tenants to their shares",
          .mend = "run all tenants of a card as one user with one state folder (" +
                  std::string(abi::kEnvStateDir) + "), or all as pods"};
}

// Whose pages cannot be read is closed: its programs are refused everything (docs/decisions/0002).
Check CheckOpenTenants(const node::StateDir& state) {
  const std::vector<node::TenantReport> tenants = node::ReportTenants(state);
  std::vector<std::string> closed;
  for (const node::TenantReport& tenant : tenants)
    if (!tenant.problem.empty()) closed.push_back(tenant.name + ": " + tenant.problem);
  if (closed.empty())
    return {.name = "tenants",
            .health = Health::kFine,
            .finding = std::to_string(tenants.size()) + " in use",
            .mend = {}};
  return {
      .name = "tenants",
      .health = Health::kOdd,
      .finding = ListOf(closed),
      .mend = "end its programs and run them again: what is damaged is not repaired under them"};
}

// What the interposer is built for, and tools/check_interposer_abi sees to.
using Version = std::pair<unsigned, unsigned>;
constexpr Version kGlibcFloor{2, 17};

std::string TextOf(const Version& version) {
  return std::to_string(version.first) + "." + std::to_string(version.second);
}

// 0.0 where it is none. What follows the second number (2.36.9000) makes no difference here.
Version VersionIn(const std::string& text) {
  Version version{};
  const char* const end = text.data() + text.size();
  const auto major = std::from_chars(text.data(), end, version.first);
  if (major.ec != std::errc() || major.ptr == end || *major.ptr != '.') return {};
  const auto minor = std::from_chars(major.ptr + 1, end, version.second);
  return minor.ec == std::errc() ? version : Version{};
}

// Those that every program of CUDA opens, and those of the cards.
bool IsNodeOfDriver(std::string_view name) {
  constexpr std::string_view kCard = "nvidia";
  if (name == "nvidiactl" || name == "nvidia-uvm") return true;
  if (!name.starts_with(kCard) || name.size() == kCard.size()) return false;
  return name.find_first_not_of("0123456789", kCard.size()) == name.npos;
}

}  // namespace

Check CheckGlibc(const std::string& version) {
  Check check = {.name = "glibc",
                 .health = Health::kFine,
                 .finding = version + "; tenants need " + TextOf(kGlibcFloor) + " or later",
                 .mend = {}};
  if (VersionIn(version) >= kGlibcFloor) return check;
  check.health = Health::kBroken;
  check.mend = "run tenants on a newer system, or in a container that has one";
  return check;
}

std::vector<Check> CheckDeviceNodes(const std::string& folder) {
  std::vector<std::string> nodes;
  std::vector<std::string> closed;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    if (!IsNodeOfDriver(entry->path().filename().string())) continue;
    nodes.push_back(entry->path().string());
    if (faccessat(AT_FDCWD, nodes.back().c_str(), R_OK | W_OK, AT_EACCESS) != 0)
      closed.push_back(nodes.back() + " (" + std::strerror(errno) + ")");
  }
  if (nodes.empty()) return {};
  std::ranges::sort(nodes);
  std::ranges::sort(closed);
  if (closed.empty())
    return {
        {.name = "device nodes", .health = Health::kFine, .finding = ListOf(nodes), .mend = {}}};
  return {{.name = "device nodes",
           .health = Health::kOdd,
           .finding = "you may not read and write " + ListOf(closed),
           .mend = "become a member of the group that they belong to (ls -l; often video), or, in "
                   "a container, start it with --gpus"}};
}

std::vector<Check> CheckLibraries(const Installation& installation) {
  return {CheckLibrary(installation.interposer_folder, abi::kCudaSoname),
          CheckLibrary(installation.interposer_folder, abi::kNvmlSoname)};
}

std::vector<Check> CheckTenants(const Installation& installation) {
  const std::string path = node::StateDir::DefaultPath();
  const auto state = node::StateDir::Open(path, node::IfMissing::kMake);
  if (!state)
    return {{.name = "state folder",
             .health = Health::kBroken,
             .finding = state.error().message,
             .mend = "make it writable for you alone, or set " + std::string(abi::kEnvStateDir)}};
  return {{.name = "state folder", .health = Health::kFine, .finding = state->path(), .mend = {}},
          CheckLeftovers(*state),
          CheckOpenTenants(*state),
          CheckArbiter(*state, installation),
          CheckOtherArbiters(*state)};
}

}  // namespace warpshare::app
