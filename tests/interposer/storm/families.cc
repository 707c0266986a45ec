#include "storm/families.h"

#include <unistd.h>

#include "simgpu/cuda/array/api.h"
#include "simgpu/cuda/context/api.h"
#include "simgpu/cuda/graph/api.h"
#include "simgpu/cuda/graph/capture_api.h"
#include "simgpu/cuda/graph/exec_api.h"
#include "simgpu/cuda/graph/node_api.h"
#include "simgpu/cuda/ipc/api.h"
#include "simgpu/cuda/memory/api.h"
#include "simgpu/cuda/module/api.h"
#include "simgpu/cuda/pool/api.h"
#include "simgpu/cuda/stream/api.h"
#include "simgpu/cuda/vmm/api.h"

namespace warpshare::testing {
namespace {

constexpr uint64_t kMost = 24 * kMiB;

// A refusal for lack of memory is what a storm is for.
bool IsMade(CUresult result, const char* what) {
  EXPECT_TRUE(result == CUDA_SUCCESS || result == CUDA_ERROR_OUT_OF_MEMORY)
      << what << " gave " << result;
  return result == CUDA_SUCCESS;
}

#define MAKE(call)                   \
  if (!IsMade(call, #call)) return { \
    }

// The two ways to free linear memory, whatever it came from.
Undo FreeEitherWay(StormThread& thread, CUdeviceptr pointer) {
  const CudaLibrary& cuda = thread.tenant.cuda;
  if (thread.random() % 2 == 0) return [=] { return CALL(cuda, cuMemFree_v2)(pointer); };
  return [=, stream = thread.stream] { return CALL(cuda, cuMemFreeAsync)(pointer, stream); };
}

Undo MakeLinear(StormThread& thread) {
  CUdeviceptr pointer = 0;
  MAKE(CALL(thread.tenant.cuda, cuMemAlloc_v2)(&pointer, thread.Bytes(kMost)));
  return FreeEitherWay(thread, pointer);
}

Undo MakeManaged(StormThread& thread) {
  CUdeviceptr pointer = 0;
  MAKE(CALL(thread.tenant.cuda, cuMemAllocManaged)(&pointer, thread.Bytes(kMost), 1));
  return FreeEitherWay(thread, pointer);
}

Undo MakePitched(StormThread& thread) {
  CUdeviceptr pointer = 0;
  size_t pitch = 0;
  MAKE(CALL(thread.tenant.cuda, cuMemAllocPitch_v2)(&pointer, &pitch, thread.Bytes(10'000),
                                                    thread.Bytes(1000), 4));
  return FreeEitherWay(thread, pointer);
}

Undo MakeFromPool(StormThread& thread) {
  CUdeviceptr pointer = 0;
  MAKE(CALL(thread.tenant.cuda, cuMemAllocAsync)(&pointer, thread.Bytes(kMost), thread.stream));
  return FreeEitherWay(thread, pointer);
}

// A pool of its own, destroyed while its allocation lives.
Undo MakePool(StormThread& thread) {
  const CudaLibrary& cuda = thread.tenant.cuda;
  CUmemPoolProps properties{};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  CUmemoryPool pool = nullptr;
  MAKE(CALL(cuda, cuMemPoolCreate)(&pool, &properties));
  CUdeviceptr pointer = 0;
  const CUresult made =
      CALL(cuda, cuMemAllocFromPoolAsync)(&pointer, thread.Bytes(kMost), pool, thread.stream);
  EXPECT_EQ(CALL(cuda, cuMemPoolDestroy)(pool), CUDA_SUCCESS);
  MAKE(made);
  return FreeEitherWay(thread, pointer);
}

Undo MakeArray(StormThread& thread) {
  const CudaLibrary& cuda = thread.tenant.cuda;
  CUarray array = nullptr;
  const CUDA_ARRAY_DESCRIPTOR shape{thread.Bytes(2000), thread.Bytes(2000), CU_AD_FORMAT_FLOAT, 1};
  MAKE(CALL(cuda, cuArrayCreate_v2)(&array, &shape));
  return [=] { return CALL(cuda, cuArrayDestroy)(array); };
}

Undo MakeMipmap(StormThread& thread) {
  const CudaLibrary& cuda = thread.tenant.cuda;
  CUmipmappedArray array = nullptr;
  const CUDA_ARRAY3D_DESCRIPTOR shape{
      thread.Bytes(1000), thread.Bytes(1000), 0, CU_AD_FORMAT_HALF, 4, 0};
  MAKE(CALL(cuda, cuMipmappedArrayCreate)(&array, &shape, 4));
  return [=] { return CALL(cuda, cuMipmappedArrayDestroy)(array); };
}

// Created, mapped, released: the mapping keeps it.
Undo MakeMapped(StormThread& thread) {
  const CudaLibrary& cuda = thread.tenant.cuda;
  const uint64_t bytes = 2 * kMiB * thread.Bytes(8);
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  CUmemGenericAllocationHandle handle = 0;
  MAKE(CALL(cuda, cuMemCreate)(&handle, bytes, &properties, 0));
  CUdeviceptr address = 0;
  EXPECT_EQ(CALL(cuda, cuMemAddressReserve)(&address, bytes, 0, 0, 0), CUDA_SUCCESS);
  EXPECT_EQ(CALL(cuda, cuMemMap)(address, bytes, 0, handle, 0), CUDA_SUCCESS);
  EXPECT_EQ(CALL(cuda, cuMemRelease)(handle), CUDA_SUCCESS);
  return [=] {
    const CUresult result = CALL(cuda, cuMemUnmap)(address, bytes);
    EXPECT_EQ(CALL(cuda, cuMemAddressFree)(address, bytes), CUDA_SUCCESS);
    return result;
  };
}

// Handed out to others and taken in again by ourselves: one piece of memory all the same.
Undo MakeExported(StormThread& thread) {
  const CudaLibrary& cuda = thread.tenant.cuda;
  constexpr auto kFd = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  properties.requestedHandleTypes = kFd;
  CUmemGenericAllocationHandle handle = 0;
  CUmemGenericAllocationHandle imported = 0;
  int fd = -1;
  MAKE(CALL(cuda, cuMemCreate)(&handle, 2 * kMiB * thread.Bytes(8), &properties, 0));
  EXPECT_EQ(CALL(cuda, cuMemExportToShareableHandle)(&fd, handle, kFd, 0), CUDA_SUCCESS);
  EXPECT_EQ(CALL(cuda, cuMemImportFromShareableHandle)(&imported,
                                                       reinterpret_cast<void*>(intptr_t{fd}), kFd),
            CUDA_SUCCESS);
  close(fd);
  EXPECT_EQ(CALL(cuda, cuMemRelease)(handle), CUDA_SUCCESS);
  return [=] { return CALL(cuda, cuMemRelease)(imported); };
}

// With a handle by which other processes could open it.
Undo MakeIpc(StormThread& thread) {
  const CudaLibrary& cuda = thread.tenant.cuda;
  CUdeviceptr pointer = 0;
  CUipcMemHandle handle;
  MAKE(CALL(cuda, cuMemAlloc_v2)(&pointer, thread.Bytes(kMost)));
  EXPECT_EQ(CALL(cuda, cuIpcGetMemHandle)(&handle, pointer), CUDA_SUCCESS);
  return [=] { return CALL(cuda, cuMemFree_v2)(pointer); };
}

// A captured allocation, run once.
Undo MakeGraph(StormThread& thread) {
  const CudaLibrary& cuda = thread.tenant.cuda;
  CUgraph graph = nullptr;
  CUgraphExec exec = nullptr;
  CUdeviceptr pointer = 0;
  EXPECT_EQ(CALL(cuda, cuStreamBeginCapture_v2)(thread.stream, CU_STREAM_CAPTURE_MODE_RELAXED),
            CUDA_SUCCESS);
  EXPECT_EQ(CALL(cuda, cuMemAllocAsync)(&pointer, thread.Bytes(kMost), thread.stream),
            CUDA_SUCCESS);
  EXPECT_EQ(CALL(cuda, cuMemFreeAsync)(pointer, thread.stream), CUDA_SUCCESS);
  EXPECT_EQ(CALL(cuda, cuStreamEndCapture)(thread.stream, &graph), CUDA_SUCCESS);
  EXPECT_EQ(CALL(cuda, cuGraphInstantiateWithFlags)(&exec, graph, 0), CUDA_SUCCESS);
  const auto destroy = [=] {
    const CUresult result = CALL(cuda, cuGraphExecDestroy)(exec);
    EXPECT_EQ(CALL(cuda, cuGraphDestroy)(graph), CUDA_SUCCESS);
    return result;
  };
  if (IsMade(CALL(cuda, cuGraphLaunch)(exec, thread.stream), "cuGraphLaunch")) return destroy;
  EXPECT_EQ(destroy(), CUDA_SUCCESS);
  return {};
}

Undo MakeCode(StormThread& thread) {
  const CudaLibrary& cuda = thread.tenant.cuda;
  CUmodule module = nullptr;
  MAKE(CALL(cuda, cuModuleLoadData)(&module, "kernel"));
  return [=] { return CALL(cuda, cuModuleUnload)(module); };
}

Undo MakeLibrary(StormThread& thread) {
  const CudaLibrary& cuda = thread.tenant.cuda;
  CUlibrary library = nullptr;
  MAKE(CALL(cuda, cuLibraryLoadData)(&library, "kernel", nullptr, nullptr, 0, nullptr, nullptr, 0));
  return [=] { return CALL(cuda, cuLibraryUnload)(library); };
}

// Beside the one that the threads work in, which stays the current one.
Undo MakeContext(StormThread& thread) {
  const CudaLibrary& cuda = thread.tenant.cuda;
  CUcontext context = nullptr;
  const CUresult made = CALL(cuda, cuCtxCreate_v2)(&context, 0, 0);
  EXPECT_EQ(CALL(cuda, cuCtxSetCurrent)(thread.tenant.context), CUDA_SUCCESS);
  MAKE(made);
  return [=] { return CALL(cuda, cuCtxDestroy_v2)(context); };
}

#undef MAKE

}  // namespace

const StormFamily kStormFamilies[] = {
    {"linear", MakeLinear},     {"managed", MakeManaged}, {"pitched", MakePitched},
    {"pool", MakeFromPool},     {"own pool", MakePool},   {"array", MakeArray},
    {"mipmap", MakeMipmap},     {"virtual", MakeMapped},  {"graph", MakeGraph},
    {"exported", MakeExported}, {"ipc", MakeIpc},         {"code", MakeCode},
    {"library", MakeLibrary},   {"context", MakeContext},
};
const size_t kStormFamilyCount = std::size(kStormFamilies);

}  // namespace warpshare::testing
