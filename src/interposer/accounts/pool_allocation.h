// One stream-ordered allocation: which pool it comes from, what the pool may grow by for it.
#pragma once

#include "abi/driver/cuda_types.h"
#include "interposer/accounts/place.h"
#include "interposer/accounts/pools.h"

namespace warpshare::interposer {

struct PoolRequest {
  CUdeviceptr* pointer;
  size_t bytes;
  CUmemoryPool pool;  // null: the current one of the stream's device
  CUstream stream;    // a default stream by the name that the called function means by 0
};

struct PoolCall {
  Place place;
  CUmemoryPool pool;
  PoolRecord* record;  // null: the call is the driver's alone
  ReportedStore::Growth growth;
};

// Pins the pool and begins its growth. During stream capture nothing is allocated, so nothing is
// charged: no record.
PoolCall BeginPoolCall(const PoolRequest& request);
CUresult EndPoolCall(const PoolRequest& request, const PoolCall& call, CUresult result);

// Instead of the pool, by cuMemAlloc.
CUresult AllocateElsewhere(const PoolRequest& request, const PoolCall& call);

template <typename Call>
CUresult AllocateFromPool(const PoolRequest& request, Call call) {
  const PoolCall pool_call = BeginPoolCall(request);
  if (pool_call.record == nullptr) return call();
  switch (pool_call.growth.grant) {
    case ReportedStore::Grant::kFromStore:
      return EndPoolCall(request, pool_call, call());
    case ReportedStore::Grant::kElsewhere:
      return AllocateElsewhere(request, pool_call);
    default:
      return EndPoolCall(request, pool_call, CUDA_ERROR_OUT_OF_MEMORY);
  }
}

}  // namespace warpshare::interposer
