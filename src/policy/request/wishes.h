// What a pod's annotations wish for: how its containers share a card's time, and which cards.
#pragma once

#include <optional>

#include "policy/request/pod_view.h"
#include "policy/request/request.h"
#include "result/result.h"

namespace warpshare::request {

// As the annotations have it; whether a container's mode goes with its cores is the parser's to
// see.
struct ComputeWish {
  std::optional<share::Mode> mode;
  uint32_t weight = 1;
  share::Priority priority = share::Priority::kLow;
};

Result<ComputeWish> ReadComputeWish(const TextMap& untrusted_annotations);

Result<CardWishes> ReadCardWishes(const TextMap& untrusted_annotations);

}  // namespace warpshare::request
