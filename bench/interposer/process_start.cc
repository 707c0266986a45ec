#include "bench/interposer/process_start.h"

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <array>
#include <fstream>
#include <string>
#include <vector>

#include "abi/names/env.h"
#include "bench/interposer/libraries.h"
#include "bench/interposer/report.h"
#include "bench/interposer/samples.h"
#include "tests/interposer/tenant_dir.h"

namespace warpshare::bench {

namespace {

constexpr double kBudgetNs = 100'000;
constexpr double kPatienceNs = 2e9;  // a case

using Environment = std::vector<std::string>;

struct Program {
  std::string path;
  std::string argument;  // or none
  std::string output;    // a file; or none
};

double NanosecondsOf(const timeval& time) {
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_usec) * 1e3;
}

// Returns the processor time that it took, which others who want the processor do not change.
double Run(const Program& program, const Environment& environment) {
  std::vector<char*> variables;
  for (const std::string& variable : environment)
    variables.push_back(const_cast<char*>(variable.c_str()));
  variables.push_back(nullptr);
  std::array<char*, 3> words = {const_cast<char*>(program.path.c_str()), nullptr, nullptr};
  if (!program.argument.empty()) words[1] = const_cast<char*>(program.argument.c_str());
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (!program.output.empty())
    posix_spawn_file_actions_addopen(&actions, 1, program.output.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t child;
  if (posix_spawn(&child, words[0], &actions, nullptr, words.data(), variables.data()) != 0) {
    perror(words[0]);
    exit(1);
  }
  posix_spawn_file_actions_destroy(&actions);
  rusage used{};
  wait4(child, nullptr, 0, &used);
  return NanosecondsOf(used.ru_utime) + NanosecondsOf(used.ru_stime);
}

Timing TimeStart(const Environment& bare, const Environment& hooked) {
  return Alternate<1>(kPatienceNs, [&](bool is_hooked) {
    return std::array{
        Run({.path = "/bin/true", .argument = {}, .output = {}}, is_hooked ? hooked : bare)};
  })[0];
}

void PrintStart(const char* name, const Timing& timing) {
  Print({.name = name, .driver = "none", .tenant = "limited", .live = 0, .budget_ns = kBudgetNs},
        timing);
}

// Mappings that are shared with other processes, in a process that only looks at its own.
int SharedMappings(const testing::TenantDir& tenant, const Environment& environment) {
  const std::string maps = tenant.path() + "/maps";
  Run({.path = "/bin/cat", .argument = "/proc/self/maps", .output = maps}, environment);
  std::ifstream lines(maps);
  int shared = 0;
  for (std::string range, mode, rest; lines >> range >> mode && std::getline(lines, rest);)
    shared += mode.ends_with('s');
  return shared;
}

}  // namespace

void MeasureProcessStart(std::string_view only) {
  const testing::TenantDir tenant({{.uuid = {1}, .memory_limit = 1 << 30}});
  const std::string folder = InterposerFolder();
  const Environment bare = {"LANG=C"};
  const Environment tenant_alone = {"LD_LIBRARY_PATH=" + folder,
                                    abi::kEnvTenantDir + ("=" + tenant.path())};
  Environment linked = tenant_alone;
  linked.push_back("LD_PRELOAD=" + folder + "/" + abi::kCudaSoname);
  Environment preloaded = tenant_alone;
  preloaded.push_back(linked.back() + ":" + folder + "/" + abi::kNvmlSoname);
  Environment empty = tenant_alone;
  empty.push_back("LD_PRELOAD=" + EmptyFolder() + "/libempty_1.so:" + EmptyFolder() +
                  "/libempty_2.so");
  const auto measure = [&](std::string_view name, const Environment& before,
                           const Environment& hooked) {
    if (name.find(only) != name.npos) PrintStart(name.data(), TimeStart(before, hooked));
  };
  measure("process_start", bare, tenant_alone);
  measure("process_start_linked", bare, linked);
  measure("process_start_preloaded", bare, preloaded);
  // Of that, what is ours: against the same with two libraries in which there is nothing.
  measure("process_start_preloaded_to_empty", empty, preloaded);
  measure("process_start_empty", bare, empty);
  measure("process_start_libm", bare, {bare.front(), "LD_PRELOAD=libm.so.6"});
  if (std::string_view("shared_mappings_at_start").find(only) == only.npos) return;
  printf(
      "{\"bench\": \"interposer\", \"case\": \"shared_mappings_at_start\", \"bare\": %d, "
      "\"hooked\": %d}\n",
      SharedMappings(tenant, bare), SharedMappings(tenant, preloaded));
}

}  // namespace warpshare::bench
