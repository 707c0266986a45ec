#include "node/device_plugin/clashes.h"

#include <algorithm>

#include "node/device_plugin/holders.h"
#include "platform/log_file/log_words.h"

namespace warpshare::node {

namespace {

bool Has(const request::Assignment& assignment, const GpuUuid& card) {
  return std::ranges::any_of(assignment.containers, [&](const request::ContainerGrant& container) {
    return std::ranges::find(container.cards, card, &request::CardGrant::uuid) !=
           container.cards.end();
  });
}

}  // namespace

void Clashes::Look() {
  const std::vector<TakenCard> taken = ports_.taken.Now();
  if (taken.empty()) return told_.clear();
  if (ports_.source.changes() == 0) return;
  const auto pods = ports_.source.Pods();
  if (!pods) return;
  std::set<Clash> now;
  for (const Holder& holder : HoldersOf(*pods, ContainerTenants(state_)))
    for (const TakenCard& card : taken)
      if (!holder.is_gone && Has(holder.assignment, card.uuid))
        now.emplace(holder.pod_uid, card.uuid);
  for (const auto& [uid, card] : now) {
    if (told_.contains({uid, card})) continue;
    const auto pod = std::ranges::find_if(
        *pods, [&](const PodOnNode& each) { return each.request.pod_uid == uid; });
    if (pod != pods->end()) Tell(*pod, card);
  }
  told_ = std::move(now);
}

void Clashes::Tell(const PodOnNode& pod, const GpuUuid& card) {
  const std::string message =
      ports_.taken.WhoHas(card) +
      ", too, which is held to nothing: delete one of the two pods, and keep the two plugins on "
      "nodes of their own";
  ports_.log.Line(platform::LogText(
      "card-taken",
      {{"pod", pod.request.namespace_name + "/" + pod.request.pod_name}, {"reason", message}}));
  ports_.voice.Warn(pod, "CardTaken", message);
}

}  // namespace warpshare::node
