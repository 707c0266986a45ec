#include "interposer/accounts/charged.h"

#include "interposer/accounts/accounts.h"

namespace warpshare::interposer {

bool ReserveShrinkingPools(const Place& place, uint64_t bytes) {
  Accounts& accounts = Accounts::OfProcess();
  accounts.pools.ShrinkAll();
  accounts.graph_memory.ShrinkAll();
  return place.account->Charge(bytes);
}

CUresult Refuse(const Place& place, DriverCall call, DriverCall undo) {
  if (place.account->card() < abi::kMaxCards || Session::Current()->IsDevice(place.device)) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  if (const CUresult result = call(); result != CUDA_SUCCESS) return result;
  (void)undo();
  return CUDA_ERROR_OUT_OF_MEMORY;
}

bool MayReserve(const Place& place, uint64_t least) {
  if (place.account->HasRoomFor(least)) return true;
  if (!Reserve(place, least)) return false;
  place.account->GiveBack(least);
  return true;
}

void Bury(const Live& live) {
  Session* session = Session::Current();
  if (session == nullptr) return;
  if (live.kind == static_cast<uint8_t>(Charged::kPool)) {
    Pools& pools = Accounts::OfProcess().pools;
    pools.GiveBack(pools.Free(live, /*stream=*/0));
  } else {
    session->account(live.card).GiveBack(live.bytes);
  }
}

void EndFree(LiveTable& table, uint64_t key, const Live& live, bool is_gone) {
  if (is_gone || !table.PutBack(key, live)) Bury(live);
}

}  // namespace warpshare::interposer
