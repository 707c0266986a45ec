// Kernels of modules (CUfunction).
#include "simgpu/cuda/module/api.h"
#include "simgpu/cuda/module/function.h"
#include "simgpu/cuda/module/module.h"

using simgpu::cuda::Function;
using simgpu::cuda::ResolveFunction;

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attrib, CUfunction function) {
  Function* found = nullptr;
  SIMGPU_TRY(ResolveFunction(function, &found));
  return found->attributes().Get(attrib, value);
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attrib, int value) {
  Function* found = nullptr;
  SIMGPU_TRY(ResolveFunction(function, &found));
  return found->attributes().Set(attrib, value);
}

CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config) {
  Function* found = nullptr;
  SIMGPU_TRY(ResolveFunction(function, &found));
  SIMGPU_REQUIRE(config >= CU_FUNC_CACHE_PREFER_NONE && config <= CU_FUNC_CACHE_PREFER_EQUAL,
                 CUDA_ERROR_INVALID_VALUE);
  return CUDA_SUCCESS;
}

CUresult cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config) {
  Function* found = nullptr;
  SIMGPU_TRY(ResolveFunction(function, &found));
  SIMGPU_REQUIRE(config >= CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE &&
                     config <= CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE,
                 CUDA_ERROR_INVALID_VALUE);
  return CUDA_SUCCESS;
}

CUresult cuFuncGetModule(CUmodule* module, CUfunction function) {
  Function* found = nullptr;
  SIMGPU_TRY(ResolveFunction(function, &found));
  SIMGPU_REQUIRE(module != nullptr, CUDA_ERROR_INVALID_VALUE);
  *module = found->module().handle();
  return CUDA_SUCCESS;
}

CUresult cuFuncGetName(const char** name, CUfunction function) {
  SIMGPU_REQUIRE(function != nullptr, CUDA_ERROR_INVALID_VALUE);
  Function* found = nullptr;
  SIMGPU_TRY(ResolveFunction(function, &found));
  SIMGPU_REQUIRE(name != nullptr, CUDA_ERROR_INVALID_VALUE);
  *name = found->name().c_str();
  return CUDA_SUCCESS;
}

// Nothing is known of a simulated kernel's parameters: it has none to tell of.
CUresult cuFuncGetParamInfo(CUfunction func, size_t, size_t*, size_t*) {
  Function* found = nullptr;
  SIMGPU_TRY(ResolveFunction(func, &found));
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuFuncIsLoaded(CUfunctionLoadingState* state, CUfunction function) {
  Function* found = nullptr;
  SIMGPU_TRY(ResolveFunction(function, &found));
  SIMGPU_REQUIRE(state != nullptr, CUDA_ERROR_INVALID_VALUE);
  *state =
      found->is_loaded() ? CU_FUNCTION_LOADING_STATE_LOADED : CU_FUNCTION_LOADING_STATE_UNLOADED;
  return CUDA_SUCCESS;
}

CUresult cuFuncLoad(CUfunction function) {
  Function* found = nullptr;
  SIMGPU_TRY(ResolveFunction(function, &found));
  return found->Load();
}
