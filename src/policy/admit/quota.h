// A namespace's quota: how much of the cluster's cards its pods may have together, in all and of
// each model. Pure arithmetic; who keeps the sums is the caller's business.
//
// Everything counts for each card of a container: two cards of 4 GiB are 8 GiB. Containers that run
// one after the other count as the pod's peak of each amount.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "policy/request/assignment.h"
#include "policy/request/request.h"
#include "result/error.h"

namespace warpshare::admit {

struct Amount {
  uint64_t cards = 0;  // places on cards, shared or whole
  Bytes memory = {};
  uint64_t cores_percent = 0;

  bool operator==(const Amount&) const = default;
};

Amount Sum(const Amount& a, const Amount& b);         // stops at the largest number
Amount Difference(const Amount& a, const Amount& b);  // stops at 0

// In all under the empty name, and by model.
using AmountByModel = std::map<std::string, Amount, std::less<>>;

AmountByModel Sum(const AmountByModel& a, const AmountByModel& b);
AmountByModel Difference(const AmountByModel& a, const AmountByModel& b);

// Does any sum stand at the largest number, and so no longer say what is in it?
bool IsFull(const AmountByModel& sums);

// None: no limit.
struct Limit {
  std::optional<uint64_t> cards = {};
  std::optional<Bytes> memory = {};
  std::optional<uint64_t> cores_percent = {};
};
using LimitByModel = std::map<std::string, Limit, std::less<>>;

// What a pod will have at least: a percentage of memory counts as that of the smallest card. It
// counts for a model only where the pod names a single one. What it has in the end is its
// assignment's to say.
AmountByModel AmountOf(const request::Request& request, Bytes smallest_card);

// What a pod was given; `model_of` has the model of each of its cards.
using ModelOfCard = std::map<GpuUuid, std::string>;
AmountByModel AmountOf(const request::Request& request, const request::Assignment& assignment,
                       const ModelOfCard& model_of);

// None: it may have it. Else which limit it would pass, and by how much.
std::optional<Error> Exceeds(const LimitByModel& limits, const AmountByModel& used,
                             const AmountByModel& wanted);

}  // namespace warpshare::admit
