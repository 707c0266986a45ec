// What a context reports of itself, and what can be set.
#include "simgpu/cuda/context/api.h"
#include "simgpu/cuda/context/current.h"
#include "simgpu/cuda/context/flags.h"
#include "simgpu/cuda/graph/capture.h"
#include "simgpu/cuda/pool/release.h"
#include "simgpu/cuda/stream/priority.h"

using simgpu::cuda::Context;
using simgpu::cuda::CurrentContext;
using simgpu::cuda::NamedOrCurrentContext;

CUresult cuCtxSynchronize_v2(CUcontext context) {
  Context* found = nullptr;
  SIMGPU_TRY(NamedOrCurrentContext(context, &found));
  SIMGPU_TRY(simgpu::cuda::RefuseWhileCapturing());
  SIMGPU_TRY(found->Synchronize());
  simgpu::cuda::ReleasePoolExcess();
  return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize() { return cuCtxSynchronize_v2(nullptr); }

CUresult cuCtxGetFlags(unsigned* flags) {
  Context* context = nullptr;
  SIMGPU_TRY(CurrentContext(&context));
  SIMGPU_REQUIRE(flags != nullptr, CUDA_ERROR_INVALID_VALUE);
  *flags = context->flags();
  return CUDA_SUCCESS;
}

CUresult cuCtxSetFlags(unsigned flags) {
  Context* context = nullptr;
  SIMGPU_TRY(CurrentContext(&context));
  SIMGPU_REQUIRE(simgpu::cuda::ValidContextFlags(flags), CUDA_ERROR_INVALID_VALUE);
  context->set_flags(flags);
  return CUDA_SUCCESS;
}

CUresult cuCtxGetId(CUcontext context, unsigned long long* ctx_id) {
  Context* found = nullptr;
  SIMGPU_TRY(NamedOrCurrentContext(context, &found));
  SIMGPU_REQUIRE(ctx_id != nullptr, CUDA_ERROR_INVALID_VALUE);
  *ctx_id = found->id();
  return CUDA_SUCCESS;
}

CUresult cuCtxGetApiVersion(CUcontext context, unsigned* version) {
  Context* found = nullptr;
  SIMGPU_TRY(NamedOrCurrentContext(context, &found));
  SIMGPU_REQUIRE(version != nullptr, CUDA_ERROR_INVALID_VALUE);
  *version = found->api_version();
  return CUDA_SUCCESS;
}

CUresult cuCtxGetLimit(size_t* value, CUlimit limit) {
  Context* context = nullptr;
  SIMGPU_TRY(CurrentContext(&context));
  return context->limits().Get(limit, value);
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  Context* context = nullptr;
  SIMGPU_TRY(CurrentContext(&context));
  return context->limits().Set(limit, value);
}

CUresult cuCtxResetPersistingL2Cache() {
  Context* context = nullptr;
  return CurrentContext(&context);
}

CUresult cuCtxGetCacheConfig(CUfunc_cache* pconfig) {
  Context* context = nullptr;
  SIMGPU_TRY(CurrentContext(&context));
  SIMGPU_REQUIRE(pconfig != nullptr, CUDA_ERROR_INVALID_VALUE);
  *pconfig = context->limits().cache_config();
  return CUDA_SUCCESS;
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
  Context* context = nullptr;
  SIMGPU_TRY(CurrentContext(&context));
  SIMGPU_REQUIRE(config >= CU_FUNC_CACHE_PREFER_NONE && config <= CU_FUNC_CACHE_PREFER_EQUAL,
                 CUDA_ERROR_INVALID_VALUE);
  context->limits().set_cache_config(config);
  return CUDA_SUCCESS;
}

CUresult cuCtxGetSharedMemConfig(CUsharedconfig* config) {
  Context* context = nullptr;
  SIMGPU_TRY(CurrentContext(&context));
  SIMGPU_REQUIRE(config != nullptr, CUDA_ERROR_INVALID_VALUE);
  *config = CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE;  // fixed since Maxwell
  return CUDA_SUCCESS;
}

CUresult cuCtxSetSharedMemConfig(CUsharedconfig config) {
  Context* context = nullptr;
  SIMGPU_TRY(CurrentContext(&context));
  SIMGPU_REQUIRE(config >= CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE &&
                     config <= CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE,
                 CUDA_ERROR_INVALID_VALUE);
  return CUDA_SUCCESS;
}

CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  Context* context = nullptr;
  SIMGPU_TRY(CurrentContext(&context));
  if (least != nullptr) *least = simgpu::cuda::kLeastPriority;
  if (greatest != nullptr) *greatest = simgpu::cuda::kGreatestPriority;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetExecAffinity(CUexecAffinityParam* exec_affinity, CUexecAffinityType type) {
  Context* context = nullptr;
  SIMGPU_TRY(CurrentContext(&context));
  SIMGPU_REQUIRE(exec_affinity != nullptr, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(type == CU_EXEC_AFFINITY_TYPE_SM_COUNT, CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY);
  exec_affinity->type = type;
  exec_affinity->param.smCount.val = context->sm_count();
  return CUDA_SUCCESS;
}
