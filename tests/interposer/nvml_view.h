// NVML as a tenant sees it beside the driver's own, over the simulated cards.
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <stdio.h>
#include <stdlib.h>

#include <array>
#include <string>
#include <vector>

#include "abi/driver/nvml_types.h"
#include "in_child.h"
#include "sim_world.h"

namespace warpshare::testing {

// What nvidia-smi and its like ask for.
struct Nvml {
  explicit Nvml(const std::string& folder)
      : library(dlopen((folder + "/libnvidia-ml.so.1").c_str(), RTLD_NOW)) {}
  template <typename... Args>
  nvmlReturn_t Call(const char* symbol, Args... args) const {
    return reinterpret_cast<nvmlReturn_t (*)(Args...)>(dlsym(library, symbol))(args...);
  }
  nvmlDevice_t Device(unsigned index) const {
    nvmlDevice_t device = nullptr;
    Call("nvmlDeviceGetHandleByIndex_v2", index, &device);
    return device;
  }
  std::string UuidOf(nvmlDevice_t device) const {
    char uuid[96] = "";
    Call("nvmlDeviceGetUUID", device, &uuid[0], 96U);
    return uuid;
  }
  unsigned Count() const {
    unsigned count = 99;
    Call("nvmlDeviceGetCount_v2", &count);
    return count;
  }

  void* library;
};

#define CHECK_THAT(condition) \
  if (!(condition))           \
  return fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition), false

class NvmlViewTest : public ::testing::Test {
 protected:
  using Body = bool (*)(const Nvml& ours, const Nvml& driver, NvmlViewTest& test);

  explicit NvmlViewTest(const std::string& scenario = "") : world_(scenario) {}

  // `body` in a process that has both, with NVML initialised through each.
  void Expect(Body body, const TenantDir* tenant) {
    EXPECT_EQ(InChild([&] { return Run(body, tenant); }), 0);
  }
  bool Run(Body body, const TenantDir* tenant) {
    for (const auto& [name, value] : world_.Interposed(tenant)) {
      if (value.empty())
        unsetenv(name.c_str());
      else
        setenv(name.c_str(), value.c_str(), 1);
    }
    const Nvml ours(kInterposerDir);
    const Nvml driver(kSimgpuDir);
    CHECK_THAT(driver.Call("nvmlInit_v2") == NVML_SUCCESS);
    CHECK_THAT(ours.Call("nvmlInit_v2") == NVML_SUCCESS);
    return body(ours, driver, *this);
  }

  // Bytes that some process of the tenant, this one, holds on its card.
  void Hold(uint32_t card, uint64_t bytes) {
    ASSERT_EQ(ledger::CardLedger(tenant_.usage(), card).Reserve(5, bytes, abi::kNoLimit),
              ledger::Verdict::kGranted);
  }

  SimWorld world_;
  std::vector<std::array<uint8_t, 16>> uuids_ = world_.Uuids();
  // In another order than the driver's.
  TenantDir tenant_{{{.uuid = uuids_[1], .memory_limit = 1024 * kMiB},
                     {.uuid = uuids_[0], .memory_limit = abi::kNoLimit}}};
  TenantDir one_card_{{{.uuid = uuids_[1], .memory_limit = 1024 * kMiB}}};
};

// How a program finds the machine's second card, which is the tenant's first.
inline const std::string kInTenant = "context=0";
inline const std::string kBeside = "context=1";

}  // namespace warpshare::testing
