// cuGetProcAddress as the driver documents it: the newest variant of a name that the asked version
// knows.
#include <stdlib.h>
#include <string.h>

#include "abi/driver/cuda_driver.h"
#include "every_row.h"

namespace {

using warpshare::abi::CudaAlias;
using warpshare::abi::kCudaAliases;
using warpshare::abi::kCudaEntries;
using warpshare::abi::kCudaEntryCount;
using warpshare::abi::StreamMode;
using warpshare::testing::kRowAddresses;

struct Query {
  const char* name;
  int version;
  cuuint64_t flags;
};

struct Answer {
  bool is_known = false;  // the name, in some version
  int since = -1;
  size_t row = 0;
};

bool Fits(StreamMode mode, cuuint64_t flags) {
  const bool per_thread = (flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) != 0;
  return mode == StreamMode::kAny || (mode == StreamMode::kPerThread) == per_thread;
}

void Consider(const Query& query, const char* name, int since, size_t row, Answer& answer) {
  if (strcmp(name, query.name) != 0) return;
  answer.is_known = true;
  const bool is_newer = since <= query.version && since >= answer.since;
  if (is_newer && Fits(kCudaEntries[row].stream_mode, query.flags)) answer = {true, since, row};
}

void* AddressOf(size_t row) {
  // The look-ups themselves must stay callable.
  const bool is_lookup = strcmp(kCudaEntries[row].proc_name, "cuGetProcAddress") == 0;
  const bool internal = !is_lookup && getenv(warpshare::testing::kEnvInternalAddresses) != nullptr;
  return internal ? kRowAddresses[row].internal : kRowAddresses[row].exported;
}

}  // namespace

extern "C" CUresult cuGetProcAddress_v2(const char* name, void** function, int version,
                                        cuuint64_t flags, CUdriverProcAddressQueryResult* status) {
  if (name == nullptr || function == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const Query query{name, version, flags};
  Answer answer;
  for (size_t row = 0; row < kCudaEntryCount; ++row) {
    Consider(query, kCudaEntries[row].proc_name, kCudaEntries[row].since, row, answer);
  }
  for (const CudaAlias& alias : kCudaAliases) {
    Consider(query, alias.proc_name, alias.since, static_cast<size_t>(alias.target), answer);
  }
  const bool found = answer.since >= 0;
  *function = found ? AddressOf(answer.row) : nullptr;
  if (status != nullptr) {
    *status = answer.is_known ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                              : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    if (found) *status = CU_GET_PROC_ADDRESS_SUCCESS;
  }
  return found ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

extern "C" CUresult cuGetProcAddress(const char* name, void** function, int version,
                                     cuuint64_t flags) {
  return cuGetProcAddress_v2(name, function, version, flags, nullptr);
}
