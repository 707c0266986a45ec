#include "interposer/accounts/charged.h"

#include "interposer/accounts/accounts.h"

namespace warpshare::interposer {

bool ReserveSlowly(CardAccount& account, uint64_t bytes) {
  if (account.TryCharge(bytes)) return true;
  Accounts& accounts = Accounts::OfProcess();
  accounts.pools.ShrinkAll();
  accounts.graph_memory.ShrinkAll();
  return account.Charge(bytes);
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
  if (!Reserve(*place.account, least)) return false;
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

bool RememberSlowly(LiveTable& table, uint64_t key, PackedLive live) {
  Live dead;
  const LiveTable::Added added = table.Add(key, live.Unpack(), dead);
  if (added == LiveTable::Added::kReplaced) Bury(dead);
  return added != LiveTable::Added::kNoMemory;
}

CUresult GiveBackAndEnd(CardAccount& account, uint64_t bytes, CUresult result) {
  account.GiveBack(bytes);
  return result;
}

void EndFree(LiveTable& table, uint64_t key, const Live& live, bool is_gone) {
  if (is_gone || !table.PutBack(key, live)) Bury(live);
}

}  // namespace warpshare::interposer
