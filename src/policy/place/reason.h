// Why a pod cannot go to a node, or to a card. The words are part of what users and metrics see.
#pragma once

#include <cstdint>
#include <string_view>

namespace warpshare::place {

// In the order in which they count: of several cards' reasons the last one is the node's, being the
// one that kept the most promising card away.
enum class Reason : uint8_t {
  kNone,          // it fits
  kNoNode,        // not known here
  kNoCards,       // the node has none
  kWrongModel,    // the pod wants other models
  kWrongCard,     // the pod names other cards, or avoids these
  kCardTooSmall,  // it asks for more memory than these cards have
  kUnhealthy,     // the card is not well
  kNoSlots,       // as many containers as a card takes are on it
  kNotEmpty,      // the pod wants it alone
  kNoCores,       // the percent asked for are not left
  kNoMemory,      // the memory asked for is not left
  kTooFewCards,   // some would do, but not as many as one container wants
  kNoNumaNode,    // enough cards, but not on one NUMA node
  kContainers,    // each container would fit, all of them together do not
  kNoHostCpu,     // the node's processors
  kNoHostMemory,  // the node's memory
  kQuota,         // there is room, and the namespace may not have it
  kBadRequest,    // what the pod asks for makes no sense
};

inline constexpr uint32_t kReasonCount = 18;

std::string_view ReasonWord(Reason reason);      // for metrics: "no_memory"
std::string_view ReasonSentence(Reason reason);  // for people

}  // namespace warpshare::place
