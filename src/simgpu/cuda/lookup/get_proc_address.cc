#include "simgpu/cuda/lookup/api.h"
#include "simgpu/cuda/lookup/entry_table.h"
#include "simgpu/cuda/result.h"

namespace {

using simgpu::cuda::LookUp;
using simgpu::cuda::LookupAnswer;
using simgpu::cuda::LookupStatus;

constexpr uint64_t kKnownFlags =
    CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;

CUdriverProcAddressQueryResult StatusOf(LookupStatus status) {
  switch (status) {
    case LookupStatus::kFound:
      return CU_GET_PROC_ADDRESS_SUCCESS;
    case LookupStatus::kUnknown:
      return CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    case LookupStatus::kTooOldAsker:
      return CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT;
  }
  return CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
}

CUresult Answer(const char* symbol, void** address, int version, uint64_t flags,
                CUdriverProcAddressQueryResult* status) {
  SIMGPU_REQUIRE(symbol != nullptr && address != nullptr, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE((flags & ~kKnownFlags) == 0 && flags != kKnownFlags, CUDA_ERROR_INVALID_VALUE);
  const bool per_thread = flags == CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  const LookupAnswer answer = LookUp(symbol, version, per_thread);
  *address = answer.address;
  if (status != nullptr) *status = StatusOf(answer.status);
  return answer.status == LookupStatus::kFound ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

}  // namespace

CUresult cuGetProcAddress(const char* symbol, void** address, int cuda_version, uint64_t flags) {
  return Answer(symbol, address, cuda_version, flags, nullptr);
}

// The second version also says why there is no such function, to callers that can take it.
CUresult cuGetProcAddress_v2(const char* symbol, void** address, int cuda_version, uint64_t flags,
                             CUdriverProcAddressQueryResult* symbol_status) {
  return Answer(symbol, address, cuda_version, flags, symbol_status);
}
