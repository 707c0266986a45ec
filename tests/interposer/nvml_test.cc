// The tenant's view through NVML, over the simulated cards.
#include "nvml_view.h"

#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "ledger/memory_slot.h"

namespace warpshare::testing {
namespace {

TEST_F(NvmlViewTest, WithoutATenantItIsTheDrivers) {
  Expect(
      [](const Nvml& ours, const Nvml& driver, NvmlViewTest&) {
        CHECK_THAT(ours.Count() == 2 && ours.Device(0) == driver.Device(0));
        nvmlMemory_t memory{};
        CHECK_THAT(ours.Call("nvmlDeviceGetMemoryInfo", ours.Device(0), &memory) == NVML_SUCCESS);
        return memory.total == 4096 * kMiB;
      },
      nullptr);
}

TEST_F(NvmlViewTest, DevicesAreTheTenantsInItsOrder) {
  Expect(
      [](const Nvml& ours, const Nvml& driver, NvmlViewTest&) {
        CHECK_THAT(ours.Count() == 2);
        CHECK_THAT(ours.UuidOf(ours.Device(0)) == driver.UuidOf(driver.Device(1)));
        CHECK_THAT(ours.UuidOf(ours.Device(1)) == driver.UuidOf(driver.Device(0)));
        unsigned index = 99;
        CHECK_THAT(ours.Call("nvmlDeviceGetIndex", ours.Device(1), &index) == NVML_SUCCESS &&
                   index == 1);
        nvmlDevice_t device = nullptr;
        CHECK_THAT(ours.Call("nvmlDeviceGetHandleByIndex_v2", 2U, &device) ==
                   NVML_ERROR_INVALID_ARGUMENT);
        return true;
      },
      &tenant_);
}

TEST_F(NvmlViewTest, ACardOfSomebodyElseIsNotFound) {
  Expect(
      [](const Nvml& ours, const Nvml& driver, NvmlViewTest&) {
        CHECK_THAT(ours.Count() == 1);
        nvmlDevice_t device = nullptr;
        for (const unsigned index : {0U, 1U}) {
          const nvmlReturn_t expected = index == 1 ? NVML_SUCCESS : NVML_ERROR_NOT_FOUND;
          const std::string uuid = driver.UuidOf(driver.Device(index));
          nvmlPciInfo_t pci{};
          driver.Call("nvmlDeviceGetPciInfo_v3", driver.Device(index), &pci);
          CHECK_THAT(ours.Call("nvmlDeviceGetHandleByUUID", uuid.c_str(), &device) == expected);
          CHECK_THAT(ours.Call("nvmlDeviceGetHandleByPciBusId_v2", &pci.busId[0], &device) ==
                     expected);
          char serial[64] = "";
          if (driver.Call("nvmlDeviceGetSerial", driver.Device(index), &serial[0], 64U) ==
              NVML_SUCCESS) {
            CHECK_THAT(ours.Call("nvmlDeviceGetHandleBySerial", &serial[0], &device) == expected);
          }
        }
        return ours.Call("nvmlDeviceGetHandleByUUID", "GPU-nonsense", &device) != NVML_SUCCESS;
      },
      &one_card_);
}

template <typename... Args>
std::vector<nvmlDevice_t> Near(const Nvml& nvml, const char* symbol, Args... args) {
  unsigned count = 4;
  std::vector<nvmlDevice_t> devices(count);
  if (nvml.Call(symbol, args..., &count, devices.data()) != NVML_SUCCESS) count = 0;
  devices.resize(count);
  return devices;
}

TEST_F(NvmlViewTest, ACardOfSomebodyElseIsNearNothing) {
  Expect(
      [](const Nvml& ours, const Nvml& driver, NvmlViewTest&) {
        constexpr const char* kNearest = "nvmlDeviceGetTopologyNearestGpus";
        constexpr const char* kSet = "nvmlSystemGetTopologyGpuSet";
        CHECK_THAT(Near(driver, kNearest, driver.Device(1), NVML_TOPOLOGY_NODE).size() == 1);
        CHECK_THAT(Near(ours, kNearest, ours.Device(0), NVML_TOPOLOGY_NODE).empty());
        CHECK_THAT(Near(driver, kSet, 0U).size() == 2);
        CHECK_THAT(Near(ours, kSet, 0U) == std::vector{ours.Device(0)});
        unsigned count = 0;
        const nvmlReturn_t told =
            driver.Call(kSet, 0U, &count, static_cast<nvmlDevice_t*>(nullptr));
        CHECK_THAT(ours.Call(kSet, 0U, &count, static_cast<nvmlDevice_t*>(nullptr)) == told);
        return count == 1;
      },
      &one_card_);
}

TEST_F(NvmlViewTest, ACardOfSomebodyElseThatHangsKeepsNobodyWaiting) {
  Expect(
      [](const Nvml& ours, const Nvml& driver, NvmlViewTest&) {
        const std::string uuid = driver.UuidOf(driver.Device(0));
        nvmlPciInfo_t pci{};
        driver.Call("nvmlDeviceGetPciInfo_v3", driver.Device(0), &pci);
        nvmlUUID_t versioned{.version = nvmlUUID_v1, .type = NVML_UUID_TYPE_ASCII, .value = {}};
        strncpy(versioned.value.str, uuid.c_str(), sizeof(versioned.value.str) - 1);
        std::ofstream(std::string(getenv("SIMGPU_WORLD")) + "/hang0") << "";
        alarm(20);  // or this would wait for ever
        CHECK_THAT(ours.Call("nvmlInit_v2") == NVML_SUCCESS);
        CHECK_THAT(ours.Count() == 1);
        nvmlDevice_t device = nullptr;
        CHECK_THAT(ours.Call("nvmlDeviceGetHandleByUUID", uuid.c_str(), &device) ==
                   NVML_ERROR_NOT_FOUND);
        CHECK_THAT(ours.Call("nvmlDeviceGetHandleByUUIDV", &versioned, &device) ==
                   NVML_ERROR_NOT_FOUND);
        CHECK_THAT(ours.Call("nvmlDeviceGetHandleByPciBusId_v2", &pci.busId[0], &device) ==
                   NVML_ERROR_NOT_FOUND);
        CHECK_THAT(
            Near(ours, "nvmlDeviceGetTopologyNearestGpus", ours.Device(0), NVML_TOPOLOGY_NODE)
                .empty());
        nvmlMemory_t memory{};
        CHECK_THAT(ours.Call("nvmlDeviceGetMemoryInfo", ours.Device(0), &memory) == NVML_SUCCESS);
        return memory.total == 1024 * kMiB;
      },
      &one_card_);
}

// This one fills what room there is, and is content.
TEST_F(NvmlViewTest, AListOfDevicesIsGivenAsTheDriverGivesIt) {
  EXPECT_EQ(
      InChild([&] {
        for (const auto& [name, value] : world_.Interposed(&tenant_))
          setenv(name.c_str(), value.c_str(), 1);
        setenv(abi::kEnvDriverDir, kAccountingDriverDir.c_str(), 1);
        const Nvml ours(kInterposerDir);
        CHECK_THAT(ours.Call("nvmlInit_v2") == NVML_SUCCESS);
        const auto null = static_cast<nvmlDevice_t*>(nullptr);
        unsigned count = 0;
        CHECK_THAT(ours.Call("nvmlUnitGetDevices", null, &count, null) == NVML_SUCCESS);
        CHECK_THAT(count == 2);
        nvmlDevice_t devices[4] = {};
        count = 1;
        CHECK_THAT(ours.Call("nvmlUnitGetDevices", null, &count, &devices[0]) == NVML_SUCCESS);
        CHECK_THAT(count == 1 && devices[0] == ours.Device(0) && devices[1] == nullptr);
        count = 4;
        CHECK_THAT(ours.Call("nvmlUnitGetDevices", null, &count, &devices[0]) == NVML_SUCCESS);
        return count == 2 && devices[1] == ours.Device(1);
      }),
      0);
}

TEST_F(NvmlViewTest, TheLimitIsTheTotal) {
  Hold(0, 300 * kMiB);
  Expect(
      [](const Nvml& ours, const Nvml&, NvmlViewTest&) {
        nvmlMemory_t memory{};
        CHECK_THAT(ours.Call("nvmlDeviceGetMemoryInfo", ours.Device(0), &memory) == NVML_SUCCESS);
        CHECK_THAT(memory.total == 1024 * kMiB && memory.used == 300 * kMiB &&
                   memory.free == 724 * kMiB);
        nvmlMemory_v2_t memory_v2{};
        memory_v2.version = nvmlMemory_v2;
        CHECK_THAT(ours.Call("nvmlDeviceGetMemoryInfo_v2", ours.Device(0), &memory_v2) ==
                   NVML_SUCCESS);
        CHECK_THAT(memory_v2.total == 1024 * kMiB && memory_v2.used == 300 * kMiB &&
                   memory_v2.reserved == 0 && memory_v2.free == 724 * kMiB);
        CHECK_THAT(ours.Call("nvmlDeviceGetMemoryInfo", ours.Device(1), &memory) == NVML_SUCCESS);
        CHECK_THAT(memory.total == 4096 * kMiB);
        CHECK_THAT(ours.Call("nvmlDeviceGetMemoryInfo", ours.Device(0),
                             static_cast<nvmlMemory_t*>(nullptr)) == NVML_ERROR_INVALID_ARGUMENT);
        return true;
      },
      &tenant_);
}

TEST_F(NvmlViewTest, ALoweredLimitLeavesNothingFree) {
  Hold(0, 300 * kMiB);
  tenant_.SetLimit(0, 100 * kMiB);
  Expect(
      [](const Nvml& ours, const Nvml&, NvmlViewTest&) {
        nvmlMemory_t memory{};
        ours.Call("nvmlDeviceGetMemoryInfo", ours.Device(0), &memory);
        return memory.total == 100 * kMiB && memory.used == 300 * kMiB && memory.free == 0;
      },
      &tenant_);
}

// Two programs on one card, one of them the tenant's.
class NvmlProcessesTest : public NvmlViewTest {
 protected:
  static std::vector<std::string> Steps(const std::string& context) {
    return TenantCommand(
        "lookup2", {"init", context, "alloc=" + std::to_string(64 * kMiB), "say=holds", "wait"});
  }
  void SetUp() override {
    ASSERT_TRUE(own_.AwaitOutput("holds"));
    ASSERT_TRUE(other_.AwaitOutput("holds"));
  }

