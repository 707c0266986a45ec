// Words of the command line that more than one command takes, read with errors that say how to
// write them.
#pragma once

#include <string>

#include "result/result.h"
#include "types/memory_amount.h"
#include "types/tenant_name.h"

namespace warpshare::app {

// For --memory of `set`: lifts the limit.
inline constexpr char kNoMemoryLimit[] = "none";

Result<MemoryAmount> ReadMemory(const std::string& text);
Result<TenantName> ReadTenantName(const std::string& text);

}  // namespace warpshare::app
