// Whether somebody is still there: a process of a slot, anybody of a tenant.
#pragma once

#include "ledger/snapshot.h"
#include "node/tenancy/tenant_dir.h"
#include "platform/region_file/usage_file.h"

namespace warpshare::node {

// By the rule that the tenant's own processes follow (ledger/process_identity.h). In doubt a
// process is there.
bool IsOwnerThere(const ledger::ProcessSnapshot& process, const platform::UsageFile& usage);

// Does any process that uses a card live? In doubt, yes.
bool HasProcesses(const TenantDir& tenant);

// A tenant is in use while a run of it, or anything that such a run started and that kept its open
// files, lives, or while a process that uses a card does. In doubt it is in use.
bool IsInUse(const TenantDir& tenant);

}  // namespace warpshare::node
