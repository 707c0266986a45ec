#include "cluster/webhook/admission.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "cluster/webhook/defaults.h"
#include "pods/host_mounts_json.h"
#include "pods/pod_json.h"
#include "policy/admit/host_mounts.h"
#include "policy/admit/never_works.h"
#include "policy/request/model_match.h"
#include "policy/request/warpshare_names.h"
#include "types/printable.h"

namespace warpshare::webhook {

namespace {

// What the kubelet shows of a static pod, which runs already. It may not be changed.
constexpr char kMirrorAnnotation[] = "kubernetes.io/config.mirror";
constexpr char kPastTheScheduler[] =
    "the pod names its node: warpshare's scheduler does not see it, and the node takes it only if "
    "its cards have room";
constexpr char kAdopted[] =
    "warpshare gives the cards here: the pod asks for warpshare.io/gpu now, in place of "
    "nvidia.com/gpu";
constexpr char kBoundAndPlain[] =
    "the pod names its node and asks for nvidia.com/gpu: warpshare leaves it as it is, and without "
    "NVIDIA's device plugin on that node it starts without a card; leave nodeName out, or ask for "
    "warpshare.io/gpu";

Verdict Refuse(const Error& error, bool is_forbidden = false) {
  return {.is_allowed = false,
          .patch = "",
          .message = "warpshare: " + error.message,
          .is_forbidden = is_forbidden};
}

const char* WarningOf(const request::PodView& pod, bool is_adopted) {
  if (is_adopted) return kAdopted;
  return pod.node_name.empty() ? "" : kPastTheScheduler;
}

// A quota holds pods that our scheduler binds, one after the other. The others come to a node past
// it, and any number of them may do so at once.
std::optional<Error> GoesPastTheQuota(const request::PodView& pod, const Review& review,
                                      const std::string& scheduler) {
  const auto refuse = [&](const std::string& what) {
    return Error{Errc::kInvalid, "quota: namespace " + review.space +
                                     " has a quota of cards, which is enforced when warpshare's "
                                     "scheduler binds a pod: leave " +
                                     what + " out"};
  };
  if (!pod.node_name.empty()) return refuse("nodeName");
  if (!scheduler.empty() && pod.queue.scheduler != scheduler)
    return refuse("schedulerName " + Printable(pod.queue.scheduler, 64));
  return std::nullopt;
}

// Of the cards that the pod may have; nothing while there are none.
Bytes SmallestCard(const admit::Inventory& inventory, const request::CardWishes& wishes) {
  std::optional<Bytes> smallest;
  for (const auto& node : inventory)
    for (const admit::InventoryCard& card : node)
      if (request::AllowsModel(wishes, card.model))
        smallest = std::min(smallest.value_or(card.memory), card.memory);
  return smallest.value_or(Bytes());
}

}  // namespace

Verdict Admission::Judge(const Review& review) const {
  if (!review.is_new_pod) return {};
  request::PodView pod = pods::PodViewOf(review.object);
  if (request::Find(pod.annotations, kMirrorAnnotation) != nullptr) return {};
  const Adoption adoption = AdoptionOf(pod, terms_.nvidia_gpu, cards_.MayHaveNvidiasPlugin());
  if (AsksForCards(pod) || adoption == Adoption::kAdopted)
    return JudgeGpuPod(review, std::move(pod), adoption);
  return {.message = adoption == Adoption::kBound ? kBoundAndPlain : ""};
}

Verdict Admission::JudgeGpuPod(const Review& review, request::PodView pod,
                               Adoption adoption) const {
  const bool is_adopted = adoption == Adoption::kAdopted;
  const auto [completed, patch] =
      FillIn(review.object, std::move(pod), {.scheduler = terms_.scheduler, .adopts = is_adopted});
  const auto request = request::ParseWarpshareNames(completed);
  if (!request) return Refuse(request.error());
  const admit::Inventory& inventory = cards_.Inventory();
  if (const auto error = admit::NeverWorks(completed, *request, inventory)) return Refuse(*error);
  if (request::WantsCards(*request))
    if (const auto error = admit::WritesToOurFolders(pods::HostMountsOf(review.object)))
      return Refuse(*error);
  // The namespace of a new pod is the question's; the pod itself need not name it.
  const auto wanted = admit::AmountOf(*request, SmallestCard(inventory, request->wishes));
  if (const auto error = quotas_.Check(review.space, wanted))
    return Refuse(*error, /*is_forbidden=*/true);
  if (quotas_.Limits(review.space))
    if (const auto error = GoesPastTheQuota(completed, review, terms_.scheduler))
      return Refuse(*error);
  return {.is_allowed = true,
          .patch = patch.empty() ? "" : patch.Text(),
          .message = WarningOf(completed, is_adopted),
          .is_forbidden = false,
          .is_adopted = is_adopted};
}

}  // namespace warpshare::webhook
