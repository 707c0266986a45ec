#include "compute/compute_test.h"

#include <new>

#include "simgpu/cuda/context/api.h"
#include "simgpu/cuda/graph/api.h"
#include "simgpu/cuda/graph/capture_api.h"
#include "simgpu/cuda/graph/exec_api.h"
#include "simgpu/cuda/launch/api.h"
#include "simgpu/cuda/memory/api.h"
#include "simgpu/cuda/module/api.h"
#include "simgpu/cuda/stream/api.h"
#include "thread_state.h"

namespace warpshare::testing {

Program::Program(Tenant& tenant) : tenant_(tenant) {
  EXPECT_EQ(CALL(tenant_.cuda, cuModuleLoadData)(&module_, "any image"), CUDA_SUCCESS);
}

CUfunction Program::Kernel(const std::string& name) {
  CUfunction kernel = nullptr;
  EXPECT_EQ(CALL(tenant_.cuda, cuModuleGetFunction)(&kernel, module_, name.c_str()), CUDA_SUCCESS);
  return kernel;
}

CUstream Program::NewStream() {
  CUstream stream = nullptr;
  EXPECT_EQ(CALL(tenant_.cuda, cuStreamCreate)(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  return stream;
}

Program::Flag Program::NewFlag() {
  void* host = nullptr;
  Flag flag{};
  EXPECT_EQ(CALL(tenant_.cuda, cuMemHostAlloc)(&host, 4096, CU_MEMHOSTALLOC_DEVICEMAP),
            CUDA_SUCCESS);
  flag.word = new (host) std::atomic<uint32_t>(0);
  EXPECT_EQ(CALL(tenant_.cuda, cuMemHostGetDevicePointer_v2)(&flag.address, host, 0), CUDA_SUCCESS);
  return flag;
}

CUresult Program::Launch(CUfunction kernel, CUstream stream) {
  return LaunchShaped(kernel, 32, stream);
}

CUresult Program::LaunchFor(uint64_t us, CUfunction kernel, CUstream stream) {
  void* arguments[] = {&us};
  return CALL(tenant_.cuda, cuLaunchKernel)(kernel, 1, 1, 1, 32, 1, 1, 0, stream, arguments,
                                            nullptr);
}

CUresult Program::LaunchShaped(CUfunction kernel, unsigned threads, CUstream stream) {
  return CALL(tenant_.cuda, cuLaunchKernel)(kernel, 1, 1, 1, threads, 1, 1, 0, stream, nullptr,
                                            nullptr);
}

CUresult Program::LaunchGrid(CUfunction kernel, unsigned blocks) {
  return CALL(tenant_.cuda, cuLaunchKernel)(kernel, blocks, 1, 1, 1024, 1, 1, 0, nullptr, nullptr,
                                            nullptr);
}

void Program::LaunchMany(int count, CUfunction kernel, CUstream stream) {
  for (int i = 0; i < count; ++i) ASSERT_EQ(Launch(kernel, stream), CUDA_SUCCESS);
}

void Program::LaunchAndWaitInThread(CUfunction kernel, int count) {
  EXPECT_EQ(CALL(tenant_.cuda, cuCtxSetCurrent)(tenant_.context), CUDA_SUCCESS);
  CUstream stream = NewStream();
  for (int i = 0; i < count; ++i) {
    EXPECT_EQ(Launch(kernel, stream), CUDA_SUCCESS);
    EXPECT_EQ(CALL(tenant_.cuda, cuStreamSynchronize)(stream), CUDA_SUCCESS);
  }
}

void Program::Synchronize() { EXPECT_EQ(CALL(tenant_.cuda, cuCtxSynchronize)(), CUDA_SUCCESS); }

CUgraph Program::Record(CUfunction kernel, int kernels) {
  CUstream stream = NewStream();
  CUgraph graph = nullptr;
  EXPECT_EQ(CALL(tenant_.cuda, cuStreamBeginCapture_v2)(stream, CU_STREAM_CAPTURE_MODE_GLOBAL),
            CUDA_SUCCESS);
  LaunchMany(kernels, kernel, stream);
  EXPECT_EQ(CALL(tenant_.cuda, cuStreamEndCapture)(stream, &graph), CUDA_SUCCESS);
  return graph;
}

CUgraphExec Program::NewGraph(CUfunction kernel, int kernels) {
  CUgraphExec exec = nullptr;
  EXPECT_EQ(CALL(tenant_.cuda, cuGraphInstantiateWithFlags)(&exec, Record(kernel, kernels), 0),
            CUDA_SUCCESS);
  return exec;
}

CUresult Program::LaunchGraph(CUgraphExec exec, CUstream stream) {
  return CALL(tenant_.cuda, cuGraphLaunch)(exec, stream);
}

void Program::Update(CUgraphExec exec, CUfunction kernel) {
  CUgraphExecUpdateResultInfo info{};
  EXPECT_EQ(CALL(tenant_.cuda, cuGraphExecUpdate_v2)(exec, Record(kernel, 1), &info), CUDA_SUCCESS);
}

void Program::Replace(CUgraphExec exec, CUfunction kernel) {
  CUgraphExecUpdateResultInfo info{};
  EXPECT_EQ(CALL(tenant_.bare, cuGraphExecUpdate_v2)(exec, Record(kernel, 1), &info), CUDA_SUCCESS);
}

CallBeside::CallBeside(Tenant& tenant, std::function<CUresult()> call)
    : thread_([this, &tenant, call = std::move(call)] {
        id_ = static_cast<pid_t>(syscall(SYS_gettid));
        CALL(tenant.cuda, cuCtxSetCurrent)(tenant.context);
        result_ = call();
        has_returned_ = true;
      }) {}

bool CallBeside::IsAsleep() const { return testing::IsAsleep(id_); }

void ComputeTest::ExpectHeldBack(Tenant& tenant, const std::function<CUresult()>& call) {
  turns_.Take();
  const uint32_t attention = turns_.attention();
  CallBeside held(tenant, call);
  EXPECT_TRUE(Eventually([&] { return turns_.IsAwaited() || held.HasReturned(); }));
  EXPECT_FALSE(held.HasReturned());
  EXPECT_TRUE(Eventually([&] { return turns_.attention() != attention; }));
  turns_.Give();
  EXPECT_TRUE(held.ReturnsInTime());
  EXPECT_FALSE(turns_.IsAwaited());
}

void ComputeTest::ExpectFree(Tenant& tenant, const std::function<CUresult()>& call) {
  turns_.Take();
  const uint64_t used_ns = turns_.UsedNs();
  const uint32_t attention = turns_.attention();
  {
    const CallBeside beside(tenant, call);
    EXPECT_TRUE(Eventually([&] { return turns_.IsAwaited() || beside.HasReturned(); }));
    EXPECT_TRUE(beside.HasReturned());
    turns_.Give();
  }
  EXPECT_EQ(turns_.UsedNs(), used_ns);
  EXPECT_EQ(turns_.attention(), attention);
}

}  // namespace warpshare::testing
