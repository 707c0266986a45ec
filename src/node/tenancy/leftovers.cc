#include "node/tenancy/leftovers.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "node/tenancy/container_tenant.h"
#include "node/tenancy/presence.h"
#include "node/tenancy/tenant_dir.h"
#include "types/tenant_name.h"

namespace warpshare::node {

namespace {

namespace fs = std::filesystem;

std::vector<std::string> NamesIn(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error))
    names.push_back(entry->path().filename().string());
  std::ranges::sort(names);
  return names;
}

bool IsLeftOver(const StateDir& state, const std::string& name) {
  const std::string path = state.tenants_path() + "/" + name;
  if (access(ClaimPath(path).c_str(), F_OK) == 0) return false;  // the node daemon's matter
  const auto tenant = TenantDir::Open(path);
  if (tenant) return !IsInUse(*tenant);
  return tenant.error().code == Errc::kNotFound;
}

// A folder that was being made or removed when its maker died: the lock is ours, so nobody is at
// it.
bool IsHalfMade(const std::string& name) { return name.starts_with('.'); }

}  // namespace

std::vector<std::string> TenantNames(const StateDir& state) {
  std::vector<std::string> names = NamesIn(state.tenants_path());
  std::erase_if(names, [](const std::string& name) { return !ParseTenantName(name); });
  return names;
}

std::vector<std::string> FindLeftovers(const StateDir& state) {
  std::vector<std::string> names = TenantNames(state);
  std::erase_if(names, [&](const std::string& name) { return !IsLeftOver(state, name); });
  return names;
}

std::vector<std::string> ReapLeftovers(const StateDir& state) {
  for (const std::string& name : NamesIn(state.tenants_path())) {
    std::error_code ignored;
    if (IsHalfMade(name)) fs::remove_all(state.tenants_path() + "/" + name, ignored);
  }
  std::vector<std::string> names = FindLeftovers(state);
  std::erase_if(names, [&](const std::string& name) {
    return !RemoveTenant(state, state.tenants_path() + "/" + name);
  });
  return names;
}

Result<void> RemoveTenant(const StateDir& state, const std::string& path) {
  const std::string doomed = state.tenants_path() + "/.old-" + RandomKey();
  if (rename(path.c_str(), doomed.c_str()) != 0)
    return Fail(SystemError("cannot remove " + path, errno));
  std::error_code error;
  fs::remove_all(doomed, error);
  if (error) return Fail(SystemError("cannot remove " + doomed, error.value()));
  return {};
}

}  // namespace warpshare::node
