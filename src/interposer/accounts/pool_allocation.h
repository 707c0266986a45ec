// One stream-ordered allocation: which pool it comes from, what the pool may grow by for it.
#pragma once

#include "abi/driver/cuda_types.h"
#include "interposer/accounts/accounts.h"
#include "interposer/accounts/charged.h"
#include "interposer/accounts/driver_call.h"
#include "interposer/accounts/place.h"
#include "interposer/accounts/pools.h"
#include "interposer/compute/metering.h"

namespace warpshare::interposer {

struct PoolRequest {
  CUdeviceptr* pointer;
  size_t bytes;
  CUmemoryPool pool;  // null: the current one of the stream's device
  CUstream stream;    // a default stream by the name that the called function means by 0
};

struct PoolCall {
  Place place;  // empty where all of a process is on one card
  CUmemoryPool pool;
  PoolRecord* record;  // null: the call is the driver's alone
  ReportedStore::Growth growth;
};

// Begins the growth of the pool, where all of a process is on one card and the pool is known.
[[gnu::always_inline]] inline void BeginInKnownPool(const PoolRequest& request, PoolCall& call) {
  Session* session = Session::Current();
  CardAccount* sole = session == nullptr ? nullptr : session->SoleAccount();
  if (sole == nullptr || request.pointer == nullptr || request.bytes == 0 || Metering::MayCapture())
      [[unlikely]]
    return;
  const Accounts& accounts = Accounts::Peek();
  if (call.pool == nullptr) {
    call.pool = accounts.current_pools.Find(sole->card(), accounts.context_devices.epoch());
  }
  call.record = accounts.pools.Latest(call.pool);
  if (call.record != nullptr) call.record->store.Begin(Pools::KeyOf(call.pool), call.growth);
}

// Finds the pool, unless it is known, and begins its growth; makes room for that where it needs
// some. During stream capture nothing is allocated, so nothing is charged: no record.
void BeginPoolCall(const PoolRequest& request, PoolCall& call);

// Ends a call that was not granted, that the driver refused, or that it served otherwise than was
// to be expected. `again` is the driver's function.
CUresult EndPoolCall(const PoolRequest& request, PoolCall& call, CUresult result, DriverCall again);

// Enters what the driver gave, which takes over the use of the pool; or frees it again.
[[gnu::always_inline]] inline bool RememberPooled(const PoolRequest& request, PoolRecord& record) {
  // The bytes are the pool's, so they count for no card here.
  return Remember(Session::Current()->pointers(), *request.pointer,
                  {.bytes = request.bytes,
                   .card = abi::kMaxCards,
                   .kind = static_cast<uint8_t>(Charged::kPool),
                   .owner = record.AsOwner()});
}
[[gnu::cold]] CUresult UndoUnremembered(const PoolRequest& request, const PoolCall& call);

template <typename Call>
CUresult AllocateFromPool(const PoolRequest& request, Call call) {
  using Grant = ReportedStore::Grant;
  PoolCall pool_call{
      .place = {},
      .pool = request.pool,
      .record = nullptr,
      .growth = {.asked = request.bytes, .stream = reinterpret_cast<uint64_t>(request.stream)}};
  ReportedStore::Growth& growth = pool_call.growth;
  BeginInKnownPool(request, pool_call);
  if (growth.grant != Grant::kFromStore) [[unlikely]] {
    BeginPoolCall(request, pool_call);
    if (pool_call.record == nullptr) return call();
  }
  const bool is_granted = growth.grant == Grant::kFromStore;
  const CUresult result = is_granted ? call() : CUDA_ERROR_OUT_OF_MEMORY;
  if (result != CUDA_SUCCESS || !pool_call.record->store.TrySettle(growth)) [[unlikely]]
    return EndPoolCall(request, pool_call, result, call);
  return RememberPooled(request, *pool_call.record) ? CUDA_SUCCESS
                                                    : UndoUnremembered(request, pool_call);
}

}  // namespace warpshare::interposer
