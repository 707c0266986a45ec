// Surveys for tests, made from short words. Nodes have cards of 16 GiB, pods one container, "main".
#pragma once

#include <cstdint>
#include <string>

#include "cluster/inventory/testing/cluster_objects.h"
#include "cluster/report/explanation.h"

namespace warpshare::report {

using cluster::AssignmentText;
using cluster::CardOf;
using cluster::PodWords;

struct NodeWords {
  uint16_t number = 1;  // its name is "n1"
  uint8_t cards = 1;
  std::string model = "T4";
  int slots = 16;
  int plain_cards = 0;
  bool is_ready = true;
  std::string spec = "{}";
  std::string labels = "{}";
};

inline std::string NodeText(const NodeWords& words) {
  json::Writer text;
  text.BeginObject().Key("metadata").BeginObject();
  text.Member("name", "n" + std::to_string(words.number)).Key("labels").Raw(words.labels);
  text.Key("annotations").BeginObject();
  if (words.cards != 0)
    text.Member(abi::kAnnotationCards, cluster::CardsText(words.number, words.cards, words.model));
  text.EndObject().EndObject().Key("spec").Raw(words.spec).Key("status").BeginObject();
  text.Key("allocatable").BeginObject().Member("cpu", "96").Member("memory", "512Gi");
  text.Member(abi::kResourceGpu, std::to_string(words.slots));
  text.Member(abi::kResourceNvidiaGpu, std::to_string(words.plain_cards)).EndObject();
  text.Key("conditions").BeginArray().BeginObject().Member("type", "Ready");
  text.Member("status", words.is_ready ? "True" : "False").EndObject().EndArray();
  return text.EndObject().EndObject().Take();
}

inline void AddNode(Survey& survey, const NodeWords& words) {
  const auto node = json::Document::Parse(NodeText(words));
  survey.AddNode(node->root());
}

inline void AddPod(Survey& survey, const PodWords& words) {
  const auto pod = json::Document::Parse(cluster::PodObject(words));
  survey.AddPod(pod->root());
}

// A pod of that name that holds a part of a card: its uid is its name.
inline void AddHolder(Survey& survey, const std::string& name, uint16_t node, uint8_t card,
                      int gib) {
  AddPod(survey, {.name = name,
                  .uid = name,
                  .memory_gib = gib,
                  .node = "n" + std::to_string(node),
                  .assignment = AssignmentText(node, card, std::to_string(gib) + "GiB"),
                  .phase = "Running"});
}

inline PodStory StoryOf(const PodWords& words) {
  return PodStoryOf(json::Document::Parse(cluster::PodObject(words))->root());
}

inline void SetQuotas(Survey& survey, const std::string& config_map) {
  survey.SetQuotas(json::Document::Parse(config_map)->root());
}

}  // namespace warpshare::report
