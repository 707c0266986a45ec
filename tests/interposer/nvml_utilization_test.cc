// Utilisation as a tenant sees it through NVML, in a container too.
#include <sched.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "nvml_view.h"

namespace warpshare::testing {
namespace {

// The card is busy with somebody else's work, then with the tenant's own.
class NvmlUtilizationTest : public NvmlViewTest {
 protected:
  using NvmlViewTest::NvmlViewTest;

  static std::vector<std::string> Steps(const std::string& context) {
    return TenantCommand("lookup2",
                         {"init", context, "say=ready", "wait", "launch=spin_3000ms", "wait"});
  }
  RunningProgram own_{Steps(kInTenant), world_.Interposed(&tenant_)};
  RunningProgram other_{Steps(kBeside), world_.Bare()};

  static unsigned Busy(const Nvml& nvml, unsigned index) {
    nvmlUtilization_t rates{.gpu = 999, .memory = 999};
    const nvmlReturn_t result =
        nvml.Call("nvmlDeviceGetUtilizationRates", nvml.Device(index), &rates);
    return result == NVML_SUCCESS ? rates.gpu : 999;
  }
  static unsigned InDomain(const Nvml& nvml, unsigned index) {
    nvmlGpuDynamicPstatesInfo_t info{};
    const nvmlReturn_t result =
        nvml.Call("nvmlDeviceGetDynamicPstatesInfo", nvml.Device(index), &info);
    const auto& processors = info.utilization[NVML_GPU_UTILIZATION_DOMAIN_GPU];
    return result == NVML_SUCCESS && processors.bIsPresent ? processors.percentage : 999;
  }
  static unsigned Sampled(const Nvml& nvml, unsigned index) {
    nvmlSample_t samples[128];
    nvmlValueType_t value_type = NVML_VALUE_TYPE_COUNT;
    unsigned count = 128;
    const nvmlReturn_t result =
        nvml.Call("nvmlDeviceGetSamples", nvml.Device(index), NVML_GPU_UTILIZATION_SAMPLES, 0ULL,
                  &value_type, &count, &samples[0]);
    const bool is_told = result == NVML_SUCCESS && value_type == NVML_VALUE_TYPE_UNSIGNED_INT;
    return is_told && count == 1 ? samples[0].sampleValue.uiVal : 999;
  }
  // Asks until it is so; the kernel lasts long enough.
  template <typename Condition>
  static bool Comes(Condition condition) {
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!condition()) {
      if (std::chrono::steady_clock::now() > patience) return false;
      std::this_thread::yield();
    }
    return true;
  }

  // Of the tenant's first card, as one of its processes writes it down.
  void Account(uint64_t used_ns) {
    tenant_.usage().slot_ceiling = 1;
    tenant_.usage().slots[0].work[0].used_ns = used_ns;
  }

