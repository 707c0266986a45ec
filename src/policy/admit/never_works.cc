#include "policy/admit/never_works.h"

#include <algorithm>
#include <string>

#include "policy/request/model_match.h"
#include "types/printable.h"

namespace warpshare::admit {

namespace {

using request::ContainerRequest;

std::optional<Error> Refuse(const ContainerRequest& container, const std::string& sentence) {
  return Error{Errc::kInvalid, "container " + Printable(container.name, 64) + ": " + sentence};
}

bool IsPrivileged(const request::PodView& pod, const std::string& container) {
  return std::any_of(pod.containers.begin(), pod.containers.end(),
                     [&](const auto& view) { return view.privileged && view.name == container; });
}

// Over all nodes, of the cards that the pod may have.
struct Largest {
  Bytes memory = {};
  uint32_t cards = 0;  // of one node; 0: there is none, and nothing can be said
};

Largest FindLargest(const Inventory& inventory, const request::CardWishes& wishes) {
  Largest largest;
  for (const auto& node : inventory) {
    uint32_t cards = 0;
    for (const InventoryCard& card : node) {
      if (!request::AllowsModel(wishes, card.model)) continue;
      ++cards;
      largest.memory = std::max(largest.memory, card.memory);
    }
    largest.cards = std::max(largest.cards, cards);
  }
  return largest;
}

std::optional<Error> TooLarge(const ContainerRequest& container, const Largest& largest) {
  if (largest.cards == 0) return std::nullopt;
  const Bytes memory = container.memory.On(largest.memory);
  if (memory > largest.memory)
    return Refuse(container, "asks for " + Exact(memory) +
                                 " of a card, and the largest that it may have is " +
                                 Exact(largest.memory) + ": ask for less, or for several cards");
  if (container.cards > largest.cards)
    return Refuse(container, "asks for " + std::to_string(container.cards) +
                                 " cards, and no node has more than " +
                                 std::to_string(largest.cards) +
                                 " that it may have: ask for fewer");
  return std::nullopt;
}

}  // namespace

std::optional<Error> NeverWorks(const request::PodView& pod, const request::Request& request,
                                const Inventory& inventory) {
  const Largest largest = FindLargest(inventory, request.wishes);
  for (const ContainerRequest& container : request.containers) {
    if (container.cards == 0) continue;
    if (IsPrivileged(pod, container.name))
      return Refuse(container,
                    "is privileged and would see every card of the node: leave privileged out, or "
                    "ask for no card");
    if (auto error = TooLarge(container, largest)) return error;
  }
  return std::nullopt;
}

}  // namespace warpshare::admit
