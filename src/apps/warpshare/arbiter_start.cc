#include "apps/warpshare/arbiter_start.h"

#include "apps/warpshare/complaint.h"
#include "apps/warpshare/installation.h"
#include "node/local/ensure_local_node.h"
#include "node/local/other_arbiters.h"

namespace warpshare::app {

void SeeToArbiter(const node::StateDir& state) {
  const auto node = node::EnsureLocalNode(state, Installation::Find().program_folder);
  if (!node)
    Complain("warning: nobody hands out GPU time, so each tenant keeps itself to its share: " +
             node.error().message);
  for (const std::string& other : node::FindOtherArbiters(state))
    Complain("warning: " + other + ": each holds only its own tenants to their shares");
}

}  // namespace warpshare::app