  friend bool ShowsItsOwnLoadOnly(const Nvml& ours, const Nvml& driver, NvmlViewTest& test);
  friend bool ShowsWhatIsAccounted(const Nvml& ours, const Nvml& driver, NvmlViewTest& test);
  friend bool ShowsTheCardsLoad(const Nvml& ours, const Nvml& driver, NvmlViewTest& test);
};

bool ShowsItsOwnLoadOnly(const Nvml& ours, const Nvml& driver, NvmlViewTest& test) {
  auto& programs = static_cast<NvmlUtilizationTest&>(test);
  programs.other_.GoOn();
  CHECK_THAT(programs.Comes([&] { return programs.Busy(driver, 1) > 50; }));
  CHECK_THAT(programs.Comes([&] { return programs.Sampled(driver, 1) > 50; }));
  CHECK_THAT(programs.Busy(ours, 0) == 0);
  CHECK_THAT(programs.Sampled(ours, 0) == 0);
  unsigned count = 0;
  CHECK_THAT(ours.Call("nvmlDeviceGetProcessUtilization", ours.Device(0),
                       static_cast<nvmlProcessUtilizationSample_t*>(nullptr), &count,
                       0ULL) == NVML_ERROR_NOT_FOUND);
  programs.own_.GoOn();
  CHECK_THAT(programs.Comes([&] {
    const unsigned busy = programs.Busy(ours, 0);
    return busy > 0 && busy <= 100;
  }));
  CHECK_THAT(programs.Comes([&] {
    const unsigned sampled = programs.Sampled(ours, 0);
    return sampled > 0 && sampled <= 100;
  }));
  nvmlProcessUtilizationSample_t samples[8];
  count = 8;
  CHECK_THAT(ours.Call("nvmlDeviceGetProcessUtilization", ours.Device(0), &samples[0], &count,
                       0ULL) == NVML_SUCCESS);
  return count == 1 && samples[0].pid == static_cast<unsigned>(programs.own_.pid());
}

bool ShowsTheCardsLoad(const Nvml& ours, const Nvml& driver, NvmlViewTest& test) {
  auto& programs = static_cast<NvmlUtilizationTest&>(test);
  programs.other_.GoOn();
  CHECK_THAT(programs.Comes([&] { return programs.Busy(driver, 1) > 50; }));
  CHECK_THAT(programs.Comes([&] { return programs.Busy(ours, 0) > 25; }));
  CHECK_THAT(programs.Comes([&] { return programs.Sampled(ours, 0) > 25; }));
  nvmlProcessUtilizationSample_t samples[8];
  unsigned count = 8;
  CHECK_THAT(ours.Call("nvmlDeviceGetProcessUtilization", ours.Device(0), &samples[0], &count,
                       0ULL) == NVML_ERROR_NOT_SUPPORTED);
  nvmlProcessUtilizationInfo_v1_t infos[8];
  nvmlProcessesUtilizationInfo_t list{.version = nvmlProcessesUtilizationInfo_v1,
                                      .processSamplesCount = 8,
                                      .lastSeenTimeStamp = 0,
                                      .procUtilArray = infos};
  return ours.Call("nvmlDeviceGetProcessesUtilizationInfo", ours.Device(0), &list) ==
         NVML_ERROR_NOT_SUPPORTED;
}

bool IsInContainer() {
  return std::filesystem::read_symlink("/proc/self/ns/pid") != "pid:[4026531836]";
}

// While somebody else keeps the card busy.
bool ShowsWhatIsAccounted(const Nvml& ours, const Nvml& driver, NvmlViewTest& test) {
  auto& programs = static_cast<NvmlUtilizationTest&>(test);
  const auto begin = std::chrono::steady_clock::now();
  const auto passed = [begin] { return std::chrono::steady_clock::now() - begin; };
  programs.other_.GoOn();
  CHECK_THAT(programs.Comes([&] { return programs.Busy(driver, 1) > 50; }));
  CHECK_THAT(programs.Busy(ours, 0) == 0);
  CHECK_THAT(programs.InDomain(ours, 0) == 0);
  CHECK_THAT(programs.Sampled(ours, 0) == 0);
  const auto is_a_quarter = [&](unsigned (*ask)(const Nvml&, unsigned)) {
    programs.Account(static_cast<uint64_t>(std::chrono::nanoseconds(passed()).count()) / 4);
    const unsigned percent = ask(ours, 0);
    return percent > 20 && percent < 30;
  };
  CHECK_THAT(programs.Comes([&] { return is_a_quarter(programs.Busy); }));
  CHECK_THAT(programs.Comes([&] { return is_a_quarter(programs.InDomain); }));
  return programs.Comes([&] { return is_a_quarter(programs.Sampled); });
}

TEST_F(NvmlUtilizationTest, OfACardThatIsSharedOutIsWhatTheTenantAccountsFor) {
  tenant_.limits().cards[0].compute.mode = abi::ComputeMode::kHard;
  ASSERT_TRUE(other_.AwaitOutput("ready"));
  Expect(ShowsWhatIsAccounted, &tenant_);
}

// In a container, where the driver's samples may name anybody, it is the card's.
TEST_F(NvmlUtilizationTest, IsTheTenantsOwnWherePidsAreTheDrivers) {
  ASSERT_TRUE(own_.AwaitOutput("ready"));
  ASSERT_TRUE(other_.AwaitOutput("ready"));
  Expect(IsInContainer() ? ShowsTheCardsLoad : ShowsItsOwnLoadOnly, &tenant_);
}

// In a pid namespace of its own, on a driver whose samples have the host's pids.
class NvmlContainerTest : public NvmlUtilizationTest {
 protected:
  NvmlContainerTest() : NvmlUtilizationTest("utilization_pids = host") {}

  void SetUp() override {
    if (InChild([] { return unshare(CLONE_NEWPID) == 0; }) != 0)
      GTEST_SKIP() << "may not make a pid namespace";
    ASSERT_TRUE(other_.AwaitOutput("ready"));
  }
  void ExpectInside(Body body) {
    EXPECT_EQ(InChild([&] {
                CHECK_THAT(unshare(CLONE_NEWPID) == 0);
                return InChild([&] { return Run(body, &tenant_); }) == 0;
              }),
              0);
  }
};

TEST_F(NvmlContainerTest, UtilizationIsTheCardsWhereNothingElseIsKnown) {
  ExpectInside(ShowsTheCardsLoad);
}

TEST_F(NvmlContainerTest, UtilizationOfACardThatIsSharedOutIsWhatTheTenantAccountsFor) {
  tenant_.limits().cards[0].compute.mode = abi::ComputeMode::kHard;
  ExpectInside(ShowsWhatIsAccounted);
}
}  // namespace
}  // namespace warpshare::testing
