// What is worth a line of the log of what cards lose at each handover: a card for which turns
// become longer than usual for it, much longer or shorter than was said last, or as short as usual
// again.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "types/gpu_uuid.h"

namespace warpshare::node {

class HandoverNews {
 public:
  // Lines, by now.
  std::vector<std::string> Of(const std::map<GpuUuid, uint64_t>& handovers_ns);

 private:
  std::map<GpuUuid, uint64_t> said_ns_;
};

}  // namespace warpshare::node
