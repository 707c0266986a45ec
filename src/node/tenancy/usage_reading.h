// Reads a tenant's usage file without trusting it (ledger/snapshot.h).
#pragma once

#include <memory>

#include "ledger/snapshot.h"
#include "platform/region_file/usage_file.h"
#include "result/result.h"

namespace warpshare::node {

// Copies again a few times while the tenant changes it under the copy; what is still torn then is
// shown as it is.
Result<std::unique_ptr<ledger::RegionSnapshot>> ReadUsage(const platform::UsageFile& usage);

}  // namespace warpshare::node
