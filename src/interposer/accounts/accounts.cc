#include "interposer/accounts/accounts.h"

#include "interposer/guest/fork_wiped.h"

namespace warpshare::interposer {

namespace {

constinit guest::ForkWiped<Accounts> g_accounts{};

}  // namespace

Accounts& Accounts::OfProcess() { return g_accounts.Get(); }

uint64_t Accounts::DataLeast(uint32_t card) {
  return pointers.BytesOn(card) + arrays.BytesOn(card) + physical_memory.BytesOn(card) +
         pools.BytesOn(card) + graph_memory.BytesOn(card);
}

uint64_t Accounts::DataMost(const CardAccount& account) {
  const uint32_t card = account.card();
  const uint64_t overhead = contexts.BytesOn(card) + code.BytesOn(card) +
                            of_card[card].overhead_held.load(std::memory_order_relaxed);
  const uint64_t own = account.OwnBytes();
  return own > overhead ? own - overhead : 0;
}

}  // namespace warpshare::interposer
