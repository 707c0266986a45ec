#include "simgpu/cuda/module/jit_options.h"

namespace simgpu::cuda {
namespace {

// Sizes come, and go back, in the pointer itself.
void AnswerLog(unsigned count, const CUjit_option* options, void** values, CUjit_option buffer,
               CUjit_option size) {
  char* text = nullptr;
  void** bytes = nullptr;
  for (unsigned i = 0; i < count; ++i) {
    if (options[i] == buffer) text = static_cast<char*>(values[i]);
    if (options[i] == size) bytes = &values[i];
  }
  if (bytes == nullptr) return;
  if (text != nullptr && *bytes != nullptr) *text = '\0';
  *bytes = nullptr;
}

}  // namespace

CUresult AnswerJitOptions(unsigned count, const CUjit_option* options, void** values) {
  if (count == 0) return CUDA_SUCCESS;
  SIMGPU_REQUIRE(options != nullptr && values != nullptr, CUDA_ERROR_INVALID_VALUE);
  for (unsigned i = 0; i < count; ++i) {
    SIMGPU_REQUIRE(options[i] >= 0 && options[i] < CU_JIT_NUM_OPTIONS, CUDA_ERROR_INVALID_VALUE);
    if (options[i] == CU_JIT_WALL_TIME) values[i] = nullptr;  // 0.0f ms
  }
  AnswerLog(count, options, values, CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES);
  AnswerLog(count, options, values, CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
  return CUDA_SUCCESS;
}

}  // namespace simgpu::cuda
