// The few fields of a pod that a request can be read from, as text, just as the API server gives
// them. Filled from JSON by whoever speaks to it; untrusted.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "policy/request/request.h"

namespace warpshare::request {

using TextMap = std::map<std::string, std::string, std::less<>>;

struct ContainerView {
  std::string name = {};
  ContainerKind kind = ContainerKind::kOrdinary;
  TextMap limits = {};    // resource name -> quantity
  TextMap requests = {};  // the API server fills these from `limits` where they are absent
  bool privileged = false;
};

// Of a pod on no node: what kube-scheduler's queue makes of it.
struct QueueView {
  std::string scheduler = {};
  std::string nominated_node = {};  // where it is expected to go; empty: nobody has said so
  bool is_gated = false;            // scheduling gates: nobody may look at it
  bool is_untried = false;          // it may be looked at, and was not yet
  // The same for pods that may go to the same nodes, by all that their spec says but for amounts;
  // 0: that depends on more than the spec.
  uint64_t kind = 0;
};

struct PodView {
  std::string namespace_name = {};
  std::string name = {};
  std::string uid = {};
  std::string version = {};    // of the object: who writes it back overwrites no other change
  std::string node_name = {};  // empty: not bound
  int32_t priority = 0;        // of its PriorityClass, as the API server resolved it
  int64_t created_s = 0;       // since 1970, by the API server's clock; 0: not known
  TextMap labels = {};
  TextMap annotations = {};
  std::vector<ContainerView> containers = {};  // init containers first, in the pod's order
  bool is_running = false;                     // some container of it is, by the kubelet's word
  bool is_leaving = false;                     // somebody has deleted it, and it is not gone yet
  QueueView queue = {};
};

// The text under `key`, or nullptr.
inline const std::string* Find(const TextMap& map, std::string_view key) {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : &found->second;
}

}  // namespace warpshare::request
