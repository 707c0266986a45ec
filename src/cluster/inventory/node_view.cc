#include "cluster/inventory/node_view.h"

#include <initializer_list>

#include "abi/names/annotations.h"
#include "abi/names/resources.h"
#include "policy/node_cards/node_cards.h"
#include "policy/request/quantity.h"

namespace warpshare::cluster {

namespace {

// By the capacity, too: while the plugin is started again, or all of its cards are ill, nothing is
// allocatable.
bool HasNvidiasPlugin(json::View status) {
  for (const char* sum : {"capacity", "allocatable"}) {
    const std::string_view text = status[sum][abi::kResourceNvidiaGpu].StringOr("");
    if (request::QuantityInUnits(text).value_or(0) != 0) return true;
  }
  return false;
}

}  // namespace

NodeView NodeViewOf(json::View node) {
  const json::View metadata = node["metadata"];
  const json::View allocatable = node["status"]["allocatable"];
  return {
      .name = std::string(metadata["name"].StringOr("")),
      .untrusted_cards = std::string(metadata["annotations"][abi::kAnnotationCards].StringOr("")),
      .untrusted_lingering =
          std::string(metadata["annotations"][abi::kAnnotationLingering].StringOr("")),
      .untrusted_taken = std::string(metadata["annotations"][abi::kAnnotationTaken].StringOr("")),
      .cpu_milli = request::QuantityInMilli(allocatable["cpu"].StringOr("")).value_or(0),
      .memory = Bytes(request::QuantityInUnits(allocatable["memory"].StringOr("")).value_or(0)),
      .has_nvidias_plugin = HasNvidiasPlugin(node["status"])};
}

Result<place::NodeSpec> SpecOf(const NodeView& node) {
  place::NodeSpec spec{.name = node.name, .cpu_milli = node.cpu_milli, .memory = node.memory};
  if (node.untrusted_cards.empty()) return spec;
  auto cards = node_cards::Decode(node.untrusted_cards);
  if (!cards) return Forward(cards);
  spec.cards = std::move(*cards);
  return spec;
}

}  // namespace warpshare::cluster
