// bench_interposer [--driver DIR]: see README.md. Each tenant has a process of its own, as a
// process has one session.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "abi/names/env.h"
#include "calls.h"
#include "library_paths.h"
#include "process_start.h"
#include "tenant_dir.h"

namespace warpshare::bench {
namespace {

constexpr uint64_t kLimit = uint64_t{8} << 30;  // more than the cases ever hold

std::array<uint8_t, 16> FirstCard(const Driver& driver) {
  CUuuid uuid;
  Check(driver.DeviceGetUuid(&uuid, 0), "cuDeviceGetUuid");
  std::array<uint8_t, 16> bytes;
  memcpy(bytes.data(), uuid.bytes, bytes.size());
  return bytes;
}

void MeasureAs(const char* tenant, const std::string& driver_folder) {
  setenv(abi::kEnvDriverDir, driver_folder.c_str(), 1);
  Setup setup{.tenant = tenant, .bare = OpenDriver(driver_folder), .hooked = {}};
  Check(setup.bare.Init(0), "cuInit");
  const bool is_limited = strcmp(tenant, "limited") == 0;
  testing::TenantDir directory(
      {{.uuid = FirstCard(setup.bare), .memory_limit = is_limited ? kLimit : abi::kNoLimit}});
  if (strcmp(tenant, "no_tenant") == 0) {
    unsetenv(abi::kEnvTenantDir);
  } else {
    setenv(abi::kEnvTenantDir, directory.path().c_str(), 1);
  }
  setup.hooked = OpenDriver(testing::kInterposerDir);
  Check(setup.hooked.Init(0), "cuInit, interposed");
  CUcontext context;
  Check(setup.hooked.PrimaryCtxRetain(&context, 0), "cuDevicePrimaryCtxRetain");
  Check(setup.hooked.CtxSetCurrent(context), "cuCtxSetCurrent");
  MeasureCalls(setup);
}

// In a process of its own; false if that failed.
bool MeasureInChild(const char* tenant, const std::string& driver_folder) {
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    MeasureAs(tenant, driver_folder);
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

 private:
  std::string folder_;
};

}  // namespace
}  // namespace warpshare::bench

int main(int count, char** words) {
  using namespace warpshare;
  std::string driver_folder = testing::kSimgpuDir;
  if (count == 3 && strcmp(words[1], "--driver") == 0) {
    driver_folder = words[2];
  } else if (count != 1) {
    fprintf(stderr, "usage: bench_interposer [--driver DIR]\n");
    return 2;
  }
  const bench::World world;
  bool ok = true;
  for (const char* tenant : {"no_tenant", "unlimited", "limited"})
    ok &= bench::MeasureInChild(tenant, driver_folder);
  bench::MeasureProcessStart();
  return ok ? 0 : 1;
}
