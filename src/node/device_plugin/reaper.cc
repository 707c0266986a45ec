#include "node/device_plugin/reaper.h"

#include <algorithm>

#include "node/tenancy/card_promises.h"
#include "node/tenancy/leftovers.h"
#include "node/tenancy/presence.h"
#include "platform/log_file/log_words.h"

namespace warpshare::node {

namespace {

bool IsNeeded(const ContainerTenant& tenant, const RecordedUse& use) {
  const ContainerClaim& claim = tenant.claim;
  if (!use.host_paths.contains(tenant.dir.tenant_side())) return false;
  return claim.pod_uid.empty() || use.pods.contains({claim.pod_namespace, claim.pod_name});
}

}  // namespace

void Reaper::Recover() {
  for (const ContainerTenant& tenant : ContainerTenants(state_)) {
    if (tenant.claim.pod_uid.empty()) continue;
    if (auto held = ports_.held.Hold(tenant.name, tenant.dir); !held)
      ports_.log.Line(
          platform::LogText("not recovered", {{"folder", tenant.name}, {"reason", held.error()}}));
  }
}

void Reaper::Look() {
  const auto use = ports_.record.Use();
  if (!use) {
    unused_since_.clear();
    return;
  }
  const auto now = ports_.clock.Now();
  const std::vector<ContainerTenant> tenants = ContainerTenants(state_);
  std::erase_if(unused_since_, [&](const auto& each) {
    return std::ranges::find(tenants, each.first, &ContainerTenant::name) == tenants.end();
  });
  for (const ContainerTenant& tenant : tenants) {
    if (IsNeeded(tenant, *use) || HasProcesses(tenant.dir)) {
      unused_since_.erase(tenant.name);
      continue;
    }
    const auto since = unused_since_.try_emplace(tenant.name, now).first->second;
    if (now - since >= kReapGrace) Remove(tenant);
  }
  ports_.libraries.Prune(use->host_paths);
}

void Reaper::Remove(const ContainerTenant& tenant) {
  const auto lock = state_.Lock(ports_.clock);
  if (!lock) return;
  ports_.held.LetGo(tenant.name);
  if (auto removed = RemoveTenant(state_, tenant.dir.path()); !removed) {
    ports_.log.Line(platform::LogText("not reaped", {{"reason", removed.error()}}));
    return;
  }
  ports_.log.Line(platform::LogText(
      "reaped", {{"folder", tenant.name},
                 {"pod", tenant.claim.pod_namespace + "/" + tenant.claim.pod_name},
                 {"container", tenant.claim.container}}));
  SpreadStaticShares(state_);
}

}  // namespace warpshare::node
