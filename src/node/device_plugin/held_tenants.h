// The containers that the daemon stands for: as long as it holds a tenant's `runs`, the tenant is
// in use (node/tenancy/presence.h), also between two starts of its container, and so has its place
// at the arbiters. The kernel lets go when the daemon ends.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "node/tenancy/tenant_dir.h"
#include "platform/descriptor/descriptor.h"
#include "result/result.h"

namespace warpshare::node {

// From any thread.
class HeldTenants {
 public:
  Result<void> Hold(const std::string& name, const TenantDir& tenant);
  void LetGo(const std::string& name);

 private:
  std::mutex mutex_;
  std::map<std::string, platform::Descriptor> runs_;
};

}  // namespace warpshare::node
