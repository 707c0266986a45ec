// Other limits than a pod's spec says, in the annotation warpshare.io/resize. A spec cannot be
// changed once the pod is there, this can, also while it runs:
//
//   memory=6GiB,cores=50               every container that has a part of a card
//   main:memory=6GiB;side:cores=10     these containers
//
// Memory is bytes with a unit, or a percentage, of each card; cores are percent, 0 for none of its
// own. What is not named stays as the spec has it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policy/request/pod_view.h"
#include "policy/request/request.h"
#include "result/result.h"

namespace warpshare::request {

struct Resize {
  std::string container = {};  // empty: every one that has a part of a card
  std::optional<MemoryAmount> memory = {};
  std::optional<uint32_t> cores = {};

  bool operator==(const Resize&) const = default;
};

// Empty where there is no annotation. No container is named twice.
Result<std::vector<Resize>> ReadResizes(const TextMap& untrusted_annotations);

// What counts for the container: its own words over those for all.
Resize ResizeOf(const std::vector<Resize>& resizes, std::string_view container);

// The first that names a container which has no part of a card, in words, or nothing.
std::optional<std::string> MisfitOf(const std::vector<Resize>& resizes,
                                    const std::vector<ContainerRequest>& containers);

}  // namespace warpshare::request
