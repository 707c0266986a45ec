#include "interposer/accounts/accounts.h"

namespace warpshare::interposer {

constinit guest::ForkWiped<Accounts> Accounts::g_accounts{};

uint64_t Accounts::BytesOn(uint32_t card) {
  return pointers().BytesOn(card) + arrays.BytesOn(card) + physical_memory.BytesOn(card) +
         ipc_memory.BytesOn(card) + pools.BytesOn(card) + graph_memory.BytesOn(card) +
         contexts.BytesOn(card) + code.BytesOn(card);
}

}  // namespace warpshare::interposer
