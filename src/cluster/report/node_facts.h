// What a person wants to know of a Node object: its cards, and what else decides whether pods may
// go there. Untrusted, as all of the API server's objects.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cluster/inventory/node_view.h"
#include "policy/request/pod_view.h"

namespace warpshare::report {

struct Taint {
  std::string key = {};
  std::string value = {};
  std::string effect = {};

  std::string Text() const;  // "key=value:effect", as kubectl writes it
};

struct NodeFacts {
  cluster::NodeView view = {};
  std::vector<place::CardSpec> cards = {};
  std::string problem = {};  // why its cards cannot be read; empty: they can
  bool is_ready = false;
  bool is_cordoned = false;
  std::vector<Taint> taints = {};  // that keep pods away: NoSchedule and NoExecute
  request::TextMap labels = {};
  uint64_t slots = 0;        // allocatable warpshare.io/gpu
  uint64_t plain_cards = 0;  // allocatable nvidia.com/gpu: NVIDIA's own device plugin is there

  const std::string& name() const { return view.name; }
};

NodeFacts NodeFactsOf(json::View untrusted_node);

}  // namespace warpshare::report
