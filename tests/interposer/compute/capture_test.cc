// Streams that record graphs: nothing of theirs is work yet, and nothing of ours may end in their
// graph or spoil it.
#include <sched.h>

#include "compute/compute_test.h"
#include "simgpu/cuda/event/api.h"
#include "simgpu/cuda/graph/api.h"
#include "simgpu/cuda/graph/capture_api.h"
#include "simgpu/cuda/launch/api.h"
#include "simgpu/cuda/stream/api.h"

namespace warpshare::testing {
namespace {

class CaptureTest : public ComputeTest {
 protected:
  static CUresult Begin(Program& program, CUstream stream, CUstreamCaptureMode mode) {
    return CALL(program.tenant().cuda, cuStreamBeginCapture_v2)(stream, mode);
  }
  // How many nodes the graph got; 0: the capture failed.
  static size_t End(Program& program, CUstream stream) {
    CUgraph graph = nullptr;
    size_t nodes = 0;
    EXPECT_EQ(CALL(program.tenant().cuda, cuStreamEndCapture)(stream, &graph), CUDA_SUCCESS);
    if (graph == nullptr) return 0;
    EXPECT_EQ(CALL(program.tenant().cuda, cuGraphGetNodes)(graph, nullptr, &nodes), CUDA_SUCCESS);
    return nodes;
  }
};

TEST_F(CaptureTest, WhatIsRecordedIsFree) {
  InProgram([&](Program& program) {
    CUfunction kernel = program.Kernel("spin_200us");
    CUstream stream = program.NewStream();
    ASSERT_EQ(Begin(program, stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL), CUDA_SUCCESS);
    for (int i = 0; i < 3; ++i)
      ExpectFree(program.tenant(), [&] { return program.Launch(kernel, stream); });
    EXPECT_EQ(End(program, stream), 3u) << "and nothing else";
  });
}

TEST_F(CaptureTest, WhatIsRecordedAfterAnEndThatWasRefusedIsFree) {
  InProgram([&](Program& program) {
    const CudaLibrary& cuda = program.tenant().cuda;
    CUfunction kernel = program.Kernel("spin_200us");
    CUstream stream = program.NewStream();
    CUgraph graph = nullptr;
    ASSERT_EQ(Begin(program, stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL), CUDA_SUCCESS);
    EXPECT_EQ(CALL(cuda, cuStreamEndCapture)(program.NewStream(), nullptr),
              CUDA_ERROR_INVALID_VALUE);
    ExpectFree(program.tenant(), [&] { return program.Launch(kernel, stream); });
    EXPECT_EQ(CALL(cuda, cuStreamEndCapture)(stream, nullptr), CUDA_ERROR_INVALID_VALUE);
    ExpectFree(program.tenant(), [&] { return program.Launch(kernel, stream); });
    {
      const CallBeside beside(program.tenant(),
                              [&] { return CALL(cuda, cuStreamEndCapture)(stream, &graph); });
      EXPECT_TRUE(beside.ReturnsInTime());
      EXPECT_EQ(beside.result(), CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD);
    }
    ExpectFree(program.tenant(), [&] { return program.Launch(kernel, stream); });
    EXPECT_EQ(End(program, stream), 3u);
    ExpectHeldBack(program.tenant(), [&] { return program.Launch(kernel, stream); });
  });
}

TEST_F(CaptureTest, WhatWasRecordedIsChargedWhenItRuns) {
  InProgram([&](Program& program) {
    CUgraphExec graph = program.NewGraph(program.Kernel("spin_200us"), 3);
    EXPECT_EQ(turns_.UsedNs(), 0u);
    ExpectHeldBack(program.tenant(), [&] { return program.LaunchGraph(graph); });
    EXPECT_GT(turns_.UsedNs(), 0u);
  });
}

TEST_F(CaptureTest, AStreamBesideOneThatRecordsIsChargedAndHeldBack) {
  InProgram([&](Program& program) {
    CUfunction kernel = program.Kernel("spin_200us");
    CUstream recording = program.NewStream();
    CUstream working = program.NewStream();
    ASSERT_EQ(Begin(program, recording, CU_STREAM_CAPTURE_MODE_RELAXED), CUDA_SUCCESS);
    ASSERT_EQ(program.Launch(kernel, recording), CUDA_SUCCESS);
    EXPECT_EQ(turns_.UsedNs(), 0u);
    ExpectHeldBack(program.tenant(), [&] { return program.Launch(kernel, working); });
    EXPECT_GT(turns_.UsedNs(), 0u);
    EXPECT_EQ(End(program, recording), 1u);
  });
}

TEST_F(CaptureTest, AStreamThatHasRecordedIsChargedAndHeldBackAgain) {
  InProgram([&](Program& program) {
    CUfunction kernel = program.Kernel("spin_200us");
    CUstream stream = program.NewStream();
    ASSERT_EQ(Begin(program, stream, CU_STREAM_CAPTURE_MODE_GLOBAL), CUDA_SUCCESS);
    EXPECT_NE(Begin(program, stream, CU_STREAM_CAPTURE_MODE_GLOBAL), CUDA_SUCCESS);
    EXPECT_EQ(End(program, stream), 0u);
    ExpectHeldBack(program.tenant(), [&] { return program.Launch(kernel, stream); });
    EXPECT_GT(turns_.UsedNs(), 0u);
  });
}

// A stream behind which work may pile up: that it waits was told while it recorded, and is over.
class RecordedWaitTest : public CaptureTest {
 protected:
  static void AwaitEnd(void* is_over) {
    while (!*static_cast<std::atomic<bool>*>(is_over)) sched_yield();
  }
  static void DoNothing(void*) {}

