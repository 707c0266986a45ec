// Why a pod is where it is, or nowhere: all that `warpshare explain` says, as data. Points into
// the survey, which outlives it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cluster/report/way_out.h"

namespace warpshare::report {

// What the Pod object itself says, whatever the cluster looks like.
struct PodStory {
  PodFacts facts = {};
  NodeWishes wishes = {};
  bool asks_for_cards = false;
  bool has_ended = false;
  bool is_going = false;  // it was deleted, and has not ended
  bool is_gated = false;  // scheduling gates: no scheduler may look at it
  std::string scheduler = {};
  std::string scheduler_says = {};  // of its last try; empty: there was none yet
  struct Container {
    std::string name = {};
    std::string state = {};  // "running", "waiting: CreateContainerError: ..."
    uint64_t restarts = 0;
    bool is_stuck = false;  // it waits for more than its start
  };
  std::vector<Container> containers = {};
};

PodStory PodStoryOf(json::View untrusted_pod);

// Nodes that refuse the pod for one reason.
struct RefusalGroup {
  Refusal refusal = {};
  std::vector<const NodeFacts*> nodes = {};
};

// A node that has most of what the pod wants.
struct NearNode {
  const NodeFacts* node = nullptr;
  Refusal refusal = {};
  CardAnswers answers = {};
};

struct WhyWaiting {
  std::optional<Error> quota = {};  // the namespace's quota says no
  bool is_quota_known = false;
  size_t fitting = 0;                       // nodes that would take it now
  const NodeFacts* best = nullptr;          // of these; where the scheduler would put it
  std::vector<RefusalGroup> refusals = {};  // the most nodes first
  std::vector<NearNode> nearest = {};
  std::vector<Departure> departures = {};
  std::vector<Offer> offers = {};
  // Nodes that have room but for one of Kubernetes' conditions, and what would end it.
  std::vector<NodeAnswer> barred = {};
};

inline constexpr size_t kNearNodes = 3;

WhyWaiting ExplainWaiting(Survey& survey, const PodStory& pod);

// A pod that is on a node.
struct Whereabouts {
  struct Part {
    std::string container = {};
    std::optional<uint32_t> index = {};  // among the node's cards; none: no such card there
    const place::CardSpec* spec = nullptr;
    request::CardGrant grant = {};
  };
  std::vector<Part> parts = {};
  std::vector<std::string> problems = {};  // where node and API disagree; empty: they agree
};

Whereabouts ExplainPlaced(const Survey& survey, const PodStory& pod);

}  // namespace warpshare::report
