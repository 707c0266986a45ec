// What the scheduler wants to know of a Node object, as it stands there. Untrusted: the cards are
// the text of an annotation.
#pragma once

#include <cstdint>
#include <string>

#include "platform/json/json.h"
#include "policy/place/node_spec.h"
#include "result/result.h"

namespace warpshare::cluster {

struct NodeView {
  std::string name = {};
  std::string untrusted_cards = {};      // empty: there is no annotation
  std::string untrusted_lingering = {};  // the same; departed.h
  std::string untrusted_taken = {};      // the same; taken.h
  uint64_t cpu_milli = 0;                // allocatable; 0: not known
  Bytes memory = {};
  bool has_nvidias_plugin = false;  // NVIDIA's own device plugin gives nvidia.com/gpu there

  bool operator==(const NodeView&) const = default;
};

NodeView NodeViewOf(json::View untrusted_node);

Result<place::NodeSpec> SpecOf(const NodeView& node);

}  // namespace warpshare::cluster
