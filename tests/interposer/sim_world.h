// A simulated machine of one test, and what a program needs in its environment to meet it, bare or
// as a tenant.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "abi/names/env.h"
#include "library_paths.h"
#include "run_program.h"
#include "tenant_dir.h"

namespace warpshare::testing {

inline constexpr uint64_t kMiB = uint64_t{1} << 20;

// Two cards of 4 GiB; contexts and modules cost 1 MiB, so that the figures of a test are its
// allocations.
class SimWorld {
 public:
  // `scenario`: what docs/simgpu.md says of scenario files, but for the figures above.
  explicit SimWorld(const std::string& scenario = "") {
    std::string name = "/dev/shm/warpshare-world-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
    path_ = name;
    std::filesystem::permissions(path_, std::filesystem::perms::all);
    if (scenario.empty()) return;
    scenario_ = path_ + "/test.scenario";
    std::ofstream(scenario_) << scenario;
  }
  ~SimWorld() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  SimWorld(const SimWorld&) = delete;
  SimWorld& operator=(const SimWorld&) = delete;

  Environment Bare() const {
    return {{"SIMGPU_WORLD", path_},          {"SIMGPU_CARDS", "2"},
            {"SIMGPU_MEMORY", "4GiB"},        {"SIMGPU_CONTEXT_MEMORY", "1MiB"},
            {"SIMGPU_MODULE_MEMORY", "1MiB"}, {"SIMGPU_SCENARIO", scenario_},
            {"LD_LIBRARY_PATH", kSimgpuDir},  {"CUDA_VISIBLE_DEVICES", ""},
            {abi::kEnvTenantDir, ""},         {abi::kEnvDriverDir, ""}};
  }
  // The interposer before the driver; a tenant if `tenant` is given.
  Environment Interposed(const TenantDir* tenant = nullptr) const {
    Environment environment = Bare();
    environment.emplace_back("LD_LIBRARY_PATH", kInterposerDir);
    environment.emplace_back(abi::kEnvDriverDir, kSimgpuDir);
    if (tenant != nullptr) environment.emplace_back(abi::kEnvTenantDir, tenant->path());
    return environment;
  }

  // Lets every user in, and whoever has changed his root to `folder`.
  void OpenToAll() const {
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      std::filesystem::permissions(entry, std::filesystem::perms::all);
    }
  }
  void LinkInto(const std::string& folder) const {
    const std::filesystem::path copy = folder + path_;
    std::filesystem::create_directories(copy / "exports");
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      if (entry.is_regular_file())
        std::filesystem::create_hard_link(entry, copy / entry.path().filename());
    }
  }

  // As the simulated cards have them.
  std::vector<std::array<uint8_t, 16>> Uuids() const;

 private:
  std::string path_;
  std::string scenario_;
};

// Runs the tenant program (tenant_program/main.cc).
inline std::vector<std::string> TenantCommand(const std::string& route,
                                              const std::vector<std::string>& steps) {
  std::vector<std::string> command = {route == "linked" ? kLinkedTenantProgram : kTenantProgram,
                                      route, "find"};
  command.insert(command.end(), steps.begin(), steps.end());
  return command;
}

inline std::vector<std::array<uint8_t, 16>> SimWorld::Uuids() const {
  const Ran ran = RunProgram(TenantCommand("dlopen", {"init", "uuid=0", "uuid=1"}), Bare());
  std::vector<std::array<uint8_t, 16>> uuids;
  for (size_t at = ran.out.find("uuid 0 "); at != std::string::npos;
       at = ran.out.find("uuid 0 ", at + 1)) {
    std::array<uint8_t, 16>& uuid = uuids.emplace_back();
    for (size_t i = 0; i < uuid.size(); ++i) {
      uuid[i] = static_cast<uint8_t>(std::stoi(ran.out.substr(at + 7 + 2 * i, 2), nullptr, 16));
    }
  }
  if (uuids.size() != 2)
    throw std::runtime_error("the simulated cards do not answer: " + ran.out + ran.err);
  return uuids;
}

}  // namespace warpshare::testing
