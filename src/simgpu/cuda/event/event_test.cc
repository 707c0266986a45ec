#include <gtest/gtest.h>

#include <chrono>

#include "simgpu/cuda/event/api.h"
#include "simgpu/cuda/launch/api.h"
#include "simgpu/cuda/module/api.h"
#include "simgpu/cuda/stream/api.h"
#include "simgpu/testing/context_fixture.h"
#include "simgpu/testing/stream_gate.h"

namespace {

class EventTest : public simgpu::testing::ContextTest {
 protected:
  void SetUp() override {
    ContextTest::SetUp();
    ASSERT_EQ(cuModuleLoadData(&module_, "image"), CUDA_SUCCESS);
    ASSERT_EQ(cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  }

  static CUevent NewEvent(unsigned flags = 0) {
    CUevent event = nullptr;
    EXPECT_EQ(cuEventCreate(&event, flags), CUDA_SUCCESS);
    return event;
  }

  void Launch(const char* kernel, CUstream stream) {
    CUfunction function = nullptr;
    ASSERT_EQ(cuModuleGetFunction(&function, module_, kernel), CUDA_SUCCESS);
    ASSERT_EQ(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr),
              CUDA_SUCCESS);
  }

  CUmodule module_ = nullptr;
  CUstream stream_ = nullptr;
};

TEST_F(EventTest, NeverRecordedIsDone) {
  const CUevent event = NewEvent();
  EXPECT_EQ(cuEventQuery(event), CUDA_SUCCESS);
  EXPECT_EQ(cuEventSynchronize(event), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamWaitEvent(stream_, event, 0), CUDA_SUCCESS);
  float elapsed = 0;
  EXPECT_EQ(cuEventElapsedTime(&elapsed, event, event), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(EventTest, MeasuresWhatIsBetweenTwo) {
  const CUevent before = NewEvent();
  const CUevent after = NewEvent();
  simgpu::testing::StreamGate gate(stream_);
  Launch("spin_10ms", stream_);
  ASSERT_EQ(cuEventRecord(before, stream_), CUDA_SUCCESS);
  Launch("spin_250us", stream_);
  ASSERT_EQ(cuEventRecord(after, stream_), CUDA_SUCCESS);
  float elapsed = 0;
  EXPECT_EQ(cuEventQuery(after), CUDA_ERROR_NOT_READY);
  EXPECT_EQ(cuEventElapsedTime(&elapsed, before, after), CUDA_ERROR_NOT_READY);
  gate.Open();
  ASSERT_EQ(cuEventSynchronize(after), CUDA_SUCCESS);
  ASSERT_EQ(cuEventElapsedTime(&elapsed, before, after), CUDA_SUCCESS);
  EXPECT_NEAR(elapsed, 0.25f, 0.0025f);
  ASSERT_EQ(cuEventElapsedTime_v2(&elapsed, after, before), CUDA_SUCCESS);
  EXPECT_NEAR(elapsed, -0.25f, 0.0025f);
}

TEST_F(EventTest, MeasureNoSubmittingInAnIdleStream) {
  const CUevent before = NewEvent();
  const CUevent after = NewEvent();
  CUfunction function = nullptr;
  ASSERT_EQ(cuModuleGetFunction(&function, module_, "spin_200us"), CUDA_SUCCESS);
  std::chrono::nanoseconds submitting{};
  do {  // until this thread was not interrupted
    ASSERT_EQ(cuStreamSynchronize(stream_), CUDA_SUCCESS);
    const auto began = std::chrono::steady_clock::now();
    ASSERT_EQ(cuEventRecord(before, stream_), CUDA_SUCCESS);
    while (std::chrono::steady_clock::now() - began < std::chrono::microseconds(5)) {
    }
    ASSERT_EQ(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream_, nullptr, nullptr),
              CUDA_SUCCESS);
    ASSERT_EQ(cuEventRecord(after, stream_), CUDA_SUCCESS);
    submitting = std::chrono::steady_clock::now() - began;
  } while (submitting > std::chrono::microseconds(20));
  ASSERT_EQ(cuEventSynchronize(after), CUDA_SUCCESS);
  float elapsed = 0;
  ASSERT_EQ(cuEventElapsedTime(&elapsed, before, after), CUDA_SUCCESS);
  EXPECT_NEAR(elapsed, 0.2f, 0.0001f);
}

TEST_F(EventTest, MeasuredOnceStaysAsItIs) {
  const CUevent before = NewEvent();
  const CUevent after = NewEvent();
  ASSERT_EQ(cuEventRecord(before, stream_), CUDA_SUCCESS);
  ASSERT_EQ(cuEventRecord(after, stream_), CUDA_SUCCESS);
  float first = 0;
  ASSERT_EQ(cuEventElapsedTime(&first, before, after), CUDA_SUCCESS);
  Launch("spin_1us", stream_);
  float second = 0;
  ASSERT_EQ(cuEventElapsedTime(&second, before, after), CUDA_SUCCESS);
  EXPECT_EQ(first, second);
}

TEST_F(EventTest, NeverSeemsToComeAfterWhatWaitedForIt) {
  CUstream other = nullptr;
  ASSERT_EQ(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  const CUevent first = NewEvent();
  const CUevent second = NewEvent();
  ASSERT_EQ(cuEventRecord(first, stream_), CUDA_SUCCESS);
  ASSERT_EQ(cuStreamWaitEvent(other, first, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuEventRecord(second, other), CUDA_SUCCESS);
  ASSERT_EQ(cuEventSynchronize(second), CUDA_SUCCESS);
  Launch("spin_1us", stream_);
  float elapsed = -1;
  ASSERT_EQ(cuEventElapsedTime(&elapsed, first, second), CUDA_SUCCESS);
  EXPECT_GE(elapsed, 0.0f);
}

TEST_F(EventTest, WithoutTimingMeasureNothing) {
  const CUevent event = NewEvent(CU_EVENT_DISABLE_TIMING);
  ASSERT_EQ(cuEventRecord(event, stream_), CUDA_SUCCESS);
  ASSERT_EQ(cuEventSynchronize(event), CUDA_SUCCESS);
  float elapsed = 0;
  EXPECT_EQ(cuEventElapsedTime(&elapsed, event, event), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(EventTest, HoldBackAnotherStream) {
  CUstream other = nullptr;
  ASSERT_EQ(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  const CUevent middle = NewEvent();
  const CUevent end = NewEvent();
  simgpu::testing::StreamGate gate(stream_);
  Launch("spin_10ms", stream_);
  ASSERT_EQ(cuEventRecord(middle, stream_), CUDA_SUCCESS);
  ASSERT_EQ(cuStreamWaitEvent(other, middle, 0), CUDA_SUCCESS);
  Launch("spin_2ms", other);
  ASSERT_EQ(cuEventRecord(end, other), CUDA_SUCCESS);
  gate.Open();
  ASSERT_EQ(cuStreamSynchronize(other), CUDA_SUCCESS);
  EXPECT_EQ(cuEventQuery(middle), CUDA_SUCCESS);
  float elapsed = 0;
  ASSERT_EQ(cuEventElapsedTime(&elapsed, middle, end), CUDA_SUCCESS);
  EXPECT_NEAR(elapsed, 2.0f, 0.02f);
}

TEST_F(EventTest, RecordedAgainMeanTheLatestRecord) {
  const CUevent event = NewEvent();
  ASSERT_EQ(cuEventRecord(event, stream_), CUDA_SUCCESS);
  ASSERT_EQ(cuEventSynchronize(event), CUDA_SUCCESS);
  Launch("spin_10ms", stream_);
  ASSERT_EQ(cuEventRecord(event, stream_), CUDA_SUCCESS);
  EXPECT_EQ(cuEventQuery(event), CUDA_ERROR_NOT_READY);
  EXPECT_EQ(cuEventSynchronize(event), CUDA_SUCCESS);
}

TEST_F(EventTest, BadArgumentsAreRefused) {
  CUevent event = nullptr;
  EXPECT_EQ(cuEventCreate(&event, 8), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuEventCreate(&event, CU_EVENT_INTERPROCESS), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuEventQuery(nullptr), CUDA_ERROR_INVALID_HANDLE);
  event = NewEvent();
  EXPECT_EQ(cuEventRecordWithFlags(event, stream_, 2), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuEventRecordWithFlags(event, stream_, CU_EVENT_RECORD_EXTERNAL),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuStreamWaitEvent(stream_, event, 5), CUDA_ERROR_INVALID_VALUE);
  CUipcEventHandle handle;
  EXPECT_EQ(cuIpcGetEventHandle(&handle, event), CUDA_ERROR_INVALID_HANDLE);
  ASSERT_EQ(cuEventDestroy_v2(event), CUDA_SUCCESS);
  EXPECT_EQ(cuEventDestroy_v2(event), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(EventTest, OfAWholeContextComesAfterAllItsStreams) {
  CUstream other = nullptr;
  ASSERT_EQ(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  Launch("spin_5ms", stream_);
  Launch("spin_5ms", other);
  const CUevent event = NewEvent();
  ASSERT_EQ(cuCtxRecordEvent(context_, event), CUDA_SUCCESS);
  ASSERT_EQ(cuEventSynchronize(event), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamQuery(stream_), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamQuery(other), CUDA_SUCCESS);
}

}  // namespace
