// Pods on nodes that ask for other amounts of their cards than they were given: the user changed an
// annotation (policy/request/resize.h), or somebody edited the assignment. What they were given
// counts until what they ask for is written (cluster/service/resizer.h).
//
// Threads: those of the view, whose part this is.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "cluster/inventory/bound_pod.h"
#include "policy/request/warpshare_names.h"

namespace warpshare::cluster {

struct Resize {
  std::string space = {};
  std::string name = {};
  std::string version = {};            // of the pod's object as it was read
  place::PodHold from = {};            // what it has
  place::PodHold to = {};              // what it asks for, on the same cards
  std::string text = {};               // of the assignment that says so
  std::optional<Error> bad_wish = {};  // an annotation makes no sense: nothing can be done
  bool is_on_its_way = false;          // it was written, or may have been; both count
};

class ResizeList {
 public:
  using ByUid = std::unordered_map<std::string, Resize>;

  // Reads what a pod has and asks for; takes it off the list where these are the same.
  void Note(const request::PodView& pod, const request::StandingRequest& standing,
            const BoundPod& bound, const place::Ledger& ledger);
  void Forget(const std::string& uid) { by_uid_.erase(uid); }

  // What is on its way counts still, and the pod shows what it was before.
  bool IsOnItsWay(const std::string& uid, const place::PodHold& shown) const;
  void SetOnItsWay(const std::string& uid, bool is_on_its_way);

  const ByUid& by_uid() const { return by_uid_; }
  const Resize* Find(const std::string& uid) const;

 private:
  ByUid by_uid_;
};

}  // namespace warpshare::cluster
