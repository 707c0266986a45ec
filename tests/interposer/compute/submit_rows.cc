#include "compute/submit_rows.h"

#include "simgpu/cuda/array/api.h"
#include "simgpu/cuda/context/api.h"
#include "simgpu/cuda/copy/api.h"
#include "simgpu/cuda/event/api.h"
#include "simgpu/cuda/graph/exec_api.h"
#include "simgpu/cuda/launch/api.h"
#include "simgpu/cuda/memory/api.h"
#include "simgpu/cuda/pointer/api.h"
#include "simgpu/cuda/stream/api.h"

// Not simulated, so declared nowhere else.
extern "C" {
CUresult cuMemBatchDecompressAsync(void* parts, size_t count, unsigned flags, size_t* failed,
                                   CUstream stream);
CUresult cuMemBatchDecompressAsync_ptsz(void* parts, size_t count, unsigned flags, size_t* failed,
                                        CUstream stream);
CUresult cuWaitExternalSemaphoresAsync(const void* semaphores, const void* parameters,
                                       unsigned count, CUstream stream);
CUresult cuWaitExternalSemaphoresAsync_ptsz(const void* semaphores, const void* parameters,
                                            unsigned count, CUstream stream);
}

namespace warpshare::testing {

namespace {

constexpr size_t kBytes = 64 << 10;
constexpr unsigned kSide = 64;

// The rectangles and boxes: 64 by 64 bytes from one piece of the card's memory to another.
template <typename Copy>
void DescribeCopy(Copy& copy, const Site& site) {
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = site.from;
  copy.srcPitch = kSide;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = site.to;
  copy.dstPitch = kSide;
  copy.WidthInBytes = kSide;
  copy.Height = kSide;
}

CUmemcpy3DOperand Linear(CUdeviceptr pointer) {
  CUmemcpy3DOperand operand{};
  operand.type = CU_MEMCPY_OPERAND_TYPE_POINTER;
  operand.op.ptr.ptr = pointer;
  return operand;
}

void DescribeCopies(Site& site) {
  DescribeCopy(site.plane, site);
  DescribeCopy(site.box, site);
  site.box.Depth = 1;
  DescribeCopy(site.peer_box, site);
  site.peer_box.Depth = 1;
  site.peer_box.srcContext = site.tenant.context;
  site.peer_box.dstContext = site.tenant.context;
  site.box_of_batch = {.src = Linear(site.from),
                       .dst = Linear(site.to),
                       .extent = {kSide, kSide, 1},
                       .srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM,
                       .flags = 0};
  site.attributes.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
}

void DescribeLaunches(Site& site) {
  site.config.gridDimX = site.config.gridDimY = site.config.gridDimZ = 1;
  site.config.blockDimX = 32;
  site.config.blockDimY = site.config.blockDimZ = 1;
  site.launch.function = site.kernel;
  site.launch.gridDimX = site.launch.gridDimY = site.launch.gridDimZ = 1;
  site.launch.blockDimX = 32;
  site.launch.blockDimY = site.launch.blockDimZ = 1;
  site.launch.hStream = site.stream;
}

}  // namespace

Site::Site(Program& program)
    : tenant(program.tenant()),
      cuda(tenant.cuda),
      kernel(program.Kernel("spin_20us")),
      stream(program.NewStream()),
      graph(program.NewGraph(kernel, 1)),
      flag(program.NewFlag()),
      host(kBytes) {
  EXPECT_EQ(CALL(cuda, cuMemAlloc_v2)(&to, kBytes), CUDA_SUCCESS);
  EXPECT_EQ(CALL(cuda, cuMemAlloc_v2)(&from, kBytes), CUDA_SUCCESS);
  EXPECT_EQ(CALL(cuda, cuMemAllocManaged)(&managed, kBytes, CU_MEM_ATTACH_GLOBAL), CUDA_SUCCESS);
  const CUDA_ARRAY_DESCRIPTOR shape{kBytes, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1};
  EXPECT_EQ(CALL(cuda, cuArrayCreate_v2)(&array, &shape), CUDA_SUCCESS);
  EXPECT_EQ(CALL(cuda, cuArrayCreate_v2)(&other_array, &shape), CUDA_SUCCESS);
  EXPECT_EQ(CALL(cuda, cuEventCreate)(&event, 0), CUDA_SUCCESS);
  EXPECT_EQ(CALL(cuda, cuFuncSetBlockShape)(kernel, 32, 1, 1), CUDA_SUCCESS);
  wait.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
  wait.waitValue = {.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32,
                    .address = flag.address,
                    .value = 0,
                    .flags = CU_STREAM_WAIT_VALUE_GEQ,
                    .alias = 0};
  DescribeCopies(*this);
  DescribeLaunches(*this);
}

// The arguments may speak of the `site`.
#define ROW(symbol, ...) {#symbol, [](Site& site) { return CALL(site.cuda, symbol)(__VA_ARGS__); }}
#define ROWS(symbol, twin, ...) ROW(symbol, __VA_ARGS__), ROW(symbol##twin, __VA_ARGS__)

namespace {

std::vector<SubmitRow> LaunchRows() {
  return {
      ROW(cuLaunch, site.kernel),
      ROW(cuLaunchGrid, site.kernel, 2, 3),
      ROW(cuLaunchGridAsync, site.kernel, 2, 3, nullptr),
      ROW(cuLaunchCooperativeKernelMultiDevice, &site.launch, 1, 0),
      ROWS(cuLaunchKernel, _ptsz, site.kernel, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr),
      ROWS(cuLaunchKernelEx, _ptsz, &site.config, site.kernel, nullptr, nullptr),
      ROWS(cuLaunchCooperativeKernel, _ptsz, site.kernel, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr),
      ROWS(cuGraphLaunch, _ptsz, site.graph, nullptr),
  };
}

std::vector<SubmitRow> CopyRows() {
  return {
      ROWS(cuMemcpy, _ptds, site.to, site.from, site.bytes),
      ROWS(cuMemcpyAsync, _ptsz, site.to, site.from, site.bytes, nullptr),
      ROWS(cuMemcpyHtoD_v2, _ptds, site.to, site.host.data(), site.bytes),
      ROWS(cuMemcpyHtoDAsync_v2, _ptsz, site.to, site.host.data(), site.bytes, nullptr),
      ROWS(cuMemcpyDtoH_v2, _ptds, site.host.data(), site.from, site.bytes),
      ROWS(cuMemcpyDtoHAsync_v2, _ptsz, site.host.data(), site.from, site.bytes, nullptr),
      ROWS(cuMemcpyDtoD_v2, _ptds, site.to, site.from, site.bytes),
      ROWS(cuMemcpyDtoDAsync_v2, _ptsz, site.to, site.from, site.bytes, nullptr),
      ROWS(cuMemcpyPeer, _ptds, site.to, site.tenant.context, site.from, site.tenant.context,
           site.bytes),
      ROWS(cuMemcpyPeerAsync, _ptsz, site.to, site.tenant.context, site.from, site.tenant.context,
           site.bytes, nullptr),
      ROWS(cuMemcpyBatchAsync, _ptsz, &site.to, &site.from, &site.bytes, 1, &site.attributes,
           &site.zero, 1, &site.failed, site.stream),
      ROWS(cuMemcpyBatchAsync_v2, _ptsz, &site.to, &site.from, &site.bytes, 1, &site.attributes,
           &site.zero, 1, site.stream),
  };
}

std::vector<SubmitRow> ShapedCopyRows() {
  return {
      ROWS(cuMemcpyAtoA_v2, _ptds, site.array, 0, site.other_array, 0, site.bytes),
      ROWS(cuMemcpyAtoD_v2, _ptds, site.to, site.array, 0, site.bytes),
      ROWS(cuMemcpyDtoA_v2, _ptds, site.array, 0, site.from, site.bytes),
      ROWS(cuMemcpyAtoH_v2, _ptds, site.host.data(), site.array, 0, site.bytes),
      ROWS(cuMemcpyHtoA_v2, _ptds, site.array, 0, site.host.data(), site.bytes),
      ROWS(cuMemcpyAtoHAsync_v2, _ptsz, site.host.data(), site.array, 0, site.bytes, nullptr),
      ROWS(cuMemcpyHtoAAsync_v2, _ptsz, site.array, 0, site.host.data(), site.bytes, nullptr),
      ROWS(cuMemcpy2D_v2, _ptds, &site.plane),
      ROWS(cuMemcpy2DUnaligned_v2, _ptds, &site.plane),
      ROWS(cuMemcpy2DAsync_v2, _ptsz, &site.plane, nullptr),
      ROWS(cuMemcpy3D_v2, _ptds, &site.box),
      ROWS(cuMemcpy3DAsync_v2, _ptsz, &site.box, nullptr),
      ROWS(cuMemcpy3DPeer, _ptds, &site.peer_box),
      ROWS(cuMemcpy3DPeerAsync, _ptsz, &site.peer_box, nullptr),
      ROWS(cuMemcpy3DBatchAsync, _ptsz, 1, &site.box_of_batch, &site.failed, 0, site.stream),
      ROWS(cuMemcpy3DBatchAsync_v2, _ptsz, 1, &site.box_of_batch, 0, site.stream),
  };
}

std::vector<SubmitRow> SetRows() {
  return {
      ROWS(cuMemsetD8_v2, _ptds, site.to, 1, site.bytes),
      ROWS(cuMemsetD16_v2, _ptds, site.to, 1, site.bytes),
      ROWS(cuMemsetD32_v2, _ptds, site.to, 1, site.bytes),
      ROWS(cuMemsetD8Async, _ptsz, site.to, 1, site.bytes, nullptr),
      ROWS(cuMemsetD16Async, _ptsz, site.to, 1, site.bytes, nullptr),
      ROWS(cuMemsetD32Async, _ptsz, site.to, 1, site.bytes, nullptr),
      ROWS(cuMemsetD2D8_v2, _ptds, site.to, 256, 1, 16, 16),
      ROWS(cuMemsetD2D16_v2, _ptds, site.to, 256, 1, 16, 16),
      ROWS(cuMemsetD2D32_v2, _ptds, site.to, 256, 1, 16, 16),
      ROWS(cuMemsetD2D8Async, _ptsz, site.to, 256, 1, 16, 16, nullptr),
      ROWS(cuMemsetD2D16Async, _ptsz, site.to, 256, 1, 16, 16, nullptr),
      ROWS(cuMemsetD2D32Async, _ptsz, site.to, 256, 1, 16, 16, nullptr),
  };
}

std::vector<SubmitRow> PrefetchRows() {
  return {
      ROWS(cuMemPrefetchAsync, _ptsz, site.managed, site.bytes, 0, nullptr),
      ROWS(cuMemPrefetchAsync_v2, _ptsz, site.managed, site.bytes, site.card, 0, nullptr),
      ROWS(cuMemPrefetchBatchAsync, _ptsz, &site.managed, &site.bytes, 1, &site.card, &site.zero, 1,
           0, site.stream),
      ROWS(cuMemDiscardAndPrefetchBatchAsync, _ptsz, &site.managed, &site.bytes, 1, &site.card,
           &site.zero, 1, 0, site.stream),
  };
}

std::vector<SubmitRow> UnsimulatedRows() {
  std::vector<SubmitRow> rows = {
      ROWS(cuMemBatchDecompressAsync, _ptsz, nullptr, 0, 0, nullptr, site.stream),
  };
  for (SubmitRow& row : rows) row.is_simulated = false;
  return rows;
}

}  // namespace

std::vector<SubmitRow> WorkRows() {
  std::vector<SubmitRow> rows;
  for (const auto& of_topic :
       {LaunchRows(), CopyRows(), ShapedCopyRows(), SetRows(), PrefetchRows(), UnsimulatedRows()}) {
    rows.insert(rows.end(), of_topic.begin(), of_topic.end());
  }
  return rows;
}

std::vector<SubmitRow> WaitRows() {
  constexpr unsigned kAtLeast = CU_STREAM_WAIT_VALUE_GEQ;
  const auto nothing = [](CUstream, CUresult, void*) {};
  static const CUstreamCallback callback = nothing;
  return {
      ROWS(
          cuLaunchHostFunc, _ptsz, site.stream, [](void*) {}, nullptr),
      ROWS(cuStreamAddCallback, _ptsz, site.stream, callback, nullptr, 0),
      ROWS(cuStreamWaitEvent, _ptsz, site.stream, site.event, 0),
      ROW(cuCtxWaitEvent, site.tenant.context, site.event),
      ROW(cuGreenCtxWaitEvent, nullptr, site.event),
      ROWS(cuStreamWaitValue32, _ptsz, site.stream, site.flag.address, 0, kAtLeast),
      ROWS(cuStreamWaitValue32_v2, _ptsz, site.stream, site.flag.address, 0, kAtLeast),
      ROWS(cuStreamWaitValue64, _ptsz, site.stream, site.flag.address, 0, kAtLeast),
      ROWS(cuStreamWaitValue64_v2, _ptsz, site.stream, site.flag.address, 0, kAtLeast),
      ROWS(cuStreamBatchMemOp, _ptsz, site.stream, 1, &site.wait, 0),
      ROWS(cuStreamBatchMemOp_v2, _ptsz, site.stream, 1, &site.wait, 0),
      ROWS(cuWaitExternalSemaphoresAsync, _ptsz, nullptr, nullptr, 0, site.stream),
  };
}

}  // namespace warpshare::testing
