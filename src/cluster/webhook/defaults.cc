#include "cluster/webhook/defaults.h"

#include <algorithm>
#include <utility>

#include "abi/names/annotations.h"
#include "abi/names/resources.h"
#include "cluster/webhook/adoption.h"
#include "policy/request/compute_words.h"

namespace warpshare::webhook {

namespace {

using request::ContainerView;
using request::PodView;

constexpr char kOrdinaryScheduler[] = "default-scheduler";

// What a container names of it; nullptr: nothing.
const std::string* Named(const ContainerView& container, const char* resource) {
  const std::string* text = request::Find(container.limits, resource);
  return text != nullptr ? text : request::Find(container.requests, resource);
}

// Does the pod's policy promise a percentage of the cores?
bool NeedsCores(const PodView& pod) {
  const std::string* text = request::Find(pod.annotations, abi::kAnnotationComputePolicy);
  const auto mode = text == nullptr ? std::nullopt : request::ParseMode(*text);
  return mode && share::IsGuaranteed({.mode = *mode});
}

// One container of the pod, in its view and in the patch.
class Filler {
 public:
  Filler(ContainerView& container, JsonPath place, JsonPatch& patch)
      : container_(container), place_(std::move(place)), patch_(patch) {}

  void OwnCardsForPlain() {
    const std::string* plain = PlainCards(container_);
    if (plain == nullptr) return;
    const std::string cards = *plain;
    for (const auto& [map, texts] :
         {std::pair{"limits", &container_.limits}, std::pair{"requests", &container_.requests}})
      if (texts->erase(abi::kResourceNvidiaGpu) != 0)
        patch_.Remove(PathOf(map, abi::kResourceNvidiaGpu));
    Add(abi::kResourceGpu, cards);
  }

  void OneCard() {
    if (Named(container_, abi::kResourceGpu) == nullptr) Add(abi::kResourceGpu, "1");
  }

  void CoresLikeMemory() {
    const std::string* percent = Named(container_, abi::kResourceGpuMemoryPercent);
    if (percent == nullptr || Named(container_, abi::kResourceGpuCores) != nullptr) return;
    Add(abi::kResourceGpuCores, std::string(*percent));
  }

 private:
  // To both, since they may not differ and the API server may have filled in requests already.
  void Add(const char* resource, const std::string& quantity) {
    container_.limits[resource] = quantity;
    container_.requests[resource] = quantity;
    for (const char* map : {"limits", "requests"}) patch_.Put(PathOf(map, resource), quantity);
  }

  JsonPath PathOf(const char* map, const char* resource) const {
    JsonPath path = place_;
    path.insert(path.end(), {"resources", map, resource});
    return path;
  }

  ContainerView& container_;
  const JsonPath place_;
  JsonPatch& patch_;
};

void FillInContainers(const json::View& json, PodView& pod, bool adopts, JsonPatch& patch) {
  const size_t init_containers = json["spec"]["initContainers"].size();
  const bool needs_cores = NeedsCores(pod);
  for (size_t i = 0; i < pod.containers.size(); ++i) {
    const bool is_init = i < init_containers;
    Filler filler(pod.containers[i],
                  {"spec", is_init ? "initContainers" : "containers",
                   std::to_string(is_init ? i : i - init_containers)},
                  patch);
    if (adopts) filler.OwnCardsForPlain();
    if (!AsksForCards(pod.containers[i])) continue;
    filler.OneCard();
    if (needs_cores) filler.CoresLikeMemory();
  }
}

bool HasOrdinaryScheduler(const json::View& json) {
  const std::string_view name = json["spec"]["schedulerName"].StringOr("");
  return name.empty() || name == kOrdinaryScheduler;
}

}  // namespace

bool AsksForCards(const ContainerView& container) {
  const auto names = {abi::kResourceGpu, abi::kResourceGpuMemory, abi::kResourceGpuMemoryPercent,
                      abi::kResourceGpuCores};
  return std::any_of(names.begin(), names.end(),
                     [&](const char* name) { return Named(container, name) != nullptr; });
}

bool AsksForCards(const PodView& pod) {
  return std::any_of(pod.containers.begin(), pod.containers.end(),
                     [](const ContainerView& container) { return AsksForCards(container); });
}

Completed FillIn(const json::View& json, PodView pod, const Filling& filling) {
  JsonPatch patch(json);
  FillInContainers(json, pod, filling.adopts, patch);
  if (!filling.scheduler.empty() && pod.node_name.empty() && HasOrdinaryScheduler(json)) {
    patch.Put({"spec", "schedulerName"}, filling.scheduler);
    pod.queue.scheduler = filling.scheduler;
  }
  if (pod.annotations.erase(abi::kAnnotationAssignment) != 0)
    patch.Remove({"metadata", "annotations", abi::kAnnotationAssignment});
  return {.pod = std::move(pod), .patch = std::move(patch)};
}

}  // namespace warpshare::webhook
