// Memory shared between processes by name, and external memory.
#pragma once

#include "abi/driver/cuda_types.h"
#include "simgpu/cuda/export.h"

SIMGPU_EXPORT CUresult cuDestroyExternalMemory(CUexternalMemory memory);
SIMGPU_EXPORT CUresult cuExternalMemoryGetMappedBuffer(
    CUdeviceptr* pointer, CUexternalMemory memory, const CUDA_EXTERNAL_MEMORY_BUFFER_DESC* desc);
SIMGPU_EXPORT CUresult cuImportExternalMemory(CUexternalMemory* memory,
                                              const CUDA_EXTERNAL_MEMORY_HANDLE_DESC* desc);
SIMGPU_EXPORT CUresult cuIpcCloseMemHandle(CUdeviceptr pointer);
SIMGPU_EXPORT CUresult cuIpcGetMemHandle(CUipcMemHandle* handle, CUdeviceptr pointer);
SIMGPU_EXPORT CUresult cuIpcOpenMemHandle(CUdeviceptr* pointer, CUipcMemHandle handle,
                                          unsigned flags);
SIMGPU_EXPORT CUresult cuIpcOpenMemHandle_v2(CUdeviceptr* pointer, CUipcMemHandle handle,
                                             unsigned flags);
