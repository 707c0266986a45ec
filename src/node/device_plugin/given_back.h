// What a pod's spec asks for beyond what the pod was given since. The kubelet counts specs against
// the capacity that the node announces, and fails pods that go beyond it; so what was given back is
// announced on top, or nobody could have it.
#pragma once

#include <cstdint>

#include "policy/request/assignment.h"
#include "policy/request/pod_view.h"

namespace warpshare::node {

// As the kubelet counts: MiB of one card for each container, and percent.
struct GivenBack {
  int64_t memory_mib = 0;
  int64_t core_percent = 0;

  bool operator==(const GivenBack&) const = default;
};

// Nothing where the pod has no assignment that can be read.
GivenBack GivenBackBy(const request::PodView& untrusted_pod);

}  // namespace warpshare::node
