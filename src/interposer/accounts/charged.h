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
// taken back before it is refused, by the first of the two.
[[nodiscard]] bool ReserveShrinkingPools(const Place& place, uint64_t bytes);
[[nodiscard]] inline bool Reserve(const Place& place, uint64_t bytes) {
  return place.account->TryCharge(bytes) || ReserveShrinkingPools(place, bytes);
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
[[nodiscard, gnu::always_inline]] inline bool Remember(LiveTable& table, uint64_t key,
                                                       const Live& live) {
  Live dead;
  const LiveTable::Added added = table.Add(key, live, dead);
  if (added == LiveTable::Added::kReplaced) [[unlikely]]
    Bury(dead);
  return added != LiveTable::Added::kNoMemory;
}

// Ends what Take began: the driver has freed `key`, or has not.
void EndFree(LiveTable& table, uint64_t key, const Live& live, bool is_gone);

// What is to be allocated, and where it is entered.
struct Request {
  LiveTable& table;
  const Place& place;
  uint64_t bytes;
};

// `call()` is the driver's; `key()` what it gave; `undo(key)` frees that again.
template <typename Call, typename Key, typename Undo>
CUresult AllocateCharged(const Request& request, Call call, Key key, Undo undo) {
  CardAccount& account = *request.place.account;
  if (!Reserve(request.place, request.bytes)) return CUDA_ERROR_OUT_OF_MEMORY;
  CUresult result = call();
  if (result == CUDA_SUCCESS) {
    const Live live = ChargedItself(request.place, request.bytes);
    if (Remember(request.table, key(), live)) return CUDA_SUCCESS;
    undo(key());
    result = CUDA_ERROR_OUT_OF_MEMORY;
  }
  account.GiveBack(request.bytes);
  return result;
}

// `call()` is the driver's; `is_gone(result)`: whether it refused because it has no such thing.
template <typename Call, typename IsGone>
CUresult FreeCharged(LiveTable& table, uint64_t key, Call call, IsGone is_gone) {
  Live live;
  if (Session::Current() == nullptr || key == 0 || !table.Take(key, live)) return call();
  const CUresult result = call();
  EndFree(table, key, live, result == CUDA_SUCCESS || is_gone(result));
  return result;
}

}  // namespace warpshare::interposer
