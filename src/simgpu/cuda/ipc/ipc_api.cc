#include <cstring>

#include "simgpu/cuda/context/current.h"
#include "simgpu/cuda/graph/capture.h"
#include "simgpu/cuda/ipc/api.h"
#include "simgpu/cuda/ipc/mem_handle.h"

using namespace simgpu::cuda;

SIMGPU_EXPORT CUresult cuIpcGetMemHandle(CUipcMemHandle* handle, CUdeviceptr pointer) {
  Context* context = nullptr;
  SIMGPU_TRY(CurrentContext(&context));
  SIMGPU_REQUIRE(handle != nullptr, CUDA_ERROR_INVALID_VALUE);
  MemHandle name;
  SIMGPU_TRY(MakeMemHandle(pointer, &name));
  *handle = {};
  std::memcpy(handle->reserved, &name, sizeof(name));
  return CUDA_SUCCESS;
}

SIMGPU_EXPORT CUresult cuIpcOpenMemHandle_v2(CUdeviceptr* pointer, CUipcMemHandle handle,
                                             unsigned flags) {
  Context* context = nullptr;
  SIMGPU_TRY(CurrentContext(&context));
  SIMGPU_REQUIRE(pointer != nullptr, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE((flags & ~unsigned{CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS}) == 0,
                 CUDA_ERROR_INVALID_VALUE);
  SIMGPU_TRY(RefuseWhileCapturing());
  MemHandle name;
  std::memcpy(&name, handle.reserved, sizeof(name));
  return OpenMemHandle(*context, name, pointer);
}

SIMGPU_EXPORT CUresult cuIpcOpenMemHandle(CUdeviceptr* pointer, CUipcMemHandle handle,
                                          unsigned flags) {
  return cuIpcOpenMemHandle_v2(pointer, handle, flags);
}

SIMGPU_EXPORT CUresult cuIpcCloseMemHandle(CUdeviceptr pointer) {
  Context* context = nullptr;
  SIMGPU_TRY(CurrentContext(&context));
  SIMGPU_TRY(RefuseWhileCapturing());
  return CloseMemHandle(pointer);
}
