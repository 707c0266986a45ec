// What a cluster's cards could do at most, when nobody is on them.
#pragma once

#include <string>
#include <vector>

#include "types/bytes.h"

namespace warpshare::admit {

struct InventoryCard {
  std::string model = {};
  Bytes memory = {};
};

// The cards of each node; of several nodes with the same cards one is enough.
using Inventory = std::vector<std::vector<InventoryCard>>;

}  // namespace warpshare::admit
