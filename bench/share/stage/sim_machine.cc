#include "bench/share/stage/sim_machine.h"

#include <stdio.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

namespace warpshare::bench {

namespace {

// Copies at 1 GB/s: a simulated copy moves its bytes, and at the speed of a real card's the
// processor could not keep up.
constexpr char kScenario[] =
    "memory = 4GiB\ncontext_memory = 1MiB\nmodule_memory = 1MiB\n"
    "host_to_device = 1GB/s\ndevice_to_host = 1GB/s\ndevice_to_device = 1GB/s\n";

testing::Ran Ask(const SimMachine& machine, const std::vector<std::string>& words) {
  std::vector<std::string> command = {machine.build().Program("warpshare")};
  command.insert(command.end(), words.begin(), words.end());
  return testing::RunProgram(command, machine.Tenant());
}

}  // namespace

Build Build::OfThisProgram() {
  std::error_code error;
  auto folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  while (folder.has_relative_path() && !std::filesystem::exists(folder / "lib/simgpu"))
    folder = folder.parent_path();
  return {.folder = folder};
}

SimMachine::SimMachine(Build build, int cards, const std::string& more) : build_(std::move(build)) {
  std::ofstream(folder() + "/scenario") << "cards = " << cards << "\n" << kScenario << more;
  shares_compute_ = Ask(*this, {"run", "--help"}).out.find("--cores") != std::string::npos;
}

testing::Environment SimMachine::Tenant() const {
  return {{"SIMGPU_WORLD", world()},
          {"SIMGPU_SCENARIO", folder() + "/scenario"},
          {"WARPSHARE_STATE_DIR", folder() + "/state"},
          {"CUDA_VISIBLE_DEVICES", ""},
          {"LD_LIBRARY_PATH", ""},
          {"WARPSHARE_TENANT_DIR", ""},
          {"WARPSHARE_DRIVER_DIR", ""}};
}

testing::Environment SimMachine::Bare() const {
  testing::Environment environment = Tenant();
  environment.emplace_back("LD_LIBRARY_PATH", build_.Library("simgpu"));
  return environment;
}

// Whoever has the lock of the state folder open.
pid_t SimMachine::Arbiter() const {
  namespace fs = std::filesystem;
  const fs::path lock = folder() + "/state/node.lock";
  std::error_code error;
  for (const auto& process : fs::directory_iterator("/proc")) {
    const std::string name = process.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    if (fs::read_symlink(process.path() / "exe", error).filename() != "warpshare-node") continue;
    for (const auto& fd : fs::directory_iterator(process.path() / "fd", error)) {
      if (fs::read_symlink(fd.path(), error) == lock) return static_cast<pid_t>(std::stol(name));
    }
  }
  return 0;
}

void SimMachine::StartArbiter() const {
  Warpshare({"run", "--sim", "--name", "starter", "--policy", "weighted", "--", "true"});
}

std::string SimMachine::Warpshare(const std::vector<std::string>& words) const {
  const testing::Ran ran = Ask(*this, words);
  if (ran.exit_code == 0) return ran.out;
  fprintf(stderr, "warpshare %s: %s\n", words.front().c_str(), ran.err.c_str());
  exit(1);
}

}  // namespace warpshare::bench