  RunningProgram own_{Steps(kInTenant), world_.Interposed(&tenant_)};
  RunningProgram other_{Steps(kBeside), world_.Bare()};
};

bool ListsOnlyItsOwn(const Nvml& ours, const Nvml& driver, NvmlViewTest& test);

TEST_F(NvmlProcessesTest, OnlyTheTenantsOwnAreListed) { Expect(ListsOnlyItsOwn, &tenant_); }

template <typename Info>
std::vector<Info> List(const Nvml& nvml, const char* symbol, unsigned index) {
  unsigned count = 0;
  std::vector<Info> infos;
  if (nvml.Call(symbol, nvml.Device(index), &count, static_cast<Info*>(nullptr)) ==
      NVML_ERROR_INSUFFICIENT_SIZE) {
    infos.resize(count);
    if (nvml.Call(symbol, nvml.Device(index), &count, infos.data()) != NVML_SUCCESS) infos.clear();
  }
  return infos;
}

bool ListsOnlyItsOwn(const Nvml& ours, const Nvml& driver, NvmlViewTest&) {
  CHECK_THAT(List<nvmlProcessInfo_v1_t>(driver, "nvmlDeviceGetComputeRunningProcesses", 1).size() ==
             2);
  CHECK_THAT(List<nvmlProcessInfo_v1_t>(ours, "nvmlDeviceGetComputeRunningProcesses", 0).size() ==
             1);
  CHECK_THAT(
      List<nvmlProcessInfo_v2_t>(ours, "nvmlDeviceGetComputeRunningProcesses_v2", 0).size() == 1);
  CHECK_THAT(
      List<nvmlProcessInfo_v2_t>(ours, "nvmlDeviceGetComputeRunningProcesses_v3", 0).size() == 1);
  CHECK_THAT(
      List<nvmlProcessInfo_v2_t>(ours, "nvmlDeviceGetGraphicsRunningProcesses_v3", 0).empty());
  nvmlProcessDetail_v1_t details[4];
  nvmlProcessDetailList_t list{.version = nvmlProcessDetailList_v1,
                               .mode = 0,
                               .numProcArrayEntries = 4,
                               .procArray = details};
  const nvmlReturn_t result =
      ours.Call("nvmlDeviceGetRunningProcessDetailList", ours.Device(0), &list);
  CHECK_THAT(result == NVML_ERROR_NOT_SUPPORTED ||
             (result == NVML_SUCCESS && list.numProcArrayEntries == 1));
  return true;
}

bool TellsWhatEachIsCharged(const Nvml& ours, const Nvml&, NvmlViewTest&) {
  const uint64_t charged = 72 * kMiB;
  const auto v1 = List<nvmlProcessInfo_v1_t>(ours, "nvmlDeviceGetComputeRunningProcesses", 0);
  CHECK_THAT(v1.size() == 1 && v1[0].usedGpuMemory == charged);
  const auto v3 = List<nvmlProcessInfo_v2_t>(ours, "nvmlDeviceGetComputeRunningProcesses_v3", 0);
  CHECK_THAT(v3.size() == 1 && v3[0].usedGpuMemory == charged);
  nvmlMemory_t memory{};
  CHECK_THAT(ours.Call("nvmlDeviceGetMemoryInfo", ours.Device(0), &memory) == NVML_SUCCESS);
  return memory.used == charged;
}

// 64 MiB and a context of 1, and 7 of which the driver knows nothing.
TEST_F(NvmlProcessesTest, EachIsListedWithWhatItIsCharged) {
  ASSERT_EQ(ledger::CardLedger(tenant_.usage(), 0).Reserve(0, 7 * kMiB, abi::kNoLimit),
            ledger::Verdict::kGranted);
  Expect(TellsWhatEachIsCharged, &tenant_);
}

// Somebody holds the lock of its slot.
TEST_F(NvmlProcessesTest, WhatOneHasExportedIsItsOwn) {
  constexpr uint32_t kSlot = abi::kProcessSlots;
  ledger::OwnerIdentity maker{};
  uint64_t generation = 0;
  ASSERT_TRUE(ledger::ReadOwner(tenant_.usage(), 0, maker, generation));
  const ledger::MemoryName name{
      .pid = maker.pid, .pid_namespace = maker.pid_namespace, .serial = 1, .common = 0};
  const int usage = open(tenant_.usage_file().c_str(), O_RDWR | O_CLOEXEC);
  struct flock lock{};
  lock.l_type = F_RDLCK;
  lock.l_start = static_cast<off_t>(abi::SlotLockByte(kSlot));
  lock.l_len = 1;
  ASSERT_EQ(fcntl(usage, F_OFD_SETLK, &lock), 0);
  ASSERT_NE(ledger::TakeSlot(tenant_.usage(), kSlot, ledger::OwnerOf(name)), 0u);
  ASSERT_EQ(ledger::CardLedger(tenant_.usage(), 0).Reserve(kSlot, 7 * kMiB, abi::kNoLimit),
            ledger::Verdict::kGranted);
  Expect(TellsWhatEachIsCharged, &tenant_);
  close(usage);
}

// The pids of slots, such as that of who holds 65 MiB, are nobody's there.
TEST_F(NvmlProcessesTest, AForkChildInAnotherPidNamespaceTakesNobodyForDead) {
  if (geteuid() != 0) GTEST_SKIP() << "may not make a pid namespace";
  Expect(
      [](const Nvml& ours, const Nvml&, NvmlViewTest&) {
        CHECK_THAT(unshare(CLONE_NEWPID) == 0);
        const auto holds = [&ours] {
          nvmlMemory_t memory{};
          ours.Call("nvmlDeviceGetMemoryInfo", ours.Device(0), &memory);
          return memory.used == 65 * kMiB;
        };
        return InChild(holds) == 0 && holds();
      },
      &tenant_);
}

TEST_F(NvmlProcessesTest, OnlyTheTenantsOwnAreAccountedFor) {
  const auto own = static_cast<unsigned>(own_.pid());
  const auto other = static_cast<unsigned>(other_.pid());
  EXPECT_EQ(
      InChild([&] {
        for (const auto& [name, value] : world_.Interposed(&tenant_))
          setenv(name.c_str(), value.c_str(), 1);
        setenv(abi::kEnvDriverDir, kAccountingDriverDir.c_str(), 1);
        const std::string kept = std::to_string(other) + " " + std::to_string(own) + " 1";
        setenv("FAKE_ACCOUNTED_PIDS", kept.c_str(), 1);
        const Nvml ours(kInterposerDir);
        CHECK_THAT(ours.Call("nvmlInit_v2") == NVML_SUCCESS);
        const nvmlDevice_t device = ours.Device(0);
        unsigned pids[4] = {};
        unsigned count = 4;
        CHECK_THAT(ours.Call("nvmlDeviceGetAccountingPids", device, &count, &pids[0]) ==
                   NVML_SUCCESS);
        CHECK_THAT(count == 1 && pids[0] == own);
        nvmlAccountingStats_t stats{};
        CHECK_THAT(ours.Call("nvmlDeviceGetAccountingStats", device, other, &stats) ==
                   NVML_ERROR_NOT_FOUND);
        CHECK_THAT(ours.Call("nvmlDeviceGetAccountingStats", device, own, &stats) == NVML_SUCCESS);
        return stats.time == own;
      }),
      0);
}

TEST_F(NvmlViewTest, AClosedTenantCannotStart) {
  tenant_.limits().magic = 0;
  EXPECT_EQ(InChild([&] {
              for (const auto& [name, value] : world_.Interposed(&tenant_))
                setenv(name.c_str(), value.c_str(), 1);
              return Nvml(kInterposerDir).Call("nvmlInit_v2") == NVML_ERROR_OPERATING_SYSTEM;
            }),
            0);
}

}  // namespace
}  // namespace warpshare::testing
