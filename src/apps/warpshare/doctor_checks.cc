#include "apps/warpshare/doctor_checks.h"

#include <gnu/libc-version.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "abi/names/env.h"
#include "node/local/ensure_local_node.h"
#include "node/local/node_lock.h"
#include "node/tenancy/card_promises.h"
#include "node/tenancy/leftovers.h"
#include "node/tenancy/state_dir.h"
#include "platform/clock/clock.h"
#include "platform/driver_files/driver_files.h"
#include "platform/driver_files/elf_file.h"

namespace warpshare::app {

namespace {

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

// Tried when somebody needs it: as with leftovers, looking mends.
Check CheckArbiter(const node::StateDir& state, const Installation& installation) {
  Check check = {.name = "arbiter", .health = Health::kFine, .finding = {}, .mend = {}};
  const std::string program = installation.program_folder + "/warpshare-node";
  const bool is_needed = node::IsAnyoneHeldBack(state);
  if (node::IsNodeRunning(state)) {
    check.finding = "warpshare-node runs";
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

}  // namespace

Check CheckGlibc() {
  // What the interposer is built for, and tools/check_interposer_abi sees to.
  return {.name = "glibc",
          .health = Health::kFine,
          .finding = std::string(gnu_get_libc_version()) + "; tenants need 2.17 or later",
          .mend = {}};
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
          CheckArbiter(*state, installation)};
}

}  // namespace warpshare::app
