#include "node/tenancy/container_tenant.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "node/tenancy/card_note.h"
#include "node/tenancy/compute_limit.h"
#include "node/tenancy/leftovers.h"
#include "node/tenancy/presence.h"
#include "platform/region_file/usage_file.h"
#include "types/tenant_name.h"

namespace warpshare::node {

namespace {

namespace fs = std::filesystem;

// Built aside and then given its name: nobody sees it half-made.
Result<TenantDir> Build(const StateDir& state, const std::string& name, const std::string& key,
                        const std::vector<std::string>& device_ids) {
  const std::string aside = state.tenants_path() + "/.new-" + RandomKey();
  const std::string path = state.tenants_path() + "/" + name;
  auto built = TenantDir::Build(aside, {.tenant = name, .cards = {}}, {}, key);
  Result<void> done;
  if (built) done = WriteClaim(ClaimPath(aside), {.device_ids = device_ids});
  if (built && done && rename(aside.c_str(), path.c_str()) == 0) return built->At(path);
  const Error error = !built  ? built.error()
                      : !done ? done.error()
                              : SystemError("cannot make " + path, errno);
  std::error_code ignored;
  fs::remove_all(aside, ignored);
  return Fail(error);
}

// A fresh one takes its place: the container's mounts are made anew at each start.
Result<void> RenewUsage(const TenantDir& dir) {
  if (HasProcesses(dir)) return {};
  const std::string aside = dir.usage_path() + ".new";
  std::error_code ignored;
  fs::remove(aside, ignored);
  if (auto made = platform::MakeUsageFile(aside); !made) return made;
  if (rename(aside.c_str(), dir.usage_path().c_str()) != 0)
    return Fail(SystemError("cannot renew " + dir.usage_path(), errno));
  return {};
}

// The share without an arbiter is not in the limits: it depends on others (card_promises.h).
Result<void> StoreChange(const std::string& path, uint32_t position,
                         const platform::CardLimit& before, const platform::CardLimit& after) {
  if (before.memory != after.memory)
    if (auto stored = platform::StoreMemoryLimit(path, position, after.memory); !stored)
      return stored;
  if (FromPage(before.compute) == FromPage(after.compute)) return {};
  return platform::StoreComputeTerms(path, position, after.compute);
}

}  // namespace

std::string ClaimPath(const std::string& tenant_path) { return tenant_path + "/claim"; }

Result<TenantDir> MakeContainerTenant(const StateDir& state,
                                      const std::vector<std::string>& device_ids) {
  return Build(state, kContainerPrefix + RandomKey(), RandomKey(), device_ids);
}

Result<ContainerTenant> FindContainerTenant(const StateDir& state, const std::string& tenant_side,
                                            const std::vector<std::string>& device_ids) {
  const fs::path side(tenant_side);
  const std::string key = side.filename().string();
  const std::string name = side.parent_path().filename().string();
  if (!name.starts_with(kContainerPrefix) || !ParseTenantName(name) || !ParseTenantName(key) ||
      side.parent_path().parent_path() != fs::path(state.tenants_path()))
    return Fail(Errc::kInvalid, tenant_side + " is no container's folder of " + state.path() +
                                    ": delete the pod, its containers were made for another one");
  const std::string path = state.tenants_path() + "/" + name;
  auto dir = TenantDir::Open(path);
  if (!dir && dir.error().code == Errc::kNotFound) dir = Build(state, name, key, device_ids);
  if (!dir) return Forward(dir);
  auto claim = ReadClaim(ClaimPath(path));
  if (!claim) return Forward(claim);
  return ContainerTenant{name, std::move(*dir), std::move(*claim)};
}

Result<void> FillContainerTenant(const ContainerTenant& tenant, const platform::Limits& limits,
                                 const std::vector<platform::Card>& cards) {
  auto done = RenewUsage(tenant.dir);
  // The claim comes before the limits: who has limits is known.
  if (done) done = WriteClaim(ClaimPath(tenant.dir.path()), tenant.claim);
  if (done) done = WriteCardNote(tenant.dir.cards_path(), cards);
  if (done) done = platform::WriteLimitsFile(tenant.dir.limits_path(), limits);
  return done;
}

Result<void> ChangeContainerTenant(const ContainerTenant& tenant,
                                   const std::vector<platform::CardLimit>& limits) {
  const std::string path = tenant.dir.limits_path();
  const auto page = platform::ReadLimitsFile(path);
  if (!page) return Fail(page.error());
  if (!std::ranges::equal(page->cards, limits, {}, &platform::CardLimit::uuid,
                          &platform::CardLimit::uuid))
    return Fail(Errc::kCorrupt, path + " has other cards");
  // After a crash in between the page is brought to the claim, not the other way round.
  if (auto done = WriteClaim(ClaimPath(tenant.dir.path()), tenant.claim); !done) return done;
  for (uint32_t i = 0; i < limits.size(); ++i)
    if (auto stored = StoreChange(path, i, page->cards[i], limits[i]); !stored) return stored;
  return {};
}

std::vector<ContainerTenant> ContainerTenants(const StateDir& state) {
  std::vector<ContainerTenant> tenants;
  for (const std::string& name : TenantNames(state)) {
    if (!name.starts_with(kContainerPrefix)) continue;
    auto dir = TenantDir::Open(state.tenants_path() + "/" + name);
    if (!dir) continue;
    if (auto claim = ReadClaim(ClaimPath(dir->path())))
      tenants.push_back({name, std::move(*dir), std::move(*claim)});
  }
  return tenants;
}

}  // namespace warpshare::node