  // The card is late, and nobody has told of a wait.
  static void ExpectHeldToTheBound(Program& program, CUfunction kernel, CUstream stream) {
    constexpr uint64_t kStuckNs = 100'000'000;  // after which one call is let through
    std::atomic<bool> is_over{false};
    ASSERT_EQ(CALL(program.tenant().bare, cuLaunchHostFunc)(stream, AwaitEnd, &is_over),
              CUDA_SUCCESS);
    const uint64_t begin_ns = NowNs();
    CallBeside deep(program.tenant(), [&] {
      program.LaunchMany(200, kernel, stream);
      return CUDA_SUCCESS;
    });
    EXPECT_TRUE(deep.ReturnsInTime());
    EXPECT_GE(NowNs() - begin_ns, kStuckNs);
    is_over = true;
    program.Synchronize();  // somebody looks at it until then
  }
};

TEST_F(RecordedWaitTest, LetsNothingThroughWhenItIsOver) {
  InProgram([&](Program& program) {
    CUfunction kernel = program.Kernel("spin_50us");
    CUstream stream = program.NewStream();
    program.LaunchMany(20, kernel, stream);
    program.Synchronize();
    ASSERT_EQ(Begin(program, stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL), CUDA_SUCCESS);
    ASSERT_EQ(CALL(program.tenant().cuda, cuLaunchHostFunc)(stream, DoNothing, nullptr),
              CUDA_SUCCESS);
    EXPECT_EQ(End(program, stream), 1u);
    ExpectHeldToTheBound(program, kernel, stream);
  });
}

TEST_F(RecordedWaitTest, LetsNothingThroughInAStreamThatItMadeRecord) {
  InProgram([&](Program& program) {
    const CudaLibrary& cuda = program.tenant().cuda;
    CUfunction kernel = program.Kernel("spin_50us");
    CUstream first = program.NewStream();
    CUstream second = program.NewStream();
    CUevent events[2] = {};
    for (CUevent& event : events)
      ASSERT_EQ(CALL(cuda, cuEventCreate)(&event, CU_EVENT_DISABLE_TIMING), CUDA_SUCCESS);
    program.LaunchMany(20, kernel, second);
    program.Synchronize();
    ASSERT_EQ(Begin(program, first, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL), CUDA_SUCCESS);
    ASSERT_EQ(program.Launch(kernel, first), CUDA_SUCCESS);
    ASSERT_EQ(CALL(cuda, cuEventRecord)(events[0], first), CUDA_SUCCESS);
    ASSERT_EQ(CALL(cuda, cuStreamWaitEvent)(second, events[0], 0), CUDA_SUCCESS);
    ASSERT_EQ(program.Launch(kernel, second), CUDA_SUCCESS);
    ASSERT_EQ(CALL(cuda, cuEventRecord)(events[1], second), CUDA_SUCCESS);
    ASSERT_EQ(CALL(cuda, cuStreamWaitEvent)(first, events[1], 0), CUDA_SUCCESS);
    EXPECT_EQ(End(program, first), 2u);
    ExpectHeldToTheBound(program, kernel, second);
  });
}

// A capture in global mode fails when any thread asks for an event meanwhile; timing work is to ask
// for events.
TEST_F(CaptureTest, WorkIsTimedBesideACaptureWithoutDisturbingIt) {
  InProgram([&](Program& program) {
    constexpr double kKernelNs = 200'000;
    CUfunction kernel = program.Kernel("spin_200us");
    CUstream recording = program.NewStream();
    CUstream working = program.NewStream();
    program.LaunchMany(1, kernel, working);
    program.Synchronize();
    ASSERT_EQ(Begin(program, recording, CU_STREAM_CAPTURE_MODE_GLOBAL), CUDA_SUCCESS);
    ASSERT_EQ(program.Launch(kernel, recording), CUDA_SUCCESS);
    const uint64_t before_ns = turns_.UsedNs();
    const CallBeside beside(program.tenant(), [&] {
      for (int i = 0; i < 99; ++i)
        if (program.Launch(kernel, working) != CUDA_SUCCESS) return CUDA_ERROR_UNKNOWN;
      return CUDA_SUCCESS;
    });
    EXPECT_TRUE(beside.ReturnsInTime());
    EXPECT_EQ(beside.result(), CUDA_SUCCESS);
    ASSERT_EQ(program.Launch(kernel, recording), CUDA_SUCCESS);
    EXPECT_EQ(End(program, recording), 2u);
    EXPECT_NEAR(static_cast<double>(turns_.UsedNs() - before_ns), 100 * kKernelNs, 15 * kKernelNs);
  });
}

}  // namespace
}  // namespace warpshare::testing
