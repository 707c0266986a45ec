// Memory shared between processes by name; external memory and semaphores.
#pragma once

#include "abi/driver/cuda_types.h"
#include "simgpu/cuda/export.h"

SIMGPU_EXPORT CUresult cuDestroyExternalMemory(CUexternalMemory memory);
SIMGPU_EXPORT CUresult cuDestroyExternalSemaphore(CUexternalSemaphore semaphore);
SIMGPU_EXPORT CUresult cuExternalMemoryGetMappedBuffer(
    CUdeviceptr* pointer, CUexternalMemory memory, const CUDA_EXTERNAL_MEMORY_BUFFER_DESC* desc);
SIMGPU_EXPORT CUresult
cuExternalMemoryGetMappedMipmappedArray(CUmipmappedArray* mipmap, CUexternalMemory memory,
                                        const CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC* desc);
SIMGPU_EXPORT CUresult cuImportExternalMemory(CUexternalMemory* memory,
                                              const CUDA_EXTERNAL_MEMORY_HANDLE_DESC* desc);
SIMGPU_EXPORT CUresult cuImportExternalSemaphore(CUexternalSemaphore* semaphore,
                                                 const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC* desc);
SIMGPU_EXPORT CUresult cuIpcCloseMemHandle(CUdeviceptr pointer);
SIMGPU_EXPORT CUresult cuIpcGetMemHandle(CUipcMemHandle* handle, CUdeviceptr pointer);
SIMGPU_EXPORT CUresult cuIpcOpenMemHandle(CUdeviceptr* pointer, CUipcMemHandle handle,
                                          unsigned flags);
SIMGPU_EXPORT CUresult cuIpcOpenMemHandle_v2(CUdeviceptr* pointer, CUipcMemHandle handle,
                                             unsigned flags);
SIMGPU_EXPORT CUresult cuSignalExternalSemaphoresAsync(
    const CUexternalSemaphore* semaphores, const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS* params,
    unsigned count, CUstream stream);
SIMGPU_EXPORT CUresult cuSignalExternalSemaphoresAsync_ptsz(
    const CUexternalSemaphore* semaphores, const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS* params,
    unsigned count, CUstream stream);
SIMGPU_EXPORT CUresult cuWaitExternalSemaphoresAsync(
    const CUexternalSemaphore* semaphores, const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS* params,
    unsigned count, CUstream stream);
SIMGPU_EXPORT CUresult cuWaitExternalSemaphoresAsync_ptsz(
    const CUexternalSemaphore* semaphores, const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS* params,
    unsigned count, CUstream stream);
