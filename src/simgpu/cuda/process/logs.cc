// The driver's error log. The simulated driver logs nothing: the log is empty, callbacks are kept
// and never called.
#include <cstring>

#include "simgpu/cuda/handles.h"
#include "simgpu/cuda/process/api.h"
#include "simgpu/cuda/result.h"

namespace {

using simgpu::cuda::FreeHandle;
using simgpu::cuda::HandleKind;
using simgpu::cuda::NewHandle;
using simgpu::cuda::ObjectOf;

}  // namespace

CUresult cuLogsRegisterCallback(CUlogsCallback callback_func, void* user_data,
                                CUlogsCallbackHandle* callback) {
  (void)user_data;
  SIMGPU_REQUIRE(callback_func != nullptr, CUDA_ERROR_INVALID_VALUE);
  void* handle = NewHandle(HandleKind::kCallback, reinterpret_cast<void*>(callback_func));
  SIMGPU_REQUIRE(handle != nullptr, CUDA_ERROR_OUT_OF_MEMORY);
  if (callback != nullptr) *callback = static_cast<CUlogsCallbackHandle>(handle);
  return CUDA_SUCCESS;
}

CUresult cuLogsUnregisterCallback(CUlogsCallbackHandle callback) {
  SIMGPU_REQUIRE(ObjectOf(HandleKind::kCallback, callback) != nullptr, CUDA_ERROR_INVALID_VALUE);
  FreeHandle(callback);
  return CUDA_SUCCESS;
}

CUresult cuLogsCurrent(CUlogIterator* iterator, unsigned flags) {
  SIMGPU_REQUIRE(iterator != nullptr && flags == 0, CUDA_ERROR_INVALID_VALUE);
  *iterator = 0;
  return CUDA_SUCCESS;
}

CUresult cuLogsDumpToFile(CUlogIterator* iterator, const char* path_to_file, unsigned flags) {
  (void)iterator;
  SIMGPU_REQUIRE(path_to_file != nullptr && flags == 0, CUDA_ERROR_INVALID_VALUE);
  return CUDA_SUCCESS;
}

CUresult cuLogsDumpToMemory(CUlogIterator* iterator, char* buffer, size_t* size, unsigned flags) {
  (void)iterator;
  SIMGPU_REQUIRE(buffer != nullptr && size != nullptr && flags == 0, CUDA_ERROR_INVALID_VALUE);
  if (*size > 0) *buffer = '\0';
  *size = 0;
  return CUDA_SUCCESS;
}
