// Memory of graphs' allocation nodes: charged when a graph is first uploaded or launched.
#include "memory/tenant_process.h"
#include "simgpu/cuda/context/api.h"
#include "simgpu/cuda/graph/api.h"
#include "simgpu/cuda/graph/capture_api.h"
#include "simgpu/cuda/graph/exec_api.h"
#include "simgpu/cuda/graph/node_api.h"
#include "simgpu/cuda/graph/user_object_api.h"
#include "simgpu/cuda/pool/api.h"
#include "simgpu/cuda/stream/api.h"

namespace warpshare::testing {
namespace {

class GraphMemoryTest : public MemoryTest {
 protected:
  // A graph that allocates `bytes` on the device and frees them again.
  static CUgraph NewGraph(Tenant& tenant, uint64_t bytes, CUdevice device = 0) {
    CUgraph graph = nullptr;
    EXPECT_EQ(CALL(tenant.cuda, cuGraphCreate)(&graph, 0), CUDA_SUCCESS);
    CUDA_MEM_ALLOC_NODE_PARAMS params{};
    params.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    params.poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
    params.bytesize = bytes;
    CUgraphNode made = nullptr;
    CUgraphNode freed = nullptr;
    EXPECT_EQ(CALL(tenant.cuda, cuGraphAddMemAllocNode)(&made, graph, nullptr, 0, &params),
              CUDA_SUCCESS);
    EXPECT_EQ(CALL(tenant.cuda, cuGraphAddMemFreeNode)(&freed, graph, &made, 1, params.dptr),
              CUDA_SUCCESS);
    return graph;
  }
  static CUgraphExec Instantiate(Tenant& tenant, CUgraph graph) {
    CUgraphExec exec = nullptr;
    EXPECT_EQ(CALL(tenant.cuda, cuGraphInstantiateWithFlags)(&exec, graph, 0), CUDA_SUCCESS);
    return exec;
  }
  static CUstream Stream(Tenant& tenant) {
    CUstream stream = nullptr;
    EXPECT_EQ(CALL(tenant.cuda, cuStreamCreate)(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
    return stream;
  }
  static void Synchronize(Tenant& tenant, CUstream stream) {
    EXPECT_EQ(CALL(tenant.cuda, cuStreamSynchronize)(stream), CUDA_SUCCESS);
  }
  static void Destroy(Tenant& tenant, CUgraph graph, CUgraphExec exec) {
    EXPECT_EQ(CALL(tenant.cuda, cuGraphExecDestroy)(exec), CUDA_SUCCESS);
    EXPECT_EQ(CALL(tenant.cuda, cuGraphDestroy)(graph), CUDA_SUCCESS);
  }
};

constexpr uint64_t kOdd = 9 * kMiB + 7;

TEST_F(GraphMemoryTest, ItIsExactToTheByteAtTheFirstLaunch) {
  InTenant([](Tenant& tenant) {
    const CUstream stream = Stream(tenant);
    const CUgraph graph = NewGraph(tenant, kOdd);
    const CUgraphExec exec = Instantiate(tenant, graph);
    const auto launch = [&] {
      const CUresult result = CALL(tenant.cuda, cuGraphLaunch)(exec, stream);
      Synchronize(tenant, stream);
      return result;
    };
    ExpectExactToTheByte(
        tenant, {launch, [&] { return CALL(tenant.cuda, cuDeviceGraphMemTrim)(0); }, kOdd});
    Destroy(tenant, graph, exec);
  });
}

TEST_F(GraphMemoryTest, ItIsExactToTheByteAtTheUpload) {
  InTenant([](Tenant& tenant) {
    const CUstream stream = Stream(tenant);
    const CUgraph graph = NewGraph(tenant, kOdd);
    const CUgraphExec exec = Instantiate(tenant, graph);
    const auto upload = [&] {
      const CUresult result = CALL(tenant.cuda, cuGraphUpload)(exec, stream);
      Synchronize(tenant, stream);
      return result;
    };
    ExpectExactToTheByte(
        tenant, {upload, [&] { return CALL(tenant.cuda, cuDeviceGraphMemTrim)(0); }, kOdd});
    Destroy(tenant, graph, exec);
  });
}

TEST_F(GraphMemoryTest, AGraphThatWasLaunchedIsLaunchedAgainInAFullTenant) {
  InTenant([](Tenant& tenant) {
    const uint64_t before = tenant.Charged();
    const CUstream stream = Stream(tenant);
    const CUgraph graph = NewGraph(tenant, kOdd);
    const CUgraphExec exec = Instantiate(tenant, graph);
    EXPECT_EQ(tenant.Charged(), before);
    ASSERT_EQ(CALL(tenant.cuda, cuGraphLaunch)(exec, stream), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), before + kOdd);
    {
      const Ballast ballast(tenant, 0);
      for (int i = 0; i < 10; ++i) {
        EXPECT_EQ(CALL(tenant.cuda, cuGraphLaunch)(exec, stream), CUDA_SUCCESS);
        EXPECT_EQ(CALL(tenant.cuda, cuGraphLaunch_ptsz)(exec, stream), CUDA_SUCCESS);
      }
      EXPECT_EQ(tenant.Room(), 0u);
    }
    Synchronize(tenant, stream);
    Destroy(tenant, graph, exec);
    Synchronize(tenant, stream);
    EXPECT_EQ(tenant.Charged(), before);
    EXPECT_EQ(tenant.OnCard(), before);
  });
}

TEST_F(GraphMemoryTest, ARefusedGraphCanBeLaunchedOnceItFits) {
  InTenant([](Tenant& tenant) {
    const CUstream stream = Stream(tenant);
    const CUgraph graph = NewGraph(tenant, 64 * kMiB);
    const CUgraphExec exec = Instantiate(tenant, graph);
    {
      const Ballast ballast(tenant, 63 * kMiB);
      EXPECT_EQ(CALL(tenant.cuda, cuGraphLaunch)(exec, stream), CUDA_ERROR_OUT_OF_MEMORY);
      EXPECT_EQ(tenant.OnCard(), tenant.Charged());
    }
    EXPECT_EQ(CALL(tenant.cuda, cuGraphLaunch)(exec, stream), CUDA_SUCCESS);
    Synchronize(tenant, stream);
    Destroy(tenant, graph, exec);
  });
}

TEST_F(GraphMemoryTest, MemoryIsTheCardsThatTheNodeNames) {
  InTenant([](Tenant& tenant) {
    CUcontext second = nullptr;
    ASSERT_EQ(CALL(tenant.cuda, cuDevicePrimaryCtxRetain)(&second, 1), CUDA_SUCCESS);
    const uint64_t before = tenant.Charged(0);
    const CUstream stream = Stream(tenant);
    const CUgraph graph = NewGraph(tenant, kOdd, 1);
    const CUgraphExec exec = Instantiate(tenant, graph);
    EXPECT_EQ(CALL(tenant.cuda, cuGraphLaunch)(exec, stream), CUDA_SUCCESS);
    Synchronize(tenant, stream);
    EXPECT_EQ(tenant.Charged(0), before);
    EXPECT_EQ(tenant.Charged(1), kOdd + kMiB);
    Destroy(tenant, graph, exec);
    Synchronize(tenant, stream);
    EXPECT_EQ(tenant.Charged(1), kMiB);
    ASSERT_EQ(CALL(tenant.cuda, cuDevicePrimaryCtxRelease_v2)(1), CUDA_SUCCESS);
  });
}

TEST_F(GraphMemoryTest, ACapturedAllocationIsChargedWhenTheGraphRuns) {
  InTenant([](Tenant& tenant) {
    const uint64_t before = tenant.Charged();
    const CUstream stream = Stream(tenant);
    CUgraph graph = nullptr;
    CUdeviceptr pointer = 0;
    ASSERT_EQ(CALL(tenant.cuda, cuStreamBeginCapture_v2)(stream, CU_STREAM_CAPTURE_MODE_RELAXED),
              CUDA_SUCCESS);
    ASSERT_EQ(CALL(tenant.cuda, cuMemAllocAsync)(&pointer, kOdd, stream), CUDA_SUCCESS);
    ASSERT_EQ(CALL(tenant.cuda, cuMemFreeAsync)(pointer, stream), CUDA_SUCCESS);
    ASSERT_EQ(CALL(tenant.cuda, cuStreamEndCapture)(stream, &graph), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), before);
    const CUgraphExec exec = Instantiate(tenant, graph);
    EXPECT_EQ(CALL(tenant.cuda, cuGraphLaunch)(exec, stream), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), before + kOdd);
    Synchronize(tenant, stream);
    EXPECT_EQ(tenant.OnCard(), tenant.Charged());
    Destroy(tenant, graph, exec);
    Synchronize(tenant, stream);
    EXPECT_EQ(tenant.Charged(), before);
  });
}

}  // namespace
}  // namespace warpshare::testing
