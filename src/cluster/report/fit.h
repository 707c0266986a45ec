// Where a waiting pod could go, and what keeps it off every other node: warpshare's own verdicts,
// by the code that the scheduler runs, beside Kubernetes' conditions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cluster/report/node_rules.h"
#include "cluster/report/survey.h"
#include "policy/place/filter.h"

namespace warpshare::report {

struct Refusal {
  std::string word = {};      // "no_memory", as in metrics; empty: the pod fits
  std::string sentence = {};  // for people
  std::string mend = {};      // may be empty
  bool never = false;         // not even on the empty node
  bool is_rule = false;       // Kubernetes' own; warpshare has room there
};

struct NodeAnswer {
  const NodeFacts* node = nullptr;
  place::NodeId id = 0;
  Refusal refusal = {};

  bool fits() const { return refusal.word.empty(); }
};

// One for each node of the survey, in its order. What can never be comes first of a node's
// refusals, then Kubernetes' conditions, then what is lacking now.
std::vector<NodeAnswer> JudgeNodes(const Survey& survey, const PodFacts& pod,
                                   const NodeWishes& wishes);

// What is missing of a card for one container.
struct CardAnswer {
  uint32_t index = 0;
  const place::CardSpec* spec = nullptr;
  place::Reason reason = place::Reason::kNone;
  Bytes free_memory = {};
  Bytes wanted_memory = {};
  uint32_t free_cores = 0;  // percent, as much as a container may have
  uint32_t wanted_cores = 0;
  uint32_t tenants = 0;

  Bytes missing_memory() const;
  uint32_t missing_cores() const;
};

struct CardAnswers {
  std::string container = {};  // the one that finds no place by itself, or the first
  uint32_t wanted_cards = 0;
  std::vector<CardAnswer> cards = {};
};

CardAnswers JudgeCards(const Survey& survey, const PodFacts& pod, const NodeAnswer& answer);

// How far the node is from having room, in cards: 0 where nothing is missing. For a node with
// cards that the pod may have.
double DistanceOf(const CardAnswers& answers);

}  // namespace warpshare::report
