#include <gtest/gtest.h>

#include <atomic>

#include "simgpu/cuda/copy/api.h"
#include "simgpu/cuda/event/api.h"
#include "simgpu/cuda/graph/user_object_api.h"
#include "simgpu/testing/graph_fixture.h"
#include "simgpu/testing/stream_gate.h"

namespace simgpu::testing {
namespace {

class GraphExecTest : public GraphFixture {
 protected:
  // How long one launch takes on the card, behind other work.
  float MillisecondsOf(CUgraphExec exec) {
    CUevent begin = nullptr;
    CUevent end = nullptr;
    EXPECT_EQ(cuEventCreate(&begin, 0), CUDA_SUCCESS);
    EXPECT_EQ(cuEventCreate(&end, 0), CUDA_SUCCESS);
    CUfunction first = nullptr;
    EXPECT_EQ(cuModuleGetFunction(&first, module_, "spin_20ms"), CUDA_SUCCESS);
    StreamGate gate(stream_);
    EXPECT_EQ(cuLaunchKernel(first, 1, 1, 1, 1, 1, 1, 0, stream_, nullptr, nullptr), CUDA_SUCCESS);
    EXPECT_EQ(cuEventRecord(begin, stream_), CUDA_SUCCESS);
    EXPECT_EQ(cuGraphLaunch(exec, stream_), CUDA_SUCCESS);
    EXPECT_EQ(cuEventRecord(end, stream_), CUDA_SUCCESS);
    gate.Open();
    EXPECT_EQ(cuStreamSynchronize(stream_), CUDA_SUCCESS);
    float elapsed = 0;
    EXPECT_EQ(cuEventElapsedTime(&elapsed, begin, end), CUDA_SUCCESS);
    return elapsed;
  }

