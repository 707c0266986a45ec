// The openb trace's files: nodes and pods, with their columns found by name.
#pragma once

#include <string>
#include <vector>

#include "policy/place/node_spec.h"
#include "policy/request/request.h"
#include "result/result.h"

namespace warpshare::bench {

// A pod of the trace. Its part of a card is a part of the card's memory; a thousand is a whole
// card.
struct TracePod {
  request::Request request = {};
  uint64_t milli = 0;  // thousandths of a card, over all of its cards
};

struct PodList {
  std::string trace = {};  // "default" of openb_pod_list_default.csv
  std::vector<TracePod> pods = {};
};

Result<std::vector<place::NodeSpec>> ReadNodes(const std::string& folder);

// Every openb_pod_list_*.csv there, by name.
Result<std::vector<PodList>> ReadPodLists(const std::string& folder);

}  // namespace warpshare::bench
