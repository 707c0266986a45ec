// bench_interposer [--driver DIR | --null | --turn]: see README.md. Each tenant has a process of
// its own, as a process has one session.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <vector>

#include "abi/names/env.h"
#include "bench/interposer/calls.h"
#include "bench/interposer/libraries.h"
#include "bench/interposer/process_start.h"
#include "tests/interposer/tenant_dir.h"

namespace warpshare::bench {
namespace {

constexpr uint64_t kLimit = uint64_t{8} << 30;  // more than the cases ever hold

struct NamedDriver {
  std::string name;
  std::string folder;
};

struct Tenant {
  const char* name;
  bool has_directory;
  uint64_t memory_limit;
  double budget_ns;
  bool shares_time = false;  // has a turn on the card that never ends
};

constexpr Tenant kTurn = {.name = "turn",
                          .has_directory = true,
                          .memory_limit = abi::kNoLimit,
                          .budget_ns = 50,
                          .shares_time = true};

constexpr Tenant kTenants[] = {
    {.name = "none", .has_directory = false, .memory_limit = 0, .budget_ns = 20},
    {.name = "unlimited", .has_directory = true, .memory_limit = abi::kNoLimit, .budget_ns = 20},
    {.name = "limited", .has_directory = true, .memory_limit = kLimit, .budget_ns = 50},
    kTurn,
};

std::array<uint8_t, 16> FirstCard(const Driver& driver) {
  CUuuid uuid;
  Check(driver.DeviceGetUuid(&uuid, 0), "cuDeviceGetUuid");
  std::array<uint8_t, 16> bytes;
  memcpy(bytes.data(), uuid.bytes, bytes.size());
  return bytes;
}

// As an arbiter writes it for a tenant with a cap of the whole card, which nobody else wants.
void GiveTurn(testing::TenantDir& directory) {
  abi::CardLimitsV1& card = directory.limits().cards[0];
  card.compute.share_permille = 1000;
  card.compute.weight = 1;
  card.turn.valid_until_ns = UINT64_MAX;
  card.turn.word = 1;
  card.compute.mode = abi::ComputeMode::kHard;
}

void MeasureAs(const Tenant& tenant, const NamedDriver& driver) {
  setenv(abi::kEnvDriverDir, driver.folder.c_str(), 1);
  Setup setup{.driver_name = driver.name.c_str(),
              .tenant = tenant.name,
              .budget_ns = tenant.budget_ns,
              .bare = OpenDriver(driver.folder),
              .hooked = {}};
  Check(setup.bare.Init(0), "cuInit");
  testing::TenantDir directory(
      {{.uuid = FirstCard(setup.bare), .memory_limit = tenant.memory_limit}});
  if (tenant.shares_time) GiveTurn(directory);
  unsetenv(abi::kEnvTenantDir);
  if (tenant.has_directory) setenv(abi::kEnvTenantDir, directory.path().c_str(), 1);
  setup.hooked = OpenDriver(InterposerFolder());
  Check(setup.hooked.Init(0), "cuInit, interposed");
  CUcontext context;
  Check(setup.hooked.PrimaryCtxRetain(&context, 0), "cuDevicePrimaryCtxRetain");
  Check(setup.hooked.CtxSetCurrent(context), "cuCtxSetCurrent");
  if (tenant.shares_time)
    MeasureLaunch(setup);
  else
    MeasureCalls(setup);
}

// In a process of its own; false if that failed.
bool MeasureInChild(const Tenant& tenant, const NamedDriver& driver) {
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    MeasureAs(tenant, driver);
    fflush(stdout);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status == 0;
}

// A world of this run, unless the caller named one.
class World {
 public:
  World() {
    if (getenv("SIMGPU_WORLD") != nullptr) return;
    std::string name = "/dev/shm/warpshare-bench-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) return;
    folder_ = name;
    setenv("SIMGPU_WORLD", folder_.c_str(), 1);
  }
  ~World() {
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

 private:
  std::string folder_;
};

}  // namespace
}  // namespace warpshare::bench

int main(int count, char** words) {
  using namespace warpshare::bench;
  std::vector<NamedDriver> drivers = {{"null", NullDriverFolder()}};
  const bool only_turn = count == 2 && strcmp(words[1], "--turn") == 0;
  if (count == 1 || only_turn) {
    drivers.push_back({"simgpu", SimgpuFolder()});
  } else if (count == 3 && strcmp(words[1], "--driver") == 0) {
    drivers.push_back({words[2], words[2]});
  } else if (count != 2 || strcmp(words[1], "--null") != 0) {
    fprintf(stderr, "usage: bench_interposer [--driver DIR | --null | --turn]\n");
    return 2;
  }
  const World world;
  if (only_turn) return MeasureInChild(kTurn, drivers.back()) ? 0 : 1;
  bool ok = true;
  for (const NamedDriver& driver : drivers) {
    for (const Tenant& tenant : kTenants) ok &= MeasureInChild(tenant, driver);
  }
  MeasureProcessStart();
  return ok ? 0 : 1;
}
