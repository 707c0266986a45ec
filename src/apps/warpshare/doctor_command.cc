#include "apps/warpshare/doctor_command.h"

#include <gnu/libc-version.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string>
#include <vector>

#include "apps/warpshare/complaint.h"
#include "apps/warpshare/doctor_checks.h"
#include "apps/warpshare/installation.h"
#include "apps/warpshare/json_writer.h"

namespace warpshare::app {

namespace {

const char* Word(Health health) {
  switch (health) {
    case Health::kFine:
      return "ok";
    case Health::kOdd:
      return "warning";
    case Health::kBroken:
      break;
  }
  return "error";
}

std::vector<Check> AllChecks(const DoctorOptions& options) {
  const Installation installation = Installation::Find();
  std::vector<Check> checks = {CheckGlibc(gnu_get_libc_version())};
  for (auto&& some : {CheckLibraries(installation), CheckTenants(installation),
                      CheckDriver(installation, options.simulated)})
    checks.insert(checks.end(), some.begin(), some.end());
  return checks;
}

void Print(const std::vector<Check>& checks) {
  for (const Check& check : checks) {
    std::printf("%-8s %s: %s\n", Word(check.health), check.name.c_str(), check.finding.c_str());
    if (!check.mend.empty()) std::printf("%-8s   mend: %s\n", "", check.mend.c_str());
  }
}

std::string Json(const std::vector<Check>& checks) {
  JsonWriter json;
  json.BeginObject().Key("checks").BeginList();
  for (const Check& check : checks) {
    json.BeginObject().Key("name").Text(check.name).Key("health").Text(Word(check.health));
    json.Key("finding").Text(check.finding).Key("mend");
    check.mend.empty() ? json.Null() : json.Text(check.mend);
    json.EndObject();
  }
  return json.EndList().EndObject().text();
}

}  // namespace

int Doctor(const DoctorOptions& options) {
  const auto checks = AllChecks(options);
  if (options.json)
    std::puts(Json(checks).c_str());
  else
    Print(checks);
  const bool broken = std::ranges::any_of(
      checks, [](const Check& check) { return check.health == Health::kBroken; });
  return broken ? kFailure : kSuccess;
}

}  // namespace warpshare::app
