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

// Finds the pool, if it is known without asking: where all of a process is on one card.
[[gnu::always_inline]] inline void FindKnownPool(Session& session, const PoolRequest& request,
                                                 PoolCall& call) {
  CardAccount* sole = session.SoleAccount();
  if (sole == nullptr || request.pointer == nullptr || request.bytes == 0 || Metering::MayCapture())
      [[unlikely]]
    return;
  const Accounts& accounts = Accounts::Peek();
  if (call.pool == nullptr) {
    call.pool = accounts.current_pools.Find(sole->card(), accounts.context_devices.epoch());
  }
  call.record = accounts.pools.Latest(call.pool);
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
[[gnu::cold]] CUresult UndoUnremembered(PoolRequest request, PoolCall call);

// What AllocateFromPool does where its pool is known and grants the call, for all others.
template <typename Call>
[[gnu::noinline]] CUresult AllocateFromPoolSlowly(PoolRequest request, PoolCall pool_call,
                                                  Call call) {
  BeginPoolCall(request, pool_call);
  if (pool_call.record == nullptr) return call();
  const bool is_granted = pool_call.growth.grant == ReportedStore::Grant::kFromStore;
  const CUresult result = is_granted ? call() : CUDA_ERROR_OUT_OF_MEMORY;
  if (result != CUDA_SUCCESS || !pool_call.record->store.TrySettle(pool_call.growth))
    return EndPoolCall(request, pool_call, result, call);
  return RememberPooled(request, *pool_call.record) ? CUDA_SUCCESS
                                                    : UndoUnremembered(request, pool_call);
}

// The same, from when the driver has answered.
template <typename Call>
[[gnu::cold, gnu::noinline]] CUresult EndPoolCallSlowly(PoolRequest request, PoolCall pool_call,
                                                        CUresult result, Call call) {
  return EndPoolCall(request, pool_call, result, call);
}

// What is known of a call goes to others by value: its address does not leave this function, so it
// stays in registers.
template <typename Call>
[[gnu::always_inline]] inline CUresult AllocateFromPool(const PoolRequest& request, Call call) {
  Session* session = Session::Current();
  if (session == nullptr) [[unlikely]]
    return call();
  PoolCall pool_call{
      .place = {},
      .pool = request.pool,
      .record = nullptr,
      .growth = {.asked = request.bytes, .stream = reinterpret_cast<uint64_t>(request.stream)}};
  ReportedStore::Growth& growth = pool_call.growth;
  FindKnownPool(*session, request, pool_call);
  if (pool_call.record != nullptr) [[likely]]
    pool_call.record->store.Begin(Pools::KeyOf(pool_call.pool), growth);
  if (growth.grant != ReportedStore::Grant::kFromStore) [[unlikely]]
    return AllocateFromPoolSlowly(request, pool_call, call);
  const CUresult result = call();
  if (result != CUDA_SUCCESS || !pool_call.record->store.TrySettle(growth)) [[unlikely]]
    return EndPoolCallSlowly(request, pool_call, result, call);
  return RememberPooled(request, *pool_call.record) ? CUDA_SUCCESS
                                                    : UndoUnremembered(request, pool_call);
}

}  // namespace warpshare::interposer
