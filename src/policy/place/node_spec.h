// A node and its cards, as the cluster's view of it says.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "types/bytes.h"
#include "types/gpu_uuid.h"

namespace warpshare::place {

inline constexpr uint32_t kDefaultSlots = 16;

struct CardSpec {
  GpuUuid uuid = {};
  std::string model = {};
  Bytes memory = {};
  uint32_t slots = kDefaultSlots;  // containers at once, at most 32767
  bool healthy = true;             // false: what is on it stays, nothing new is placed
  int16_t numa_node = -1;          // -1: not known
  uint16_t link_group = 0;  // cards of a node with one number reach each other by NVLink; 0: none
};

struct NodeSpec {
  std::string name = {};
  uint64_t cpu_milli = 0;  // 0: not known, and then not considered
  Bytes memory = {};
  std::vector<CardSpec> cards = {};
};

}  // namespace warpshare::place
