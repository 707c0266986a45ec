#include "node/device_plugin/usage_bounds.h"

#include <algorithm>

#include "node/tenancy/container_tenant.h"
#include "platform/log_file/log_words.h"
#include "platform/region_file/usage_file.h"

namespace warpshare::node {

void UsageBounds::Look() {
  const std::vector<ContainerTenant> tenants = ContainerTenants(state_);
  std::erase_if(told_, [&](const std::string& name) {
    return std::ranges::find(tenants, name, &ContainerTenant::name) == tenants.end();
  });
  for (const ContainerTenant& tenant : tenants) {
    const auto cut = platform::CutUsageFile(tenant.dir.usage_path());
    if (!cut || !*cut || !told_.insert(tenant.name).second) continue;
    log_.Line(platform::LogText("usage file cut",
                                {{"folder", tenant.name},
                                 {"pod", tenant.claim.pod_namespace + "/" + tenant.claim.pod_name},
                                 {"container", tenant.claim.container},
                                 {"reason", "the container made it longer than its layout"}}));
  }
}

}  // namespace warpshare::node
