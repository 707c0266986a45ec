// What a container's tenant folder is for, on the host's side of it, in the file `claim`: the node
// daemon's memory over its own restarts. Made with the devices alone, when the kubelet allocates
// them; the rest comes when the container first starts, and stays.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "result/result.h"

namespace warpshare::node {

struct ContainerClaim {
  std::vector<std::string> device_ids;  // sorted
  std::string pod_uid = {};             // empty: nobody has started yet
  std::string pod_namespace = {};
  std::string pod_name = {};
  std::string assignment = {};  // the whole pod's, as text
  // What the pod had before its memory was lowered, while it uses more than it may have now.
  // Empty: it does not.
  std::string lowered_from = {};
  std::string container = {};

  bool operator==(const ContainerClaim&) const = default;
};

// Replaces what is there, in one step.
Result<void> WriteClaim(const std::string& path, const ContainerClaim& claim);

// kNotFound: the folder is no container's.
Result<ContainerClaim> ReadClaim(const std::string& path);

// What is in the file.
std::string ClaimText(const ContainerClaim& claim);
Result<ContainerClaim> ParseClaim(std::string_view text);

}  // namespace warpshare::node
