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

struct PodView {
  std::string namespace_name = {};
  std::string name = {};
  std::string uid = {};
  std::string node_name = {};  // empty: not bound
  TextMap labels = {};
  TextMap annotations = {};
  std::vector<ContainerView> containers = {};  // init containers first, in the pod's order
};

// The text under `key`, or nullptr.
inline const std::string* Find(const TextMap& map, std::string_view key) {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : &found->second;
}

}  // namespace warpshare::request
