// The life of one charged allocation: reserved before the driver is called, given back if the
// driver refuses, remembered by what the driver gave, given back once the driver has freed it.
#pragma once

#include <cstdint>

#include "abi/driver/cuda_result.h"
#include "interposer/accounts/driver_call.h"
#include "interposer/accounts/live_table.h"
#include "interposer/accounts/place.h"

namespace warpshare::interposer {

// What an entry of a table is charged to.
enum class Charged : uint8_t {
  kItself = 1,  // its bytes to its card; owner: the context it dies with, which may be
                // UnknownContext(), or 0
  kPool = 2,    // nothing; owner: the PoolRecord it came from, which is charged
};

inline uint64_t OwnerOf(CUcontext context) { return reinterpret_cast<uint64_t>(context); }

// The entry of what is charged itself.
inline Live ChargedItself(const Place& place, uint64_t bytes) {
  return {.bytes = bytes,
          .card = static_cast<uint8_t>(place.account->card()),
          .kind = static_cast<uint8_t>(Charged::kItself),
          .owner = OwnerOf(place.context)};
}

// Charges `bytes`; false is CUDA_ERROR_OUT_OF_MEMORY. What this process's pools have let go of is
// taken back before it is refused.
[[nodiscard, gnu::cold]] bool ReserveSlowly(CardAccount& account, uint64_t bytes);
[[nodiscard, gnu::always_inline]] inline bool Reserve(CardAccount& account, uint64_t bytes) {
  return account.TryChargeInRun(bytes) || ReserveSlowly(account, bytes);
}

// What a call gets that `place` was not charged for: CUDA_ERROR_OUT_OF_MEMORY. If its device is
// none that the driver knows, the driver says by `call` what is wrong. Should it serve the call all
// the same (another thread was in cuInit), `undo` takes that back: nobody would be charged for it.
CUresult Refuse(const Place& place, DriverCall call, DriverCall undo);

// For a size of which only the least is known without asking the driver. False:
// CUDA_ERROR_OUT_OF_MEMORY, not even that fits.
[[nodiscard]] bool MayReserve(const Place& place, uint64_t least);

// Gives back what a taken or dead entry was charged.
void Bury(const Live& live);

// Enters what the driver gave. False without memory to remember it in; then nothing was changed.
[[nodiscard, gnu::cold]] bool RememberSlowly(LiveTable& table, uint64_t key, PackedLive live);
[[nodiscard, gnu::always_inline]] inline bool Remember(LiveTable& table, uint64_t key,
                                                       const Live& live) {
  const PackedLive packed = PackedLive::Of(live);
  LiveTable::Home home(table, key);
  if (!home.IsFree()) [[unlikely]] {
    home.Leave();
    return RememberSlowly(table, key, packed);
  }
  home.Put(packed);
  return true;
}

// Gives back what was charged, the long way if need be; returns `result`.
[[gnu::cold]] CUresult GiveBackAndEnd(CardAccount& account, uint64_t bytes, CUresult result);

// Ends what Take began: the driver has freed `key`, or has not.
void EndFree(LiveTable& table, uint64_t key, const Live& live, bool is_gone);

// What is to be allocated, and where it is entered.
struct Request {
  LiveTable& table;
  Place place;
  uint64_t bytes;
};

// Of the two templates below, the ways that are seldom taken are functions of their own, so that
// what is left is few lines of code, one after the other: after the driver was at it, each comes
// from far.
template <typename Undo>
[[gnu::cold, gnu::noinline]] CUresult RememberOrUndo(LiveTable& table, CardAccount& account,
                                                     uint64_t key, PackedLive live, Undo undo) {
  if (RememberSlowly(table, key, live)) return CUDA_SUCCESS;
  undo(key);
  account.GiveBack(live.bytes());
  return CUDA_ERROR_OUT_OF_MEMORY;
}

// `call()` is the driver's; `key()` what it gave; `undo(key)` frees that again.
template <typename Call, typename Key, typename Undo>
[[gnu::always_inline]] inline CUresult AllocateCharged(const Request& request, Call call, Key key,
                                                       Undo undo) {
  CardAccount& account = *request.place.account;
  if (!Reserve(account, request.bytes)) [[unlikely]]
    return CUDA_ERROR_OUT_OF_MEMORY;
  const CUresult result = call();
  if (result != CUDA_SUCCESS) [[unlikely]]
    return GiveBackAndEnd(account, request.bytes, result);
  const PackedLive live = PackedLive::Of(ChargedItself(request.place, request.bytes));
  LiveTable::Home home(request.table, key());
  if (!home.IsFree()) [[unlikely]] {
    home.Leave();
    return RememberOrUndo(request.table, account, key(), live, undo);
  }
  home.Put(live);
  return CUDA_SUCCESS;
}

template <typename Call, typename IsGone, typename Unknown>
[[gnu::cold, gnu::noinline]] CUresult FreeSlowly(LiveTable& table, uint64_t key, Call call,
                                                 IsGone is_gone, Unknown unknown) {
  Live live;
  if (!table.Take(key, live)) return unknown();
  const CUresult result = call();
  EndFree(table, key, live, result == CUDA_SUCCESS || is_gone(result));
  return result;
}

template <typename IsGone>
[[gnu::cold, gnu::noinline]] CUresult EndFreeSlowly(LiveTable& table, uint64_t key, PackedLive live,
                                                    CUresult result, IsGone is_gone) {
  EndFree(table, key, live.Unpack(), result == CUDA_SUCCESS || is_gone(result));
  return result;
}

// `table_of(session)`: where it is entered; `call()` is the driver's; `is_gone(result)`: whether it
// refused because it has no such thing; `unknown()` frees what is not entered there.
template <typename Table, typename Call, typename IsGone, typename Unknown>
[[gnu::always_inline]] inline CUresult FreeCharged(Table table_of, uint64_t key, Call call,
                                                   IsGone is_gone, Unknown unknown) {
  Session* session = Session::Current();
  if (session == nullptr || key == 0) [[unlikely]]
    return call();
  LiveTable& table = table_of(*session);
  LiveTable::Home home(table, key);
  if (!home.Holds()) [[unlikely]] {
    home.Leave();
    return FreeSlowly(table, key, call, is_gone, unknown);
  }
  const PackedLive live = home.Take();
  CardAccount& account = session->account(live.card());
  const void* const total = account.total();
  const CUresult result = call();
  __builtin_prefetch(total, /*write=*/1);
  if (result != CUDA_SUCCESS || live.kind() != static_cast<uint8_t>(Charged::kItself)) [[unlikely]]
    return EndFreeSlowly(table, key, live, result, is_gone);
  if (!account.TryGiveBackInRun(live.bytes())) [[unlikely]]
    return GiveBackAndEnd(account, live.bytes(), CUDA_SUCCESS);
  return CUDA_SUCCESS;
}

template <typename Table, typename Call, typename IsGone>
[[gnu::always_inline]] inline CUresult FreeCharged(Table table_of, uint64_t key, Call call,
                                                   IsGone is_gone) {
  return FreeCharged(table_of, key, call, is_gone, call);
}

}  // namespace warpshare::interposer
