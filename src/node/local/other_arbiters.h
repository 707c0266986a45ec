// Whether somebody else's arbiter hands out a card, too, for commands to warn of.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "abi/names/folders.h"
#include "node/local/card_claims.h"
#include "node/tenancy/state_dir.h"
#include "platform/descriptor/descriptor.h"
#include "result/result.h"
#include "types/gpu_uuid.h"

namespace warpshare::node {

// A node in a pod has no names that anybody else sees (node/local/card_claims.h): it writes the
// cards that it serves to a file that all may read, and holds a lock on it, until the descriptor is
// closed.
Result<platform::Descriptor> TellServedCards(const StateDir& state, std::span<const GpuUuid> cards);

struct OthersPlaces {
  std::string names = kArbiterNames;
  std::string cluster_state = abi::kNodeStateFolder;
};

// A line for each card that tenants of this folder have a share of and another user's arbiter, the
// cluster's, or this user's of another folder hands out as well.
std::vector<std::string> FindOtherArbiters(const StateDir& state, const OthersPlaces& places = {});

}  // namespace warpshare::node
