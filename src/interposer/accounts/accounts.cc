#include "interposer/accounts/accounts.h"

#include "interposer/guest/fork_wiped.h"

namespace warpshare::interposer {

namespace {

constinit guest::ForkWiped<Accounts> g_accounts{};

}  // namespace

Accounts& Accounts::OfProcess() { return g_accounts.Get(); }

uint64_t Accounts::BytesOn(uint32_t card) {
  return pointers.BytesOn(card) + arrays.BytesOn(card) + physical_memory.BytesOn(card) +
         pools.BytesOn(card) + graph_memory.BytesOn(card) + contexts.BytesOn(card) +
         code.BytesOn(card);
}

}  // namespace warpshare::interposer
