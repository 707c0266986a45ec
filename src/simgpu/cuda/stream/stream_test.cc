#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <thread>
#include <vector>

#include "simgpu/cuda/copy/api.h"
#include "simgpu/cuda/event/api.h"
#include "simgpu/cuda/launch/api.h"
#include "simgpu/cuda/module/api.h"
#include "simgpu/cuda/stream/api.h"
#include "simgpu/testing/context_fixture.h"
#include "simgpu/testing/stream_gate.h"

namespace {

using Clock = std::chrono::steady_clock;

class StreamTest : public simgpu::testing::ContextTest {
 protected:
  void SetUp() override {
    ContextTest::SetUp();
    ASSERT_EQ(cuModuleLoadData(&module_, "image"), CUDA_SUCCESS);
  }

  static CUstream NewStream(unsigned flags = 0) {
    CUstream stream = nullptr;
    EXPECT_EQ(cuStreamCreate(&stream, flags), CUDA_SUCCESS);
    return stream;
  }

  // A kernel of the duration its name says.
  void Launch(const char* kernel, CUstream stream) {
    CUfunction function = nullptr;
    ASSERT_EQ(cuModuleGetFunction(&function, module_, kernel), CUDA_SUCCESS);
    ASSERT_EQ(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr),
              CUDA_SUCCESS);
  }

  // It still has 20 ms of work, which then says that it is done.
  void DestroyBusyStream(unsigned flags, std::atomic<bool>& done) {
    const CUstream stream = NewStream(flags);
    Launch("spin_20ms", stream);
    ASSERT_EQ(cuLaunchHostFunc(
                  stream,
                  [](void* flag) {
                    static_cast<std::atomic<bool>*>(flag)->store(true);
                    static_cast<std::atomic<bool>*>(flag)->notify_all();
                  },
                  &done),
              CUDA_SUCCESS);
    ASSERT_EQ(cuStreamDestroy_v2(stream), CUDA_SUCCESS);
  }

  static double MillisecondsOf(const std::function<void()>& body) {
    const auto start = Clock::now();
    body();
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  }

  CUmodule module_ = nullptr;
};

TEST_F(StreamTest, WorkTakesItsTimeAndEnqueueingDoesNot) {
  const CUstream stream = NewStream();
  const double enqueueing = MillisecondsOf([&] { Launch("spin_50ms", stream); });
  EXPECT_LT(enqueueing, 40);
  EXPECT_EQ(cuStreamQuery(stream), CUDA_ERROR_NOT_READY);
  const double waiting =
      MillisecondsOf([&] { EXPECT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS); });
  EXPECT_GE(enqueueing + waiting, 49.9);
  EXPECT_EQ(cuStreamQuery(stream), CUDA_SUCCESS);
}

