#include "interposer/accounts/charged.h"

#include "interposer/accounts/accounts.h"

namespace warpshare::interposer {

bool ReserveShrinkingPools(const Place& place, uint64_t bytes) {
  Accounts& accounts = Accounts::OfProcess();
  accounts.pools.ShrinkAll();
  accounts.graph_memory.ShrinkAll();
  return place.account->Charge(bytes);
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

bool Remember(LiveTable& table, uint64_t key, const Live& live) {
  Live dead;
  const LiveTable::Added added = table.Add(key, live, dead);
  if (added == LiveTable::Added::kReplaced) Bury(dead);
  return added != LiveTable::Added::kNoMemory;
}

void EndFree(LiveTable& table, uint64_t key, const Live& live, bool is_gone) {
  if (is_gone || !table.PutBack(key, live)) Bury(live);
}

}  // namespace warpshare::interposer
