#include "cluster/report/pod_facts.h"

#include <algorithm>
#include <utility>

#include "abi/names/annotations.h"
#include "abi/names/resources.h"
#include "cluster/inventory/bound_pod.h"
#include "policy/request/quantity.h"
#include "policy/request/warpshare_names.h"

namespace warpshare::report {

namespace {

using request::ContainerKind;

constexpr const char* kResources[] = {abi::kResourceGpu, abi::kResourceGpuMemory,
                                      abi::kResourceGpuMemoryPercent, abi::kResourceGpuCores,
                                      abi::kResourceNvidiaGpu};

uint64_t AmountOf(const request::ContainerView& container, const char* resource) {
  const std::string* text = request::Find(container.limits, resource);
  if (text == nullptr) text = request::Find(container.requests, resource);
  return text == nullptr ? 0 : request::QuantityInUnits(*text).value_or(0);
}

void ReadAssignment(const request::PodView& pod, PodFacts& facts) {
  facts.is_plain = facts.plain_cards != 0 && request::IsForNvidiasPlugin(pod);
  if (facts.is_plain) return;
  const std::string* text = request::Find(pod.annotations, abi::kAnnotationAssignment);
  if (text != nullptr) {
    if (auto assignment = request::DecodeAssignment(*text))
      facts.assignment = std::move(*assignment);
  }
  auto bound = cluster::ReadBoundPod(pod, facts.request);
  if (bound)
    facts.hold = std::move(bound->hold);
  else
    facts.problem = bound.error().message;
}

}  // namespace

bool AsksForCards(const request::PodView& pod) {
  return std::ranges::any_of(pod.containers, [](const request::ContainerView& container) {
    return std::ranges::any_of(kResources, [&](const char* resource) {
      return container.limits.contains(resource) || container.requests.contains(resource);
    });
  });
}

PodFacts PodFactsOf(const request::PodView& pod, std::string_view phase) {
  PodFacts facts{.space = pod.namespace_name,
                 .name = pod.name,
                 .uid = pod.uid,
                 .node = pod.node_name,
                 .phase = std::string(phase),
                 .slots = PeakOf(pod, abi::kResourceGpu),
                 .plain_cards = PeakOf(pod, abi::kResourceNvidiaGpu)};
  auto request = request::ParseWarpshareNames(pod);
  if (!request) {
    facts.problem = request.error().message;
    return facts;
  }
  facts.request = std::move(*request);
  if (!facts.node.empty()) ReadAssignment(pod, facts);
  return facts;
}

uint64_t PeakOf(const request::PodView& pod, const char* resource) {
  uint64_t running = 0;
  uint64_t sidecars = 0;
  uint64_t init = 0;
  for (const request::ContainerView& container : pod.containers) {
    const uint64_t amount = AmountOf(container, resource);
    if (container.kind == ContainerKind::kInit) {
      init = std::max(init, sidecars + amount);
      continue;
    }
    if (container.kind == ContainerKind::kSidecar) sidecars += amount;
    running += amount;
  }
  return std::max(running, init);
}

}  // namespace warpshare::report