TEST_F(StreamTest, ManyShortKernelsTakeTheSumOfTheirTimes) {
  const CUstream stream = NewStream();
  CUevent begin = nullptr;
  CUevent end = nullptr;
  ASSERT_EQ(cuEventCreate(&begin, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuEventCreate(&end, 0), CUDA_SUCCESS);
  simgpu::testing::StreamGate gate(stream);
  Launch("first_20ms", stream);
  ASSERT_EQ(cuEventRecord(begin, stream), CUDA_SUCCESS);
  for (int i = 0; i < 1000; ++i) Launch("spin_5us", stream);
  ASSERT_EQ(cuEventRecord(end, stream), CUDA_SUCCESS);
  gate.Open();
  ASSERT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
  float elapsed = 0;
  ASSERT_EQ(cuEventElapsedTime(&elapsed, begin, end), CUDA_SUCCESS);
  EXPECT_NEAR(elapsed, 5.0f, 0.05f);
}

TEST_F(StreamTest, HostFunctionsRunInOrderWithTheRest) {
  const CUstream stream = NewStream();
  std::vector<int> order;
  struct Entry {
    std::vector<int>* order;
    int number;
  };
  Entry first{&order, 1};
  Entry second{&order, 2};
  const auto append = [](void* entry) {
    static_cast<Entry*>(entry)->order->push_back(static_cast<Entry*>(entry)->number);
  };
  Launch("spin_2ms", stream);
  ASSERT_EQ(cuLaunchHostFunc(stream, append, &first), CUDA_SUCCESS);
  Launch("spin_1ms", stream);
  ASSERT_EQ(cuLaunchHostFunc(stream, append, &second), CUDA_SUCCESS);
  ASSERT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
  EXPECT_EQ(cuLaunchHostFunc(stream, nullptr, nullptr), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(StreamTest, ASlowHostFunctionHoldsUpItsStreamOnly) {
  const CUstream slow = NewStream(CU_STREAM_NON_BLOCKING);
  const CUstream other = NewStream(CU_STREAM_NON_BLOCKING);
  std::atomic<bool> go{false};
  ASSERT_EQ(cuLaunchHostFunc(
                slow, [](void* flag) { static_cast<std::atomic<bool>*>(flag)->wait(false); }, &go),
            CUDA_SUCCESS);
  Launch("spin_1ms", other);
  EXPECT_EQ(cuStreamSynchronize(other), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamQuery(slow), CUDA_ERROR_NOT_READY);
  go = true;
  go.notify_all();
  EXPECT_EQ(cuStreamSynchronize(slow), CUDA_SUCCESS);
}

TEST_F(StreamTest, AHostFunctionBehindAPointRunsThoughNobodyAsksForIt) {
  const CUstream stream = NewStream();
  CUevent point = nullptr;
  ASSERT_EQ(cuEventCreate(&point, CU_EVENT_DEFAULT), CUDA_SUCCESS);
  std::promise<void> called;
  {
    simgpu::testing::StreamGate gate(stream);
    Launch("spin_1us", stream);
    ASSERT_EQ(cuEventRecord(point, stream), CUDA_SUCCESS);
    const auto call = [](void* called) { static_cast<std::promise<void>*>(called)->set_value(); };
    ASSERT_EQ(cuLaunchHostFunc(stream, call, &called), CUDA_SUCCESS);
    gate.Open();
    EXPECT_EQ(called.get_future().wait_for(std::chrono::seconds(10)), std::future_status::ready);
    ASSERT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
  }
}

TEST_F(StreamTest, HostFunctionsMayNotWait) {
  const CUstream stream = NewStream();
  struct Answers {
    CUstream stream;
    CUresult of_stream;
    CUresult of_context;
  };
  Answers answers = {stream, CUDA_SUCCESS, CUDA_SUCCESS};
  const auto wait = [](void* data) {
    auto& out = *static_cast<Answers*>(data);
    out.of_stream = cuStreamSynchronize(out.stream);
    CUcontext context = nullptr;
    cuStreamGetCtx(out.stream, &context);
    out.of_context = cuCtxSynchronize_v2(context);
  };
  ASSERT_EQ(cuLaunchHostFunc(stream, wait, &answers), CUDA_SUCCESS);
  ASSERT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(answers.of_stream, CUDA_ERROR_NOT_PERMITTED);
  EXPECT_EQ(answers.of_context, CUDA_ERROR_NOT_PERMITTED);
}

TEST_F(StreamTest, CallbacksGetTheStreamTheyWereAddedTo) {
  const CUstream stream = NewStream();
  CUstream seen = nullptr;
  const auto note = [](CUstream given, CUresult status, void* out) {
    EXPECT_EQ(status, CUDA_SUCCESS);
    *static_cast<CUstream*>(out) = given;
  };
  ASSERT_EQ(cuStreamAddCallback(stream, note, &seen, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(seen, stream);
  EXPECT_EQ(cuStreamAddCallback(stream, note, &seen, 1), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(StreamTest, TheLegacyDefaultStreamWaitsForBlockingStreams) {
  const CUstream blocking = NewStream();
  Launch("spin_20ms", blocking);
  Launch("spin_1us", nullptr);
  const double waiting = MillisecondsOf([&] {
    EXPECT_EQ(cuStreamSynchronize(nullptr), CUDA_SUCCESS);
    EXPECT_EQ(cuStreamQuery(blocking), CUDA_SUCCESS);
  });
  EXPECT_GT(waiting, 5);
}

TEST_F(StreamTest, BlockingStreamsWaitForTheLegacyDefaultStream) {
  const CUstream blocking = NewStream();
  const CUstream free = NewStream(CU_STREAM_NON_BLOCKING);
  std::atomic<bool> go{false};
  ASSERT_EQ(cuLaunchHostFunc(
                CU_STREAM_LEGACY,
                [](void* flag) { static_cast<std::atomic<bool>*>(flag)->wait(false); }, &go),
            CUDA_SUCCESS);
  Launch("spin_1us", blocking);
  Launch("spin_1us", free);
  EXPECT_EQ(cuStreamSynchronize(free), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamQuery(blocking), CUDA_ERROR_NOT_READY);
  go = true;
  go.notify_all();
  EXPECT_EQ(cuStreamSynchronize(blocking), CUDA_SUCCESS);
}

TEST_F(StreamTest, PerThreadDefaultStreamsAreOnePerThread) {
  unsigned long long here = 0;
  unsigned long long again = 0;
  unsigned long long there = 0;
  unsigned long long legacy = 0;
  ASSERT_EQ(cuStreamGetId(CU_STREAM_PER_THREAD, &here), CUDA_SUCCESS);
  ASSERT_EQ(cuStreamGetId_ptsz(nullptr, &again), CUDA_SUCCESS);
  ASSERT_EQ(cuStreamGetId(nullptr, &legacy), CUDA_SUCCESS);
  std::thread([&] {
    ASSERT_EQ(cuCtxSetCurrent(context_), CUDA_SUCCESS);
    ASSERT_EQ(cuStreamGetId_ptsz(nullptr, &there), CUDA_SUCCESS);
  }).join();
  EXPECT_EQ(here, again);
  EXPECT_NE(here, there);
  EXPECT_NE(here, legacy);
}

TEST_F(StreamTest, WaitsForMemoryToChange) {
  const CUstream stream = NewStream();
  CUdeviceptr word = 0;
  ASSERT_EQ(cuMemAlloc_v2(&word, 4096), CUDA_SUCCESS);
  auto* const value = reinterpret_cast<std::atomic<uint32_t>*>(word);
  ASSERT_EQ(cuStreamWaitValue32_v2(stream, word, 5, CU_STREAM_WAIT_VALUE_GEQ), CUDA_SUCCESS);
  ASSERT_EQ(cuStreamWriteValue32_v2(stream, word + 4, 77, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamQuery(stream), CUDA_ERROR_NOT_READY);
  EXPECT_EQ(value[1].load(), 0u);
  value[0] = 6;
  ASSERT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(value[1].load(), 77u);
}

TEST_F(StreamTest, ChecksMemoryOperations) {
  const CUstream stream = NewStream();
  CUdeviceptr word = 0;
  ASSERT_EQ(cuMemAlloc_v2(&word, 4096), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamWriteValue32(stream, word + 2, 1, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuStreamWriteValue64(stream, word + 4, 1, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuStreamWriteValue32(stream, 0x1000, 1, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuStreamWaitValue32(stream, word, 1, 7), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuStreamBatchMemOp(stream, 257, nullptr, 0), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(StreamTest, RefusesHandlesThatAreNoStreams) {
  const CUstream gone = NewStream();
  ASSERT_EQ(cuStreamDestroy_v2(gone), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamSynchronize(gone), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuStreamDestroy_v2(gone), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuStreamDestroy_v2(nullptr), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuStreamQuery(reinterpret_cast<CUstream>(0x5000)), CUDA_ERROR_INVALID_HANDLE);
  CUstream stream = nullptr;
  EXPECT_EQ(cuStreamCreate(&stream, 2), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuStreamCreate(nullptr, 0), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(StreamTest, WorkOfADestroyedStreamIsStillDone) {
  std::atomic<bool> done{false};
  DestroyBusyStream(CU_STREAM_NON_BLOCKING, done);
  done.wait(false);
  EXPECT_TRUE(done);
}

TEST_F(StreamTest, TheContextWaitsForADestroyedStream) {
  std::atomic<bool> done{false};
  DestroyBusyStream(CU_STREAM_NON_BLOCKING, done);
  ASSERT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
  EXPECT_TRUE(done);
}

TEST_F(StreamTest, TheLegacyDefaultStreamWaitsForADestroyedBlockingStream) {
  std::atomic<bool> done{false};
  DestroyBusyStream(CU_STREAM_DEFAULT, done);
  ASSERT_EQ(cuStreamSynchronize(nullptr), CUDA_SUCCESS);
  EXPECT_TRUE(done);
}

TEST_F(StreamTest, ReportsHowItWasMade) {
  CUstream stream = nullptr;
  ASSERT_EQ(cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, -99), CUDA_SUCCESS);
  unsigned flags = 0;
  int priority = 0;
  CUdevice device = -1;
  CUcontext context = nullptr;
  EXPECT_EQ(cuStreamGetFlags(stream, &flags), CUDA_SUCCESS);
  EXPECT_EQ(flags, static_cast<unsigned>(CU_STREAM_NON_BLOCKING));
  EXPECT_EQ(cuStreamGetPriority(stream, &priority), CUDA_SUCCESS);
  EXPECT_EQ(priority, -5);
  EXPECT_EQ(cuStreamGetDevice(stream, &device), CUDA_SUCCESS);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(cuStreamGetCtx(stream, &context), CUDA_SUCCESS);
  EXPECT_EQ(context, context_);
}

TEST_F(StreamTest, KeepsAttributes) {
  const CUstream stream = NewStream();
  const CUstream copy = NewStream();
  CUstreamAttrValue value{};
  ASSERT_EQ(cuStreamGetAttribute(stream, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value),
            CUDA_SUCCESS);
  EXPECT_EQ(value.syncPolicy, CU_SYNC_POLICY_AUTO);
  value.syncPolicy = CU_SYNC_POLICY_SPIN;
  ASSERT_EQ(cuStreamSetAttribute(stream, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value),
            CUDA_SUCCESS);
  ASSERT_EQ(cuStreamCopyAttributes(copy, stream), CUDA_SUCCESS);
  value = {};
  ASSERT_EQ(cuStreamGetAttribute(copy, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value),
            CUDA_SUCCESS);
  EXPECT_EQ(value.syncPolicy, CU_SYNC_POLICY_SPIN);
  EXPECT_EQ(cuStreamSetAttribute(stream, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &value),
            CUDA_ERROR_INVALID_VALUE);
}

TEST_F(StreamTest, CopiesAndKernelsKeepTheirOrder) {
  const CUstream stream = NewStream();
  CUdeviceptr memory = 0;
  ASSERT_EQ(cuMemAlloc_v2(&memory, 4096), CUDA_SUCCESS);
  uint32_t sent = 1;
  uint32_t received = 0;
  for (; sent <= 50; ++sent) {
    ASSERT_EQ(cuMemcpyHtoDAsync_v2(memory, &sent, sizeof(sent), stream), CUDA_SUCCESS);
    Launch("spin_20us", stream);
    ASSERT_EQ(cuMemcpyDtoHAsync_v2(&received, memory, sizeof(received), stream), CUDA_SUCCESS);
    ASSERT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
    ASSERT_EQ(received, sent);
  }
}

TEST_F(StreamTest, ManyThreadsShareOneStream) {
  const CUstream stream = NewStream();
  std::atomic<int> calls{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      ASSERT_EQ(cuCtxSetCurrent(context_), CUDA_SUCCESS);
      for (int k = 0; k < 100; ++k) {
        Launch("spin_1us", stream);
        ASSERT_EQ(
            cuLaunchHostFunc(
                stream, [](void* count) { static_cast<std::atomic<int>*>(count)->fetch_add(1); },
                &calls),
            CUDA_SUCCESS);
      }
      ASSERT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(calls, 800);
}

}  // namespace
