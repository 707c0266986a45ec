// Kubernetes' own conditions that keep a pod off a node, as far as a look at the two objects shows:
// cordons, taints, node selectors and required node affinity, and the kubelet's count of slots.
// kube-scheduler looks at these, and at more, before it asks warpshare.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cluster/report/node_facts.h"
#include "platform/json/json.h"

namespace warpshare::report {

struct Toleration {
  std::string key = {};  // empty: any
  bool any_value = false;
  std::string value = {};
  std::string effect = {};  // empty: any
};

struct Requirement {
  std::string key = {};
  std::string op = {};  // "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"
  std::vector<std::string> values = {};
  bool is_field = false;  // of the node's metadata.name, not of a label
};

// What the pod says of nodes.
struct NodeWishes {
  request::TextMap selector = {};
  // One of these terms must hold with all of its requirements; none: no wish.
  std::vector<std::vector<Requirement>> affinity = {};
  std::vector<Toleration> tolerations = {};
};

NodeWishes NodeWishesOf(json::View untrusted_pod);

struct Hindrance {
  std::string word = {};      // "cordoned"
  std::string sentence = {};  // for people
  std::string mend = {};      // what ends it; empty: nothing does by itself
};

// None: nothing of this keeps the pod off the node.
std::optional<Hindrance> HindranceOf(const NodeFacts& node, const NodeWishes& wishes);

}  // namespace warpshare::report
