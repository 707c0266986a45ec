#include "interposer/accounts/accounts.h"

#include "interposer/guest/fork_wiped.h"

namespace warpshare::interposer {

namespace {

constinit guest::ForkWiped<Accounts> g_accounts{};

}  // namespace

Accounts& Accounts::OfProcess() { return g_accounts.Get(); }

}  // namespace warpshare::interposer
