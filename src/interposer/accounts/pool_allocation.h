// One stream-ordered allocation: which pool it comes from, what the pool may grow by for it.
#pragma once

#include "abi/driver/cuda_types.h"
#include "interposer/accounts/linear.h"
#include "interposer/accounts/pools.h"

namespace warpshare::interposer {

struct PoolRequest {
  CUdeviceptr* pointer;
  size_t bytes;
  CUmemoryPool pool;  // null: the current one of the stream's device
  CUstream stream;    // a default stream by the name that the called function means by 0
};

struct PoolCall {
  PoolRecord* record;  // null: the call is the driver's alone
  CUmemoryPool pool;
  CardAccount* account;
  ReportedStore::Growth growth;
};

// False: CUDA_ERROR_OUT_OF_MEMORY. During stream capture nothing is allocated, so nothing charged.
[[nodiscard]] bool BeginPoolCall(const PoolRequest& request, PoolCall& call);
CUresult EndPoolCall(const PoolRequest& request, const PoolCall& call, CUresult result);

template <typename Call>
CUresult AllocateFromPool(const PoolRequest& request, Call call) {
  PoolCall pool_call{};
  if (!BeginPoolCall(request, pool_call)) return CUDA_ERROR_OUT_OF_MEMORY;
  const CUresult result = call();
  return pool_call.record == nullptr ? result : EndPoolCall(request, pool_call, result);
}

}  // namespace warpshare::interposer
