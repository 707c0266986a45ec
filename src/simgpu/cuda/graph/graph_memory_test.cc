#include <gtest/gtest.h>

#include "simgpu/cuda/graph/user_object_api.h"
#include "simgpu/testing/graph_fixture.h"

namespace simgpu::testing {
namespace {

constexpr size_t kBytes = size_t{4} << 20;

class GraphMemoryTest : public GraphFixture {
 protected:
  void TearDown() override {
    GraphFixture::TearDown();
    EXPECT_EQ(cuDeviceGraphMemTrim(0), CUDA_SUCCESS);
  }

  CUdeviceptr AddAllocation(size_t bytes, CUgraphNode* node) {
    CUDA_MEM_ALLOC_NODE_PARAMS params{};
    params.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    params.poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    params.bytesize = bytes;
    EXPECT_EQ(cuGraphAddMemAllocNode(node, graph_, nullptr, 0, &params), CUDA_SUCCESS);
    return params.dptr;
  }

  CUgraphNode AddFill(CUdeviceptr memory, CUgraphNode after) {
    CUDA_MEMSET_NODE_PARAMS fill{};
    fill.dst = memory;
    fill.value = 7;
    fill.elementSize = 1;
    fill.width = 16;
    fill.height = 1;
    CUgraphNode node = nullptr;
    EXPECT_EQ(cuGraphAddMemsetNode(&node, graph_, &after, 1, &fill, context_), CUDA_SUCCESS);
    return node;
  }

  static uint64_t Attribute(CUgraphMem_attribute attribute) {
    uint64_t value = 0;
    EXPECT_EQ(cuDeviceGetGraphMemAttribute(0, attribute, &value), CUDA_SUCCESS);
    return value;
  }
};

TEST_F(GraphMemoryTest, IsTakenAtTheFirstLaunchAndKeptForTheNext) {
  const size_t free = Free();
  CUgraphNode made = nullptr;
  const CUdeviceptr memory = AddAllocation(kBytes, &made);
  EXPECT_NE(memory, 0u);
  const CUgraphNode filled = AddFill(memory, made);
  CUgraphNode freed = nullptr;
  ASSERT_EQ(cuGraphAddMemFreeNode(&freed, graph_, &filled, 1, memory), CUDA_SUCCESS);
  const CUgraphExec exec = Instantiate();
  EXPECT_EQ(Free(), free);
  Run(exec);
  EXPECT_EQ(Free(), free - kBytes);
  EXPECT_EQ(Attribute(CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT), kBytes);
  EXPECT_EQ(Attribute(CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT), kBytes);
  EXPECT_EQ(Attribute(CU_GRAPH_MEM_ATTR_USED_MEM_HIGH), kBytes);
  Run(exec);
  EXPECT_EQ(Free(), free - kBytes);
  ASSERT_EQ(cuDeviceGraphMemTrim(0), CUDA_SUCCESS);
  EXPECT_EQ(Free(), free);
  Run(exec);
  ASSERT_EQ(cuGraphExecDestroy(exec), CUDA_SUCCESS);
  ASSERT_EQ(cuGraphDestroy(graph_), CUDA_SUCCESS);
  EXPECT_EQ(Free(), free);
}

TEST_F(GraphMemoryTest, LivesOnWhenItsGraphDoesNotFreeIt) {
  const size_t free = Free();
  CUgraphNode made = nullptr;
  const CUdeviceptr memory = AddAllocation(kBytes, &made);
  AddFill(memory, made);
  const CUgraphExec exec = Instantiate();
  Run(exec);
  EXPECT_EQ(reinterpret_cast<const unsigned char*>(memory)[15], 7);
  EXPECT_EQ(cuGraphLaunch(exec, stream_), CUDA_ERROR_INVALID_VALUE);
  ASSERT_EQ(cuGraphExecDestroy(exec), CUDA_SUCCESS);
  ASSERT_EQ(cuGraphDestroy(graph_), CUDA_SUCCESS);
  EXPECT_EQ(reinterpret_cast<const unsigned char*>(memory)[15], 7);
  EXPECT_EQ(Attribute(CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT), kBytes);
  ASSERT_EQ(cuMemFree_v2(memory), CUDA_SUCCESS);
  EXPECT_EQ(Attribute(CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT), 0u);
  EXPECT_EQ(Free(), free);
}

TEST_F(GraphMemoryTest, IsFreedByTheNextLaunchWhenAskedFor) {
  CUgraphNode made = nullptr;
  AddAllocation(kBytes, &made);
  const CUgraphExec exec = Instantiate(CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH);
  Run(exec);
  Run(exec);
  EXPECT_EQ(Attribute(CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT), kBytes);
}

TEST_F(GraphMemoryTest, IsRefusedWhenTheCardIsFull) {
  CUgraphNode made = nullptr;
  AddAllocation(Free() + 1, &made);
  const size_t free = Free();
  const CUgraphExec exec = Instantiate();
  EXPECT_EQ(cuGraphLaunch(exec, stream_), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(cuGraphUpload(exec, stream_), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(Free(), free);
}

TEST_F(GraphMemoryTest, FixesTheStructureAroundIt) {
  CUgraphNode made = nullptr;
  AddAllocation(kBytes, &made);
  CUgraph clone = nullptr;
  CUgraph other = nullptr;
  CUgraphNode node = nullptr;
  ASSERT_EQ(cuGraphCreate(&other, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuGraphClone(&clone, graph_), CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(cuGraphDestroyNode(made), CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(cuGraphAddChildGraphNode(&node, other, nullptr, 0, graph_), CUDA_ERROR_NOT_SUPPORTED);
  const CUgraphExec exec = Instantiate();
  CUgraphExec second = nullptr;
  EXPECT_EQ(cuGraphInstantiateWithFlags(&second, graph_, 0), CUDA_ERROR_NOT_SUPPORTED);
  ASSERT_EQ(cuGraphExecDestroy(exec), CUDA_SUCCESS);
  EXPECT_EQ(cuGraphInstantiateWithFlags(&second, graph_, 0), CUDA_SUCCESS);
}

TEST_F(GraphMemoryTest, BadRequestsAreRefused) {
  CUDA_MEM_ALLOC_NODE_PARAMS params{};
  params.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  params.poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  CUgraphNode node = nullptr;
  EXPECT_EQ(cuGraphAddMemAllocNode(&node, graph_, nullptr, 0, &params), CUDA_ERROR_INVALID_VALUE);
  params.bytesize = 1;
  params.poolProps.location.id = 9;
  EXPECT_EQ(cuGraphAddMemAllocNode(&node, graph_, nullptr, 0, &params), CUDA_ERROR_INVALID_DEVICE);
  EXPECT_EQ(cuGraphAddMemFreeNode(&node, graph_, nullptr, 0, 0x1000), CUDA_ERROR_INVALID_VALUE);
  uint64_t high = 1;
  EXPECT_EQ(cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &high),
            CUDA_ERROR_INVALID_VALUE);
}

}  // namespace
}  // namespace simgpu::testing
