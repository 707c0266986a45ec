// What a pod that asks for cards leaves unsaid, said for it:
//
//   one card, where a container names memory or cores and no number of cards: the kubelet gives
//     devices only for warpshare.io/gpu;
//   as many percent of the cores as of the memory, where the pod's policy is hard or soft;
//   the scheduler, where one is configured and the pod has the cluster's ordinary one;
//   warpshare.io/gpu in place of nvidia.com/gpu, where the pod is adopted (adoption.h);
//   no assignment: that is the scheduler's to write, and a pod that was copied brings a former one.
#pragma once

#include <string>

#include "cluster/webhook/json_patch.h"
#include "policy/request/pod_view.h"

namespace warpshare::webhook {

// Does it name one of warpshare's resources? A request without a limit counts as well: the API
// server will refuse it for that.
bool AsksForCards(const request::ContainerView& container);
bool AsksForCards(const request::PodView& pod);

struct Completed {
  request::PodView pod;  // as it will be stored
  JsonPatch patch;
};

struct Filling {
  std::string scheduler = {};  // "": as the pod has it
  bool adopts = false;         // its plain nvidia.com/gpu
};

// `json` is what `pod` was read from.
Completed FillIn(const json::View& json, request::PodView pod, const Filling& filling);

}  // namespace warpshare::webhook
