#include "cluster/webhook/adoption.h"

#include <algorithm>
#include <cstdint>

#include "abi/names/resources.h"
#include "cluster/webhook/defaults.h"
#include "policy/request/quantity.h"

namespace warpshare::webhook {

namespace {

bool HasPlainCards(const request::PodView& pod) {
  return std::ranges::any_of(pod.containers, [](const request::ContainerView& container) {
    return PlainCards(container) != nullptr;
  });
}

// Of what the API server takes for a number of devices.
std::optional<uint64_t> WholeNumber(const std::string& text) {
  const auto thousandths = request::QuantityInMilli(text);
  if (!thousandths || *thousandths % 1'000 != 0) return std::nullopt;
  return *thousandths / 1'000;
}

}  // namespace

std::optional<NvidiaGpu> ParseNvidiaGpu(std::string_view text) {
  if (text == "auto") return NvidiaGpu::kAuto;
  if (text == "adopt") return NvidiaGpu::kAdopt;
  if (text == "leave") return NvidiaGpu::kLeave;
  return std::nullopt;
}

const std::string* PlainCards(const request::ContainerView& container) {
  const std::string* limit = request::Find(container.limits, abi::kResourceNvidiaGpu);
  if (limit == nullptr || AsksForCards(container)) return nullptr;
  const auto cards = WholeNumber(*limit);
  if (cards.value_or(0) == 0) return nullptr;
  const std::string* wanted = request::Find(container.requests, abi::kResourceNvidiaGpu);
  return wanted == nullptr || WholeNumber(*wanted) == cards ? limit : nullptr;
}

Adoption AdoptionOf(const request::PodView& pod, NvidiaGpu mode, bool may_have_plugin) {
  if (mode == NvidiaGpu::kLeave || !HasPlainCards(pod)) return Adoption::kNone;
  if (mode == NvidiaGpu::kAuto && may_have_plugin && !AsksForCards(pod)) return Adoption::kNone;
  return pod.node_name.empty() ? Adoption::kAdopted : Adoption::kBound;
}

}  // namespace warpshare::webhook
