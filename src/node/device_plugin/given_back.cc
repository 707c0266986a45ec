#include "node/device_plugin/given_back.h"

#include <algorithm>

#include "abi/names/annotations.h"
#include "policy/request/warpshare_names.h"

namespace warpshare::node {

namespace {

constexpr int64_t kMiB = 1 << 20;

int64_t MiBOf(Bytes bytes) { return static_cast<int64_t>(bytes.count() / kMiB); }

void Add(const request::ContainerRequest& spec, const request::ContainerGrant& given,
         GivenBack& sum) {
  if (spec.whole || given.cards.empty()) return;
  const request::CardGrant& card = given.cards.front();
  // A percentage of a card is a resource of its own, which no node announces.
  if (!spec.memory.is_share())
    sum.memory_mib += std::max<int64_t>(MiBOf(spec.memory.On({})) - MiBOf(card.memory), 0);
  sum.core_percent +=
      std::max<int64_t>(int64_t{spec.cores_percent} - int64_t{card.cores_percent}, 0);
}

}  // namespace

GivenBack GivenBackBy(const request::PodView& pod) {
  const std::string* text = request::Find(pod.annotations, abi::kAnnotationAssignment);
  if (text == nullptr) return {};
  const auto assignment = request::DecodeAssignment(*text);
  request::PodView spec = pod;
  spec.annotations.clear();
  const auto asked = request::ParseWarpshareNames(spec);
  if (!assignment || !asked) return {};
  GivenBack sum;
  for (const request::ContainerRequest& container : asked->containers) {
    if (container.kind == request::ContainerKind::kInit) continue;
    if (const request::ContainerGrant* given = assignment->Find(container.name))
      Add(container, *given, sum);
  }
  return sum;
}

}  // namespace warpshare::node
