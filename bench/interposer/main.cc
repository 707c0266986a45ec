// bench_interposer [--driver DIR | --null | --turn] [--only PART]: see README.md. Each tenant has a
// process of its own, as a process has one session.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <vector>

#include "abi/names/env.h"
#include "bench/interposer/calls.h"
#include "bench/interposer/libraries.h"
#include "bench/interposer/options.h"
#include "bench/interposer/process_start.h"
#include "bench/interposer/world.h"
#include "tests/interposer/tenant_dir.h"

namespace warpshare::bench {
namespace {

constexpr uint64_t kLimit = uint64_t{8} << 30;  // more than the cases ever hold

struct Tenant {
  const char* name;
  bool has_directory;
  uint64_t memory_limit;
  double budget_ns;
  bool shares_time = false;  // has a turn on the card that never ends
  bool has_threads = false;
  int cards = 1;
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
    {.name = "threads",
     .has_directory = true,
     .memory_limit = abi::kNoLimit,
     .budget_ns = 20,
     .has_threads = true},
    {.name = "cards",
     .has_directory = true,
     .memory_limit = abi::kNoLimit,
     .budget_ns = 20,
     .cards = 2},
    kTurn,
};

std::vector<testing::TenantCard> CardsOf(const Tenant& tenant, const Driver& driver) {
  std::vector<testing::TenantCard> cards;
  for (int i = 0; i < tenant.cards; ++i) {
    CUuuid uuid;
    Check(driver.DeviceGetUuid(&uuid, i), "cuDeviceGetUuid");
    testing::TenantCard& card = cards.emplace_back();
    memcpy(card.uuid.data(), uuid.bytes, card.uuid.size());
    card.memory_limit = tenant.memory_limit;
  }
  return cards;
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

void MeasureAs(const Tenant& tenant, const NamedDriver& driver, std::string_view only) {
  setenv(abi::kEnvDriverDir, driver.folder.c_str(), 1);
  Setup setup{.driver_name = driver.name.c_str(),
              .tenant = tenant.name,
              .budget_ns = tenant.budget_ns,
              .bare = OpenDriver(driver.folder),
              .hooked = {},
              .has_threads = tenant.has_threads,
              .only = only};
  Check(setup.bare.Init(0), "cuInit");
  int devices = 0;
  Check(setup.bare.DeviceGetCount(&devices), "cuDeviceGetCount");
  if (devices < tenant.cards) return;
  testing::TenantDir directory(CardsOf(tenant, setup.bare));
  if (tenant.shares_time) GiveTurn(directory);
  unsetenv(abi::kEnvTenantDir);
  if (tenant.has_directory) setenv(abi::kEnvTenantDir, directory.path().c_str(), 1);
  setup.hooked = OpenDriver(InterposerFolder());
  setup.hooked.displacing_ns = setup.bare.displacing_ns;
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
bool MeasureInChild(const Tenant& tenant, const NamedDriver& driver, std::string_view only) {
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    MeasureAs(tenant, driver, only);
    fflush(stdout);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status == 0;
}

}  // namespace
}  // namespace warpshare::bench

int main(int count, char** words) {
  using namespace warpshare::bench;
  Options options;
  if (!Read(count, words, options)) {
    fprintf(stderr, "usage: bench_interposer [--driver DIR | --null | --turn] [--only PART]\n");
    return 2;
  }
  const World world;
  if (options.only_turn) return MeasureInChild(kTurn, options.drivers.back(), options.only) ? 0 : 1;
  bool ok = true;
  for (const NamedDriver& driver : options.drivers) {
    for (const Tenant& tenant : kTenants) ok &= MeasureInChild(tenant, driver, options.only);
  }
  MeasureProcessStart(options.only);
  return ok ? 0 : 1;
}