  // An object that counts its destruction, with one reference that `graph` holds.
  static CUuserObject GiveObject(CUgraph graph, std::atomic<int>& destroyed) {
    const CUhostFn destroy = [](void* count) {
      static_cast<std::atomic<int>*>(count)->fetch_add(1);
      static_cast<std::atomic<int>*>(count)->notify_all();
    };
    CUuserObject object = nullptr;
    EXPECT_EQ(
        cuUserObjectCreate(&object, &destroyed, destroy, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC),
        CUDA_SUCCESS);
    EXPECT_EQ(cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE), CUDA_SUCCESS);
    return object;
  }
};

TEST_F(GraphExecTest, RunsItsNodesInTheOrderOfTheirEdges) {
  const CUgraphNode a = AddHost('a');
  const CUgraphNode kernel = AddKernel("spin_1ms", {a});
  const CUgraphNode b = AddHost('b', {kernel});
  AddHost('c', {b});
  const CUgraphExec exec = Instantiate();
  Run(exec);
  Run(exec);
  EXPECT_EQ(order(), "abcabc");
}

TEST_F(GraphExecTest, JoinsItsBranches) {
  const CUgraphNode fork = AddHost('f');
  const CUgraphNode left = AddKernel("spin_2ms", {fork});
  const CUgraphNode right = AddKernel("spin_1ms", {fork});
  const CUgraphNode middle = AddHost('m', {right});
  AddHost('j', {left, middle});
  Run(Instantiate());
  EXPECT_EQ(order(), "fmj");
}

TEST_F(GraphExecTest, TakesTheTimeOfItsKernels) {
  CUgraphNode last = AddKernel("spin_100us");
  for (int i = 0; i < 9; ++i) last = AddKernel("spin_100us", {last});
  EXPECT_NEAR(MillisecondsOf(Instantiate()), 1.0f, 0.01f);
}

TEST_F(GraphExecTest, KernelsLastAsLongAsTheArgumentOfTheNode) {
  const CUgraphNode node = AddKernel("spin_arg0us");
  const CUgraphExec exec = Instantiate();
  for (uint64_t us : {1'000, 2'000}) {
    CUDA_KERNEL_NODE_PARAMS_v2 params{};
    ASSERT_EQ(cuGraphKernelNodeGetParams_v2(node, &params), CUDA_SUCCESS);
    void* arguments[] = {&us};
    params.kernelParams = arguments;
    ASSERT_EQ(cuGraphExecKernelNodeSetParams_v2(exec, node, &params), CUDA_SUCCESS);
    EXPECT_NEAR(MillisecondsOf(exec), static_cast<float>(us) / 1e3f, 0.01f);
  }
}

TEST_F(GraphExecTest, BranchesShareTheCard) {
  const CUgraphNode root = AddKernel("spin_100us");
  Nodes ends;
  for (int i = 0; i < 40; ++i) ends.push_back(AddKernel("spin_50us", {root}));
  AddKernel("spin_100us", ends);
  EXPECT_NEAR(MillisecondsOf(Instantiate()), 2.2f, 0.1f);
}

TEST_F(GraphExecTest, IsACopyOfTheGraph) {
  AddHost('a');
  const CUgraphExec exec = Instantiate();
  AddHost('b');
  ASSERT_EQ(cuGraphDestroy(graph_), CUDA_SUCCESS);
  Run(exec);
  EXPECT_EQ(order(), "a");
}

TEST_F(GraphExecTest, RefusesCycles) {
  const CUgraphNode a = AddKernel("a");
  const CUgraphNode b = AddKernel("b", {a});
  ASSERT_EQ(cuGraphAddDependencies(graph_, &b, &a, 1), CUDA_SUCCESS);
  CUgraphExec exec = nullptr;
  EXPECT_EQ(cuGraphInstantiateWithFlags(&exec, graph_, 0), CUDA_ERROR_INVALID_VALUE);
  CUDA_GRAPH_INSTANTIATE_PARAMS params{};
  EXPECT_EQ(cuGraphInstantiateWithParams(&exec, graph_, &params), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(params.result_out, CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE);
  EXPECT_EQ(cuGraphInstantiateWithFlags(&exec, graph_, CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH),
            CUDA_ERROR_NOT_SUPPORTED);
}

TEST_F(GraphExecTest, CopiesAndFillsMoveData) {
  CUdeviceptr memory = 0;
  ASSERT_EQ(cuMemAlloc_v2(&memory, 4096), CUDA_SUCCESS);
  CUDA_MEMSET_NODE_PARAMS fill{};
  fill.dst = memory;
  fill.value = 0x11223344;
  fill.elementSize = 4;
  fill.width = 16;
  fill.height = 1;
  CUgraphNode filled = nullptr;
  ASSERT_EQ(cuGraphAddMemsetNode(&filled, graph_, nullptr, 0, &fill, context_), CUDA_SUCCESS);
  uint32_t out = 0;
  CUDA_MEMCPY3D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = memory;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = &out;
  copy.WidthInBytes = 4;
  copy.Height = copy.Depth = 1;
  CUgraphNode copied = nullptr;
  ASSERT_EQ(cuGraphAddMemcpyNode(&copied, graph_, &filled, 1, &copy, context_), CUDA_SUCCESS);
  const CUgraphExec exec = Instantiate();
  Run(exec);
  EXPECT_EQ(out, 0x11223344u);
  fill.value = 0x55667788;
  ASSERT_EQ(cuGraphExecMemsetNodeSetParams(exec, filled, &fill, context_), CUDA_SUCCESS);
  Run(exec);
  EXPECT_EQ(out, 0x55667788u);
  copy.srcDevice = 0x1000;
  EXPECT_EQ(cuGraphExecMemcpyNodeSetParams(exec, copied, &copy, context_),
            CUDA_ERROR_INVALID_VALUE);
}

TEST_F(GraphExecTest, NodesCanBeSwitchedOff) {
  const CUgraphNode kernel = AddKernel("spin_1000ms");
  const CUgraphNode host = AddHost('a', {kernel});
  const CUgraphExec exec = Instantiate();
  ASSERT_EQ(cuGraphNodeSetEnabled(exec, kernel, 0), CUDA_SUCCESS);
  unsigned enabled = 1;
  ASSERT_EQ(cuGraphNodeGetEnabled(exec, kernel, &enabled), CUDA_SUCCESS);
  EXPECT_EQ(enabled, 0u);
  EXPECT_LT(MillisecondsOf(exec), 500.0f);
  EXPECT_EQ(cuGraphNodeSetEnabled(exec, host, 0), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(GraphExecTest, IsUpdatedFromAGraphBuiltAlike) {
  AddKernel("spin_1ms", {AddKernel("spin_1ms")});
  const CUgraphExec exec = Instantiate();
  CUgraph source = nullptr;
  ASSERT_EQ(cuGraphCreate(&source, 0), CUDA_SUCCESS);
  const CUgraphNode first = AddKernel("spin_2ms", {}, source);
  AddKernel("spin_2ms", {first}, source);
  CUgraphExecUpdateResultInfo info{};
  ASSERT_EQ(cuGraphExecUpdate_v2(exec, source, &info), CUDA_SUCCESS);
  EXPECT_EQ(info.result, CU_GRAPH_EXEC_UPDATE_SUCCESS);
  EXPECT_NEAR(MillisecondsOf(exec), 4.0f, 0.05f);
  AddKernel("spin_2ms", {}, source);
  EXPECT_EQ(cuGraphExecUpdate_v2(exec, source, &info), CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
  EXPECT_EQ(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
}

TEST_F(GraphExecTest, EventNodesTieItToOtherStreams) {
  CUevent event = nullptr;
  ASSERT_EQ(cuEventCreate(&event, 0), CUDA_SUCCESS);
  const CUgraphNode kernel = AddKernel("spin_10ms");
  CUgraphNode record = nullptr;
  ASSERT_EQ(cuGraphAddEventRecordNode(&record, graph_, &kernel, 1, event), CUDA_SUCCESS);
  ASSERT_EQ(cuGraphLaunch(Instantiate(), stream_), CUDA_SUCCESS);
  EXPECT_EQ(cuEventQuery(event), CUDA_ERROR_NOT_READY);
  EXPECT_EQ(cuEventSynchronize(event), CUDA_SUCCESS);
  CUevent found = nullptr;
  ASSERT_EQ(cuGraphEventRecordNodeGetEvent(record, &found), CUDA_SUCCESS);
  EXPECT_EQ(found, event);
  EXPECT_EQ(cuGraphEventWaitNodeGetEvent(record, &found), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(GraphExecTest, ConditionsTakeTheirValueAtLaunch) {
  CUgraphConditionalHandle yes = 0;
  CUgraphConditionalHandle no = 0;
  ASSERT_EQ(cuGraphConditionalHandleCreate(&yes, graph_, context_, 1, CU_GRAPH_COND_ASSIGN_DEFAULT),
            CUDA_SUCCESS);
  ASSERT_EQ(cuGraphConditionalHandleCreate(&no, graph_, context_, 0, CU_GRAPH_COND_ASSIGN_DEFAULT),
            CUDA_SUCCESS);
  for (const CUgraphConditionalHandle handle : {yes, no}) {
    CUgraphNodeParams params{};
    params.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
    params.conditional = {handle, CU_GRAPH_COND_TYPE_IF, 1, nullptr, context_};
    CUgraphNode node = nullptr;
    ASSERT_EQ(cuGraphAddNode(&node, graph_, nullptr, 0, &params), CUDA_SUCCESS);
    AddKernel("spin_3ms", {}, params.conditional.phGraph_out[0]);
  }
  EXPECT_NEAR(MillisecondsOf(Instantiate()), 3.0f, 0.05f);
  CUgraphNodeParams loop{};
  loop.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
  loop.conditional = {yes, CU_GRAPH_COND_TYPE_WHILE, 1, nullptr, context_};
  CUgraphNode node = nullptr;
  EXPECT_EQ(cuGraphAddNode(&node, graph_, nullptr, 0, &loop), CUDA_ERROR_NOT_SUPPORTED);
}

TEST_F(GraphExecTest, ADestroyedOneEndsItsLaunch) {
  AddHost('a', {AddKernel("spin_5ms")});
  const CUgraphExec exec = Instantiate();
  ASSERT_EQ(cuGraphLaunch(exec, stream_), CUDA_SUCCESS);
  ASSERT_EQ(cuGraphExecDestroy(exec), CUDA_SUCCESS);
  EXPECT_EQ(cuGraphLaunch(exec, stream_), CUDA_ERROR_INVALID_VALUE);
  ASSERT_EQ(cuStreamSynchronize(stream_), CUDA_SUCCESS);
  EXPECT_EQ(order(), "a");
}

TEST_F(GraphExecTest, UserObjectsLiveAsLongAsTheirGraphs) {
  std::atomic<int> destroyed{0};
  const CUuserObject object = GiveObject(graph_, destroyed);
  const CUgraphExec exec = Instantiate();
  ASSERT_EQ(cuGraphDestroy(graph_), CUDA_SUCCESS);
  EXPECT_EQ(destroyed, 0);
  ASSERT_EQ(cuGraphExecDestroy(exec), CUDA_SUCCESS);
  destroyed.wait(0);
  EXPECT_EQ(destroyed, 1);
  EXPECT_EQ(cuUserObjectRelease(object, 1), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(GraphExecTest, AnUpdateTakesTheUserObjectsOfTheNewGraph) {
  std::atomic<int> old_destroyed{0};
  std::atomic<int> new_destroyed{0};
  AddKernel("spin_1us");
  const CUuserObject old_object = GiveObject(graph_, old_destroyed);
  const CUgraphExec exec = Instantiate();
  ASSERT_EQ(cuGraphDestroy(graph_), CUDA_SUCCESS);
  ASSERT_EQ(cuGraphCreate(&graph_, 0), CUDA_SUCCESS);
  AddKernel("spin_2us");
  const CUuserObject new_object = GiveObject(graph_, new_destroyed);
  CUgraphExecUpdateResultInfo info{};
  ASSERT_EQ(cuGraphExecUpdate_v2(exec, graph_, &info), CUDA_SUCCESS);
  ASSERT_EQ(cuGraphDestroy(graph_), CUDA_SUCCESS);
  ASSERT_EQ(cuUserObjectRetain(old_object, 1), CUDA_ERROR_INVALID_VALUE);
  old_destroyed.wait(0);
  ASSERT_EQ(cuUserObjectRetain(new_object, 1), CUDA_SUCCESS);
  ASSERT_EQ(cuUserObjectRelease(new_object, 1), CUDA_SUCCESS);
  ASSERT_EQ(cuGraphExecDestroy(exec), CUDA_SUCCESS);
  new_destroyed.wait(0);
  EXPECT_EQ(new_destroyed, 1);
}

TEST_F(GraphExecTest, AnUpdateLeavesItsUserObjectsToALaunchInProgress) {
  std::atomic<int> destroyed{0};
  std::atomic<bool> let_go{false};
  const CUDA_HOST_NODE_PARAMS wait = {
      [](void* flag) { static_cast<std::atomic<bool>*>(flag)->wait(false); }, &let_go};
  CUgraphNode node = nullptr;
  ASSERT_EQ(cuGraphAddHostNode(&node, graph_, nullptr, 0, &wait), CUDA_SUCCESS);
  const CUuserObject object = GiveObject(graph_, destroyed);
  const CUgraphExec exec = Instantiate();
  ASSERT_EQ(cuGraphLaunch(exec, stream_), CUDA_SUCCESS);
  ASSERT_EQ(cuGraphReleaseUserObject(graph_, object, 1), CUDA_SUCCESS);
  CUgraphExecUpdateResultInfo info{};
  ASSERT_EQ(cuGraphExecUpdate_v2(exec, graph_, &info), CUDA_SUCCESS);
  EXPECT_EQ(cuUserObjectRetain(object, 1), CUDA_SUCCESS);  // it is still there
  ASSERT_EQ(cuUserObjectRelease(object, 1), CUDA_SUCCESS);
  let_go = true;
  let_go.notify_all();
  destroyed.wait(0);
  EXPECT_EQ(destroyed, 1);
}

}  // namespace
}  // namespace simgpu::testing
