#include "node/device_plugin/held_tenants.h"

#include <fcntl.h>

#include "platform/region_file/file_lock.h"

namespace warpshare::node {

Result<void> HeldTenants::Hold(const std::string& name, const TenantDir& tenant) {
  const std::scoped_lock held(mutex_);
  if (runs_.contains(name)) return {};
  auto runs = platform::OpenFile(tenant.runs_path(), O_RDONLY);
  if (!runs) return Forward(runs);
  const auto locked = platform::TryLock(*runs, platform::LockMode::kShared);
  if (!locked) return Fail(locked.error());
  if (!*locked)
    return Fail(Errc::kConflict,
                tenant.runs_path() + " is locked by a stranger: find it with lsof");
  runs_.emplace(name, std::move(*runs));
  return {};
}

void HeldTenants::LetGo(const std::string& name) {
  const std::scoped_lock held(mutex_);
  runs_.erase(name);
}

}  // namespace warpshare::node
