// One stream-ordered allocation: which pool it comes from, what the pool may grow by for it.
#pragma once

#include "abi/driver/cuda_types.h"
#include "interposer/accounts/accounts.h"
#include "interposer/accounts/charged.h"
#include "interposer/accounts/driver_call.h"
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
  CUmemoryPool pool;
  PoolRecord* record;  // null: the call is the driver's alone
  ReportedStore::Growth growth;
};

// The current pool of the stream's device, on one of several cards; null if it is not known.
CUmemoryPool FindPoolOfStream(CUstream stream);

// Finds the pool, if it is known: where all of a process is on one card, without asking.
[[gnu::always_inline]] inline void FindKnownPool(Session& session, const PoolRequest& request,
                                                 PoolCall& call) {
  if (request.pointer == nullptr || request.bytes == 0 || Metering::MayCapture()) [[unlikely]]
    return;
  const Accounts& accounts = Accounts::Peek();
  if (call.pool == nullptr) {
    const CardAccount* sole = session.SoleAccount();
    call.pool = sole == nullptr
                    ? FindPoolOfStream(request.stream)
                    : accounts.current_pools.Find(sole->card(), accounts.context_devices.epoch());
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
[[gnu::always_inline]] inline bool RememberPooled(Session& session, const PoolRequest& request,
                                                  PoolRecord& record) {
  // The bytes are the pool's, so they count for no card here.
  return Remember(session.pointers(), *request.pointer,
                  {.bytes = request.bytes,
                   .card = abi::kMaxCards,
                   .kind = static_cast<uint8_t>(Charged::kPool),
                   .owner = record.AsOwner()});
}
[[gnu::cold]] CUresult UndoUnremembered(PoolRequest request, PoolCall call);

template <typename Call>
[[gnu::cold, gnu::noinline]] CUresult EndPoolCallSlowly(PoolRequest request, PoolCall pool_call,
                                                        CUresult result, Call call) {
  return EndPoolCall(request, pool_call, result, call);
}

// Ends a call that has a record, when it is known what came of it.
template <typename Call>
[[gnu::always_inline]] inline CUresult SettleAndRemember(Session& session,
                                                         const PoolRequest& request,
                                                         const PoolCall& pool_call, CUresult result,
                                                         Call call) {
  PoolRecord& record = *pool_call.record;
  if (result != CUDA_SUCCESS || !record.store.TrySettle(pool_call.growth)) [[unlikely]]
    return EndPoolCallSlowly(request, pool_call, result, call);
  return RememberPooled(session, request, record) ? CUDA_SUCCESS
                                                  : UndoUnremembered(request, pool_call);
}

// For a call whose pool is not known, or does not grant it.
template <typename Call>
[[gnu::noinline]] CUresult AllocateFromPoolSlowly(Session& session, PoolRequest request,
                                                  PoolCall pool_call, Call call) {
  BeginPoolCall(request, pool_call);
  if (pool_call.record == nullptr) return call();
  const bool is_granted = pool_call.growth.grant == ReportedStore::Grant::kFromStore;
  return SettleAndRemember(session, request, pool_call,
                           is_granted ? call() : CUDA_ERROR_OUT_OF_MEMORY, call);
}

// What is known of a call goes by value to functions that are not inlined: no address of it leaves
// this one, so it stays in registers.
template <typename Call>
[[gnu::always_inline]] inline CUresult AllocateFromPool(const PoolRequest& request, Call call) {
  Session* session = Session::Current();
  if (session == nullptr) [[unlikely]]
    return call();
  PoolCall pool_call{
      .pool = request.pool,
      .record = nullptr,
      .growth = {.asked = request.bytes, .stream = reinterpret_cast<uint64_t>(request.stream)}};
  ReportedStore::Growth& growth = pool_call.growth;
  FindKnownPool(*session, request, pool_call);
  if (pool_call.record != nullptr) [[likely]]
    pool_call.record->store.Begin(Pools::KeyOf(pool_call.pool), growth);
  if (growth.grant != ReportedStore::Grant::kFromStore) [[unlikely]]
    return AllocateFromPoolSlowly(*session, request, pool_call, call);
  return SettleAndRemember(*session, request, pool_call, call(), call);
}

}  // namespace warpshare::interposer
