#include <thread>

#include "simgpu/nvml/event/api.h"
#include "simgpu/nvml/testing/nvml_fixture.h"

namespace simgpu::nvml {
namespace {

class EventsTest : public NvmlTest {
 protected:
  void SetUp() override {
    NvmlTest::SetUp();
    ASSERT_EQ(nvmlEventSetCreate(&set_), NVML_SUCCESS);
  }
  void TearDown() override {
    EXPECT_EQ(nvmlEventSetFree(set_), NVML_SUCCESS);
    NvmlTest::TearDown();
  }

  nvmlReturn_t Register(unsigned device) {
    return nvmlDeviceRegisterEvents(Device(device), nvmlEventTypeXidCriticalError, set_);
  }

  nvmlEventSet_t set_ = nullptr;
  nvmlEventData_t data_{};
};

TEST_F(EventsTest, OfRegisteredCardsAreToldOnceInTheirOrder) {
  Program().events().Inject(1, 13);  // before anyone listened
  ASSERT_EQ(Register(1), NVML_SUCCESS);
  Program().events().Inject(0, 31);
  Program().events().Inject(1, 79);
  Program().events().Inject(1, 48);
  ASSERT_EQ(nvmlEventSetWait_v2(set_, &data_, 0), NVML_SUCCESS);
  EXPECT_EQ(data_.device, Device(1));
  EXPECT_EQ(data_.eventType, static_cast<unsigned long long>(nvmlEventTypeXidCriticalError));
  EXPECT_EQ(data_.eventData, 79u);
  EXPECT_EQ(data_.gpuInstanceId, 0xFFFFFFFFu);
  ASSERT_EQ(nvmlEventSetWait(set_, &data_, 0), NVML_SUCCESS);
  EXPECT_EQ(data_.eventData, 48u);
  EXPECT_EQ(nvmlEventSetWait_v2(set_, &data_, 0), NVML_ERROR_TIMEOUT);
}

TEST_F(EventsTest, WakeAWait) {
  ASSERT_EQ(Register(0), NVML_SUCCESS);
  std::thread injector([] { Program().events().Inject(0, 62); });
  EXPECT_EQ(nvmlEventSetWait_v2(set_, &data_, 60'000), NVML_SUCCESS);
  injector.join();
  EXPECT_EQ(data_.eventData, 62u);
}

TEST_F(EventsTest, AWaitEndsWhenItsSetIsFreed) {
  nvmlEventSet_t other = nullptr;
  ASSERT_EQ(nvmlEventSetCreate(&other), NVML_SUCCESS);
  std::thread waiter([other] {
    nvmlEventData_t data;
    const nvmlReturn_t result = nvmlEventSetWait_v2(other, &data, 0xFFFF'FFFF);
    EXPECT_TRUE(result == NVML_ERROR_TIMEOUT || result == NVML_ERROR_INVALID_ARGUMENT);
  });
  EXPECT_EQ(nvmlEventSetFree(other), NVML_SUCCESS);
  waiter.join();
  EXPECT_EQ(nvmlEventSetFree(other), NVML_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(nvmlEventSetWait_v2(other, &data_, 0), NVML_ERROR_INVALID_ARGUMENT);
}

TEST_F(EventsTest, OnlyXidErrorsCanBeAskedFor) {
  unsigned long long types = 0;
  EXPECT_EQ(nvmlDeviceGetSupportedEventTypes(Device(0), &types), NVML_SUCCESS);
  EXPECT_EQ(types, static_cast<unsigned long long>(nvmlEventTypeXidCriticalError));
  EXPECT_EQ(nvmlDeviceRegisterEvents(Device(0), nvmlEventTypeClock, set_),
            NVML_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(nvmlEventSetWait_v2(set_, nullptr, 0), NVML_ERROR_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace simgpu::nvml
