// What `warpshare explain` says.
#pragma once

#include <string>
#include <vector>

#include "cluster/report/explanation.h"

namespace warpshare::app {

// "pod default/train waits: 1 card with 4GiB": the first line, whatever the pod does.
std::string HeadLine(const report::PodStory& pod);

// A pod that no look at the cluster is needed for: it has ended, asks for no cards, or asks for
// something that makes no sense.
std::vector<std::string> SimpleLines(const report::PodStory& pod);

struct WaitingView {
  bool is_wide = false;        // every node of each reason
  std::string quota_gap = {};  // why the quotas are not known
};
std::vector<std::string> WaitingLines(const report::PodStory& pod, const report::WhyWaiting& why,
                                      const WaitingView& view);

std::vector<std::string> PlacedLines(const report::PodStory& pod,
                                     const report::Whereabouts& whereabouts);

}  // namespace warpshare::app
