// Node and Pod objects for tests, as the API server has them, by short numbers.
#pragma once

#include <string>
#include <string_view>

#include "abi/names/annotations.h"
#include "abi/names/resources.h"
#include "platform/json/writer.h"
#include "policy/node_cards/node_cards.h"

namespace warpshare::cluster {

inline GpuUuid CardOf(uint16_t node, uint8_t card) {
  std::array<uint8_t, 16> bytes = {};
  bytes[0] = static_cast<uint8_t>(node >> 8);
  bytes[1] = static_cast<uint8_t>(node);
  bytes[15] = card;
  return GpuUuid(bytes);
}

inline std::string CardsText(uint16_t node, uint8_t count, const std::string& model = "T4") {
  std::vector<place::CardSpec> cards;
  for (uint8_t card = 0; card < count; ++card)
    cards.push_back({.uuid = CardOf(node, card), .model = model, .memory = 16_GiB});
  return node_cards::Encode(cards);
}

// "n1" with cards of 16 GiB. With `lingering` its daemon tells of pods that are gone.
inline std::string NodeObject(uint16_t number, const std::string& cards_text,
                              const std::string& lingering = "") {
  json::Writer text;
  text.BeginObject().Member("apiVersion", "v1").Member("kind", "Node");
  text.Key("metadata").BeginObject().Member("name", "n" + std::to_string(number));
  text.Key("annotations").BeginObject().Member(abi::kAnnotationCards, cards_text);
  if (!lingering.empty()) text.Member(abi::kAnnotationLingering, lingering);
  text.EndObject().EndObject().Key("status").BeginObject().Key("allocatable").BeginObject();
  text.Member("cpu", "96").Member("memory", "512Gi").EndObject().EndObject().EndObject();
  return text.Take();
}

struct PodWords {
  std::string name = "p";
  std::string uid = "";  // the fake API server gives its own
  int cards = 1;         // 0: it asks for none
  int memory_gib = 4;    // 0: whole cards
  int cores = 0;
  std::string node = "";
  std::string assignment = "";
  std::string use_model = "";
  std::string phase = "Pending";
  int priority = 0;
  bool is_running = false;  // its container, by the kubelet's word
  bool is_leaving = false;
  std::string nominated = "";
};

inline void WriteLimits(json::Writer& text, const PodWords& words) {
  if (words.cards != 0) text.Member(abi::kResourceGpu, std::to_string(words.cards));
  if (words.cards != 0 && words.memory_gib != 0)
    text.Member(abi::kResourceGpuMemory, std::to_string(words.memory_gib * 1024));
  if (words.cores != 0) text.Member(abi::kResourceGpuCores, std::to_string(words.cores));
}

// In the namespace "default", with one container, "main".
inline std::string PodObject(const PodWords& words) {
  json::Writer text;
  text.BeginObject().Member("apiVersion", "v1").Member("kind", "Pod");
  text.Key("metadata").BeginObject().Member("name", words.name).Member("namespace", "default");
  if (!words.uid.empty()) text.Member("uid", words.uid);
  if (words.is_leaving) text.Member("deletionTimestamp", "2026-01-01T00:00:00Z");
  text.Key("annotations").BeginObject();
  if (!words.assignment.empty()) text.Member(abi::kAnnotationAssignment, words.assignment);
  if (!words.use_model.empty()) text.Member(abi::kAnnotationUseModel, words.use_model);
  text.EndObject().EndObject().Key("spec").BeginObject();
  if (!words.node.empty()) text.Member("nodeName", words.node);
  if (words.priority != 0) text.Member("priority", words.priority);
  text.Key("containers").BeginArray().BeginObject().Member("name", "main");
  text.Key("resources").BeginObject().Key("limits").BeginObject();
  WriteLimits(text, words);
  text.EndObject().EndObject().EndObject().EndArray().EndObject();
  text.Key("status").BeginObject().Member("phase", words.phase);
  if (!words.nominated.empty()) text.Member("nominatedNodeName", words.nominated);
  text.Key("containerStatuses").BeginArray().BeginObject().Member("name", "main");
  text.Key("state").BeginObject().Key(words.is_running ? "running" : "terminated").BeginObject();
  text.EndObject().EndObject().EndObject().EndArray().EndObject().EndObject();
  return text.Take();
}

// What a scheduler would have written for a pod of one card.
inline std::string AssignmentText(uint16_t node, uint8_t card, const std::string& memory = "4GiB",
                                  const std::string& mode = "0:weighted") {
  return "v1;n" + std::to_string(node) + ";main=" + CardOf(node, card).Text() + ":" + memory + ":" +
         mode;
}

}  // namespace warpshare::cluster
