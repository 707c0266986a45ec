#include "node/tenancy/card_choice.h"

#include <algorithm>
#include <charconv>
#include <functional>

#include "types/printable.h"

namespace warpshare::node {

namespace {

using platform::Card;
using platform::CardList;

// The card of an index, or of a beginning of a uuid that only one card has.
const Card* FindCard(const std::vector<Card>& machine, std::string_view word) {
  uint32_t index = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), index);
  if (error == std::errc() && end == word.data() + word.size()) {
    const auto found = std::ranges::find(machine, index, &Card::index);
    return found == machine.end() ? nullptr : &*found;
  }
  const Card* match = nullptr;
  for (const Card& card : machine) {
    if (!card.uuid.StartsWith(word)) continue;
    if (match != nullptr) return nullptr;
    match = &card;
  }
  return match;
}

bool IsNamed(const platform::UnreadableCard& card, std::string_view word) {
  return std::to_string(card.index) == word || (card.uuid && card.uuid->StartsWith(word));
}

bool Has(const std::vector<Card>& cards, const Card& card) {
  return std::ranges::find(cards, card.uuid, &Card::uuid) != cards.end();
}

std::string ListOf(const std::vector<Card>& machine) {
  std::string list;
  for (const Card& card : machine)
    list += (list.empty() ? "" : ", ") + std::to_string(card.index) + " (" + card.uuid.ShortText() +
            ")";
  return list;
}

Failure NoSuchCard(const CardList& machine, const std::string& word) {
  for (const platform::UnreadableCard& card : machine.unreadable)
    if (IsNamed(card, word)) return Fail(card.reason);
  return Fail(Errc::kInvalid, "no card '" + Printable(word) +
                                  "' on this machine: --gpu takes one of " + ListOf(machine.cards));
}

Result<std::vector<Card>> NamedCards(const CardList& machine,
                                     const std::vector<std::string>& wanted) {
  std::vector<Card> chosen;
  for (const std::string& word : wanted) {
    const Card* card = FindCard(machine.cards, word);
    if (card == nullptr) return NoSuchCard(machine, word);
    if (!Has(chosen, *card)) chosen.push_back(*card);
  }
  return chosen;
}

std::vector<Card> VisibleCards(const std::vector<Card>& machine, std::string_view words) {
  std::vector<Card> visible;
  while (!words.empty()) {
    const size_t length = words.find(',');
    std::string_view word = words.substr(0, length);
    while (word.starts_with(' ')) word.remove_prefix(1);
    while (word.ends_with(' ')) word.remove_suffix(1);
    const Card* card = FindCard(machine, word);
    if (card == nullptr) break;
    if (Has(visible, *card)) return {};  // CUDA shows none when one is named twice
    visible.push_back(*card);
    words.remove_prefix(length == std::string_view::npos ? words.size() : length + 1);
  }
  return visible;
}

}  // namespace

Result<std::vector<Card>> ChooseCards(const CardList& machine,
                                      const std::vector<std::string>& wanted,
                                      const std::optional<std::string>& cuda_visible_devices) {
  if (machine.cards.empty() && !machine.unreadable.empty())
    return Fail(machine.unreadable.front().reason);
  if (machine.cards.empty())
    return Fail(Errc::kNotFound, "the driver shows no card on this machine: run: warpshare doctor");
  if (!wanted.empty()) return NamedCards(machine, wanted);
  if (!cuda_visible_devices) return machine.cards;
  auto visible = VisibleCards(machine.cards, *cuda_visible_devices);
  if (visible.empty())
    return Fail(Errc::kInvalid, "CUDA_VISIBLE_DEVICES='" + Printable(*cuda_visible_devices) +
                                    "' shows no card: unset it, or name cards with --gpu");
  return visible;
}

bool CountsOtherwise(const CardList& machine,
                     const std::optional<std::string>& cuda_visible_devices,
                     const std::optional<std::string>& cuda_device_order) {
  if (!cuda_visible_devices || cuda_device_order == "PCI_BUS_ID") return false;
  // Words of uuids begin with GPU- or MIG-.
  const size_t first = cuda_visible_devices->find_first_not_of(" ,");
  if (first == std::string::npos) return false;
  const char begins = (*cuda_visible_devices)[first];
  if (begins < '0' || begins > '9') return false;
  return std::ranges::adjacent_find(machine.cards, std::ranges::not_equal_to(), &Card::name) !=
         machine.cards.end();
}

}  // namespace warpshare::node
