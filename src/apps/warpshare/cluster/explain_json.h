// What `warpshare explain -o json` prints; docs/inspect.md has the fields.
#pragma once

#include <string>

#include "cluster/report/explanation.h"

namespace warpshare::app {

// `why` for a pod that waits and `whereabouts` for one that is on a node; else none of them.
struct Explained {
  const report::PodStory& pod;
  const report::WhyWaiting* why = nullptr;
  const report::Whereabouts* whereabouts = nullptr;
  std::string quota_gap = {};
};
std::string ExplanationJson(const Explained& explained);

}  // namespace warpshare::app
