#include "cluster/inventory/resize_list.h"

#include <utility>

#include "policy/place/grant.h"

namespace warpshare::cluster {

void ResizeList::Note(const request::PodView& pod, const request::StandingRequest& standing,
                      const BoundPod& bound, const place::Ledger& ledger) {
  const auto wanted = place::Renewed(standing.request, bound.assignment, ledger);
  const bool is_settled = !wanted || *wanted == bound.assignment;
  if (is_settled && !standing.bad_wish) return Forget(pod.uid);
  Resize resize{.space = pod.namespace_name,
                .name = pod.name,
                .version = pod.version,
                .from = bound.hold,
                .to = bound.hold,
                .text = {},
                .bad_wish = standing.bad_wish};
  if (!standing.bad_wish) {
    resize.to = place::HoldOf(standing.request, *wanted);
    resize.text = request::Encode(*wanted);
  }
  resize.is_on_its_way = IsOnItsWay(pod.uid, bound.hold);
  by_uid_.insert_or_assign(pod.uid, std::move(resize));
}

bool ResizeList::IsOnItsWay(const std::string& uid, const place::PodHold& shown) const {
  const Resize* resize = Find(uid);
  return resize != nullptr && resize->is_on_its_way && resize->from == shown;
}

void ResizeList::SetOnItsWay(const std::string& uid, bool is_on_its_way) {
  if (const auto found = by_uid_.find(uid); found != by_uid_.end())
    found->second.is_on_its_way = is_on_its_way;
}

const Resize* ResizeList::Find(const std::string& uid) const {
  const auto found = by_uid_.find(uid);
  return found == by_uid_.end() ? nullptr : &found->second;
}

}  // namespace warpshare::cluster
