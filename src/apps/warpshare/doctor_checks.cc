#include "apps/warpshare/doctor_checks.h"

#include <gnu/libc-version.h>

#include <algorithm>
#include <string>

#include "abi/names/env.h"
#include "node/tenancy/leftovers.h"
#include "node/tenancy/state_dir.h"
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
  const auto names = node::FindLeftovers(state);
  if (names.empty())
    return {.name = "leftovers", .health = Health::kFine, .finding = "none", .mend = {}};
  return {.name = "leftovers",
          .health = Health::kOdd,
          .finding = "tenants that nobody is in any more: " + ListOf(names),
          .mend = "run: warpshare ps (it removes them, as the next warpshare run does)"};
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

std::vector<Check> CheckTenants() {
  const std::string path = node::StateDir::DefaultPath();
  const auto state = node::StateDir::Open(path, node::IfMissing::kMake);
  if (!state)
    return {{.name = "state folder",
             .health = Health::kBroken,
             .finding = state.error().message,
             .mend = "make it writable for you alone, or set " + std::string(abi::kEnvStateDir)}};
  return {{.name = "state folder", .health = Health::kFine, .finding = state->path(), .mend = {}},
          CheckLeftovers(*state)};
}

}  // namespace warpshare::app
