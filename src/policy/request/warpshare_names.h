// The request of a pod in warpshare's own names (abi/names/resources.h, annotations.h) and in plain
// nvidia.com/gpu, which is a whole card.
//
// A container that asks for memory or cores and names no number of cards wants one card. One that
// names no memory gets all of it; one that names neither memory nor cores has its cards alone.
// Cores make the container hard unless the annotation says soft; without cores it is weighted.
#pragma once

#include "policy/request/pod_view.h"
#include "policy/request/request.h"
#include "result/result.h"

namespace warpshare::request {

// What does not depend on any card: whether a card is large enough is admission's question.
Result<Request> ParseWarpshareNames(const PodView& untrusted_pod);

}  // namespace warpshare::request
