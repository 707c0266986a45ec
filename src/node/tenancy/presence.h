// Whether somebody is still there: a process of a slot, anybody of a tenant.
#pragma once

#include <cstdint>

#include "ledger/snapshot.h"
#include "node/tenancy/tenant_dir.h"
#include "platform/region_file/usage_file.h"

namespace warpshare::node {

// What says that a process lives. A container never shares the daemon's pid namespace, and what its
// page says of pids could be anybody's: it goes by the lock, which the kernel drops.
enum class Proof : uint8_t { kPidOrLock, kLock };
Proof ProofOf(const TenantDir& tenant);

// By the rule that the tenant's own processes follow (ledger/process_identity.h). In doubt a
// process is there.
bool IsOwnerThere(const ledger::ProcessSnapshot& process, const platform::UsageFile& usage,
                  Proof proof);

// Does any process that uses a card live? In doubt, yes.
bool HasProcesses(const TenantDir& tenant);

// A tenant is in use while a run of it, or anything that such a run started and that kept its open
// files, lives, or while a process that uses a card does. In doubt it is in use.
bool IsInUse(const TenantDir& tenant);

}  // namespace warpshare::node
