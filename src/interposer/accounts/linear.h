// Device pointers: what cuMemAlloc and its kin give, and cuMemFree and cuMemFreeAsync take.
#pragma once

#include "interposer/accounts/accounts.h"
#include "interposer/accounts/charged.h"
#include "interposer/accounts/stream_order.h"

namespace warpshare::interposer {

// Whether the driver has nothing at `pointer`: said by a refusal to free it, and asked once more,
// as the refusal may be for another argument.
[[gnu::cold]] bool IsUnknownPointer(CUdeviceptr pointer, CUresult refusal);

[[gnu::cold]] void FreeUnremembered(uint64_t pointer);

// `Address` is CUdeviceptr, or unsigned int before CUDA 3.2.
template <typename Address, typename Call>
[[gnu::always_inline]] inline CUresult AllocateLinearAt(Session& session, const Place& place,
                                                        Address* pointer, uint64_t bytes,
                                                        Call call) {
  return AllocateCharged(
      {.table = session.pointers(), .place = place, .bytes = bytes}, call,
      [pointer] { return uint64_t{*pointer}; }, FreeUnremembered);
}

// On one of several cards.
template <typename Address, typename Call>
[[gnu::noinline]] CUresult AllocateLinearWhereCurrent(Session& session, Address* pointer,
                                                      uint64_t bytes, Call call) {
  const Place place = CurrentPlace();
  return place ? AllocateLinearAt(session, place, pointer, bytes, call) : call();
}

// Allocates `bytes` by `call`.
template <typename Address, typename Call>
[[gnu::always_inline]] inline CUresult AllocateLinear(Address* pointer, uint64_t bytes, Call call) {
  Session* session = Session::Current();
  if (session == nullptr || pointer == nullptr || bytes == 0) [[unlikely]]
    return call();
  CardAccount* sole = session->SoleAccount();
  if (sole == nullptr) [[unlikely]]
    return AllocateLinearWhereCurrent(*session, pointer, bytes, call);
  return AllocateLinearAt(*session, {.account = sole, .context = UnknownContext()}, pointer, bytes,
                          call);
}

// What was not charged here, or is charged where other processes may have it, too (ipc_memory.h).
[[gnu::cold]] CUresult FreeExported(uint64_t pointer, DriverCall call);

// Frees at once, by a cuMemFree of the driver.
template <typename Address>
[[gnu::always_inline]] inline CUresult FreeLinear(Address pointer, CUresult (*call)(Address)) {
  return FreeCharged([](Session& session) -> LiveTable& { return session.pointers(); }, pointer,
                     [=] { return call(pointer); },
                     [=](CUresult refusal) { return IsUnknownPointer(pointer, refusal); },
                     [=] { return FreeExported(pointer, [=] { return call(pointer); }); });
}

// Ends a free that was asked for in stream order.
void EndFreeInOrder(CUdeviceptr pointer, CUstream stream, const Live& live, CUresult result);

template <typename Call>
[[gnu::cold, gnu::noinline]] CUresult FreeInOrderSlowly(CUdeviceptr pointer, CUstream stream,
                                                        Call call) {
  Live live;
  if (!Accounts::pointers().Take(pointer, live))
    return Accounts::OfProcess().ipc_memory.FreeInOrder(pointer, stream, call);
  const CUresult result = call();
  EndFreeInOrder(pointer, stream, live, result);
  return result;
}

// Frees when the stream gets there, by a cuMemFreeAsync of the driver. `stream`: with the default
// stream that the function called means by 0.
template <typename Call>
[[gnu::always_inline]] inline CUresult FreeLinearInOrder(CUdeviceptr pointer, CUstream stream,
                                                         Call call) {
  Session* session = Session::Current();
  if (session == nullptr || pointer == 0) [[unlikely]]
    return call();
  LiveTable::Home home(session->pointers(), pointer);
  if (!home.Holds()) [[unlikely]] {
    home.Leave();
    return FreeInOrderSlowly(pointer, stream, call);
  }
  const PackedLive live = home.Take();
  const CUresult result = call();
  if (result != CUDA_SUCCESS || live.kind() != static_cast<uint8_t>(Charged::kPool)) [[unlikely]] {
    EndFreeInOrder(pointer, stream, live.Unpack(), result);
    return result;
  }
  PoolRecord& record = *PoolRecord::OfOwner(live.owner);
  if (record.store.Free(live.bytes(), reinterpret_cast<uint64_t>(stream))) [[unlikely]]
    BuryPoolInOrder(record, stream);
  return CUDA_SUCCESS;
}

}  // namespace warpshare::interposer
