#include <gtest/gtest.h>

#include <thread>

#include "simgpu/cuda/copy/api.h"
#include "simgpu/cuda/event/api.h"
#include "simgpu/cuda/graph/capture_api.h"
#include "simgpu/testing/graph_fixture.h"

namespace simgpu::testing {
namespace {

class CaptureTest : public GraphFixture {
 protected:
  void SetUp() override {
    GraphFixture::SetUp();
    ASSERT_EQ(cuStreamCreate(&other_, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
    ASSERT_EQ(cuEventCreate(&event_, CU_EVENT_DISABLE_TIMING), CUDA_SUCCESS);
  }

  void Begin(CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL) {
    ASSERT_EQ(cuStreamBeginCapture_v2(stream_, mode), CUDA_SUCCESS);
  }

  CUresult Launch(CUstream stream, const char* kernel = "spin_1us") {
    CUfunction function = nullptr;
    EXPECT_EQ(cuModuleGetFunction(&function, module_, kernel), CUDA_SUCCESS);
    return cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr);
  }

  CUgraph End() {
    CUgraph graph = nullptr;
    EXPECT_EQ(cuStreamEndCapture(stream_, &graph), CUDA_SUCCESS);
    return graph;
  }

  CUresult EndError() {
    CUgraph graph = graph_;
    const CUresult result = cuStreamEndCapture(stream_, &graph);
    EXPECT_EQ(graph, nullptr);
    return result;
  }

  static size_t CountNodes(CUgraph graph) {
    size_t count = 0;
    EXPECT_EQ(cuGraphGetNodes(graph, nullptr, &count), CUDA_SUCCESS);
    return count;
  }

  static CUstreamCaptureStatus StatusOf(CUstream stream) {
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    EXPECT_EQ(cuStreamIsCapturing(stream, &status), CUDA_SUCCESS);
    return status;
  }

  CUstream other_ = nullptr;
  CUevent event_ = nullptr;
};

TEST_F(CaptureTest, TurnsWorkIntoNodes) {
  CUdeviceptr memory = 0;
  ASSERT_EQ(cuMemAlloc_v2(&memory, 64), CUDA_SUCCESS);
  uint32_t in = 0;
  uint32_t out = 0;
  Begin();
  EXPECT_EQ(StatusOf(stream_), CU_STREAM_CAPTURE_STATUS_ACTIVE);
  ASSERT_EQ(cuMemcpyHtoDAsync_v2(memory, &in, 4, stream_), CUDA_SUCCESS);
  ASSERT_EQ(Launch(stream_), CUDA_SUCCESS);
  ASSERT_EQ(cuMemcpyDtoHAsync_v2(&out, memory, 4, stream_), CUDA_SUCCESS);
  const CUgraph graph = End();
  EXPECT_EQ(StatusOf(stream_), CU_STREAM_CAPTURE_STATUS_NONE);
  EXPECT_EQ(CountNodes(graph), 3u);
  CUgraphExec exec = nullptr;
  ASSERT_EQ(cuGraphInstantiateWithFlags(&exec, graph, 0), CUDA_SUCCESS);
  for (in = 5; in < 8; ++in) {
    Run(exec);
    EXPECT_EQ(out, in);
  }
}

TEST_F(CaptureTest, FollowsEventsIntoOtherStreams) {
  Begin();
  ASSERT_EQ(Launch(stream_), CUDA_SUCCESS);
  ASSERT_EQ(cuEventRecord(event_, stream_), CUDA_SUCCESS);
  ASSERT_EQ(cuStreamWaitEvent(other_, event_, 0), CUDA_SUCCESS);
  EXPECT_EQ(StatusOf(other_), CU_STREAM_CAPTURE_STATUS_ACTIVE);
  ASSERT_EQ(Launch(other_), CUDA_SUCCESS);
  ASSERT_EQ(Launch(stream_), CUDA_SUCCESS);
  ASSERT_EQ(cuEventRecord(event_, other_), CUDA_SUCCESS);
  ASSERT_EQ(cuStreamWaitEvent(stream_, event_, 0), CUDA_SUCCESS);
  ASSERT_EQ(Launch(stream_), CUDA_SUCCESS);
  const CUgraph graph = End();
  size_t edges = 0;
  EXPECT_EQ(CountNodes(graph), 4u);
  ASSERT_EQ(cuGraphGetEdges(graph, nullptr, nullptr, &edges), CUDA_SUCCESS);
  EXPECT_EQ(edges, 4u);
  EXPECT_EQ(StatusOf(other_), CU_STREAM_CAPTURE_STATUS_NONE);
  EXPECT_EQ(cuEventQuery(event_), CUDA_ERROR_CAPTURED_EVENT);
  EXPECT_EQ(cuStreamWaitEvent(other_, event_, 0), CUDA_ERROR_CAPTURED_EVENT);
}

TEST_F(CaptureTest, UnjoinedWorkGivesNoGraph) {
  Begin();
  ASSERT_EQ(cuEventRecord(event_, stream_), CUDA_SUCCESS);
  ASSERT_EQ(cuStreamWaitEvent(other_, event_, 0), CUDA_SUCCESS);
  ASSERT_EQ(Launch(other_), CUDA_SUCCESS);
  EXPECT_EQ(EndError(), CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
  EXPECT_EQ(StatusOf(stream_), CU_STREAM_CAPTURE_STATUS_NONE);
}

TEST_F(CaptureTest, AJoinedStreamMayBeDestroyedMeanwhile) {
  Begin();
  ASSERT_EQ(cuEventRecord(event_, stream_), CUDA_SUCCESS);
  ASSERT_EQ(cuStreamWaitEvent(other_, event_, 0), CUDA_SUCCESS);
  ASSERT_EQ(Launch(other_), CUDA_SUCCESS);
  ASSERT_EQ(cuEventRecord(event_, other_), CUDA_SUCCESS);
  ASSERT_EQ(cuStreamWaitEvent(stream_, event_, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuStreamDestroy_v2(other_), CUDA_SUCCESS);
  EXPECT_EQ(CountNodes(End()), 1u);
}

TEST_F(CaptureTest, WaitingForUncapturedWorkSpoilsIt) {
  ASSERT_EQ(Launch(other_), CUDA_SUCCESS);
  ASSERT_EQ(cuEventRecord(event_, other_), CUDA_SUCCESS);
  Begin();
  EXPECT_EQ(cuStreamWaitEvent(stream_, event_, 0), CUDA_ERROR_STREAM_CAPTURE_ISOLATION);
  EXPECT_EQ(StatusOf(stream_), CU_STREAM_CAPTURE_STATUS_INVALIDATED);
  EXPECT_EQ(Launch(stream_), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  EXPECT_EQ(EndError(), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

TEST_F(CaptureTest, SynchronizingTheStreamSpoilsIt) {
  Begin();
  EXPECT_EQ(cuStreamSynchronize(stream_), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  EXPECT_EQ(EndError(), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

TEST_F(CaptureTest, UnsafeCallsAreRefusedByTheMode) {
  CUdeviceptr memory = 0;
  Begin(CU_STREAM_CAPTURE_MODE_GLOBAL);
  std::thread([&] {
    ASSERT_EQ(cuCtxSetCurrent(context_), CUDA_SUCCESS);
    EXPECT_EQ(cuMemAlloc_v2(&memory, 64), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  }).join();
  EXPECT_EQ(EndError(), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);

  Begin(CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
  std::thread([&] {
    ASSERT_EQ(cuCtxSetCurrent(context_), CUDA_SUCCESS);
    EXPECT_EQ(cuMemAlloc_v2(&memory, 64), CUDA_SUCCESS);
  }).join();
  EXPECT_EQ(cuMemAlloc_v2(&memory, 64), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  EXPECT_EQ(EndError(), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);

  Begin(CU_STREAM_CAPTURE_MODE_RELAXED);
  EXPECT_EQ(cuMemAlloc_v2(&memory, 64), CUDA_SUCCESS);
  EXPECT_EQ(CountNodes(End()), 0u);
}

TEST_F(CaptureTest, AThreadCanRelaxItsOwnMode) {
  CUdeviceptr memory = 0;
  Begin();
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  ASSERT_EQ(cuThreadExchangeStreamCaptureMode(&mode), CUDA_SUCCESS);
  EXPECT_EQ(mode, CU_STREAM_CAPTURE_MODE_GLOBAL);
  EXPECT_EQ(cuMemAlloc_v2(&memory, 64), CUDA_SUCCESS);
  ASSERT_EQ(cuThreadExchangeStreamCaptureMode(&mode), CUDA_SUCCESS);
  EXPECT_EQ(mode, CU_STREAM_CAPTURE_MODE_RELAXED);
  EXPECT_EQ(CountNodes(End()), 0u);
}

TEST_F(CaptureTest, IsEndedWhereItBegan) {
  CUgraph graph = nullptr;
  EXPECT_EQ(cuStreamEndCapture(stream_, &graph), CUDA_ERROR_ILLEGAL_STATE);
  Begin();
  EXPECT_EQ(cuStreamBeginCapture_v2(stream_, CU_STREAM_CAPTURE_MODE_GLOBAL),
            CUDA_ERROR_ILLEGAL_STATE);
  std::thread([&] {
    CUgraph ignored = nullptr;
    EXPECT_EQ(cuStreamEndCapture(stream_, &ignored), CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD);
  }).join();
  ASSERT_EQ(cuEventRecord(event_, stream_), CUDA_SUCCESS);
  ASSERT_EQ(cuStreamWaitEvent(other_, event_, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamEndCapture(other_, &graph), CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
  EXPECT_EQ(EndError(), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

TEST_F(CaptureTest, TheLegacyDefaultStreamStaysOut) {
  EXPECT_EQ(cuStreamBeginCapture_v2(nullptr, CU_STREAM_CAPTURE_MODE_GLOBAL),
            CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  CUstream blocking = nullptr;
  CUgraph graph = nullptr;
  ASSERT_EQ(cuStreamCreate(&blocking, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuStreamBeginCapture_v2(blocking, CU_STREAM_CAPTURE_MODE_RELAXED), CUDA_SUCCESS);
  EXPECT_EQ(Launch(nullptr), CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  EXPECT_EQ(cuStreamEndCapture(blocking, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  EXPECT_EQ(cuStreamBeginCapture_v2_ptsz(nullptr, CU_STREAM_CAPTURE_MODE_RELAXED), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamEndCapture_ptsz(nullptr, &graph), CUDA_SUCCESS);
}

TEST_F(CaptureTest, TellsWhereItStands) {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  uint64_t id = 0;
  CUgraph graph = nullptr;
  const CUgraphNode* nodes = nullptr;
  const CUgraphEdgeData* edges = nullptr;
  size_t count = 0;
  Begin();
  ASSERT_EQ(Launch(stream_), CUDA_SUCCESS);
  ASSERT_EQ(cuStreamGetCaptureInfo_v3(stream_, &status, &id, &graph, &nodes, &edges, &count),
            CUDA_SUCCESS);
  EXPECT_EQ(status, CU_STREAM_CAPTURE_STATUS_ACTIVE);
  EXPECT_GT(id, 0u);
  ASSERT_EQ(count, 1u);
  const CUgraphNode last = nodes[0];
  // By hand: a node beside what the stream captured, and the stream goes on after both.
  CUgraphNode extra = nullptr;
  ASSERT_EQ(cuGraphAddEmptyNode(&extra, graph, nullptr, 0), CUDA_SUCCESS);
  ASSERT_EQ(
      cuStreamUpdateCaptureDependencies(stream_, &extra, 1, CU_STREAM_ADD_CAPTURE_DEPENDENCIES),
      CUDA_SUCCESS);
  ASSERT_EQ(cuStreamGetCaptureInfo_v2(stream_, &status, nullptr, nullptr, &nodes, &count),
            CUDA_SUCCESS);
  ASSERT_EQ(count, 2u);
  EXPECT_EQ(nodes[0], last);
  EXPECT_EQ(nodes[1], extra);
  EXPECT_EQ(End(), graph);
}

TEST_F(CaptureTest, AddsToAGraphOfTheProgram) {
  const CUgraphNode first = AddKernel("spin_1us");
  ASSERT_EQ(cuStreamBeginCaptureToGraph(stream_, graph_, &first, nullptr, 1,
                                        CU_STREAM_CAPTURE_MODE_GLOBAL),
            CUDA_SUCCESS);
  ASSERT_EQ(Launch(stream_), CUDA_SUCCESS);
  EXPECT_EQ(End(), graph_);
  EXPECT_EQ(CountNodes(graph_), 2u);
  size_t count = 0;
  ASSERT_EQ(cuGraphNodeGetDependentNodes(first, nullptr, &count), CUDA_SUCCESS);
  EXPECT_EQ(count, 1u);
}

TEST_F(CaptureTest, ALaunchedGraphBecomesAChild) {
  AddKernel("spin_1us");
  const CUgraphExec exec = Instantiate();
  Begin();
  ASSERT_EQ(cuGraphLaunch(exec, stream_), CUDA_SUCCESS);
  const CUgraph graph = End();
  CUgraphNode node = nullptr;
  size_t count = 1;
  ASSERT_EQ(cuGraphGetNodes(graph, &node, &count), CUDA_SUCCESS);
  CUgraphNodeType type;
  ASSERT_EQ(cuGraphNodeGetType(node, &type), CUDA_SUCCESS);
  EXPECT_EQ(type, CU_GRAPH_NODE_TYPE_GRAPH);
}

}  // namespace
}  // namespace simgpu::testing
