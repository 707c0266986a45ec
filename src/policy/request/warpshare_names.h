// The request of a pod in warpshare's own names (abi/names/resources.h, annotations.h) and in plain
// nvidia.com/gpu, which is a whole card.
//
// A container that asks for memory or cores and names no number of cards wants one card. One that
// names no memory gets all of it; one that names neither memory nor cores has its cards alone.
// Cores make the container hard unless the annotation says soft; without cores it is weighted.
#pragma once

#include <optional>

#include "policy/request/pod_view.h"
#include "policy/request/request.h"
#include "result/result.h"

namespace warpshare::request {

// Does it ask for nvidia.com/gpu and nothing of ours? Nobody asks warpshare about such a pod:
// kube-scheduler places it, and NVIDIA's device plugin gives it cards of its own choice, on the
// nodes where that runs. Whatever assignment it carries, we did not give it: where plain cards are
// ours the webhook has made them so in the spec.
bool IsForNvidiasPlugin(const PodView& untrusted_pod);

// What warpshare is to make of such a pod: it needs processors and memory of a node.
PodView WithoutNvidiasCards(PodView pod);

// What does not depend on any card: whether a card is large enough is admission's question. The
// annotations are the user's to change, so that this is what the pod is to have now.
Result<Request> ParseWarpshareNames(const PodView& untrusted_pod);

// Of a pod that was placed already: an annotation that makes no sense by now changes nothing of
// what it has.
struct StandingRequest {
  Request request;  // by the spec alone, if `bad_wish`
  std::optional<Error> bad_wish = {};
};
Result<StandingRequest> ParseOfPlacedPod(const PodView& untrusted_pod);

}  // namespace warpshare::request
