#include "node/device_plugin/known_cards.h"

#include <fcntl.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <optional>
#include <string_view>

#include "platform/descriptor/descriptor.h"
#include "platform/log_file/log_words.h"
#include "types/printable.h"

namespace warpshare::node {

namespace {

using platform::Card;

constexpr size_t kMostBytes = 64 << 10;
constexpr std::string_view kNone = "-";

// The text up to the separator, which goes with it.
std::string_view Take(std::string_view& text, char separator) {
  const size_t end = std::min(text.find(separator), text.size());
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return taken;
}

template <typename Number>
std::optional<Number> ReadNumber(std::string_view text) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string TextOf(const std::optional<uint32_t>& number) {
  return number ? std::to_string(*number) : std::string(kNone);
}

std::string LineOf(const Card& card) {
  return std::to_string(card.index) + '\t' + card.uuid.Text() + '\t' +
         std::to_string(card.total.count()) + '\t' + TextOf(card.minor) + '\t' +
         TextOf(card.numa_node) + '\t' + card.name + '\n';
}

std::optional<Card> ParseLine(std::string_view line) {
  const auto index = ReadNumber<uint32_t>(Take(line, '\t'));
  const auto uuid = ParseGpuUuid(Take(line, '\t'));
  const auto total = ReadNumber<uint64_t>(Take(line, '\t'));
  const auto minor = ReadNumber<uint32_t>(Take(line, '\t'));
  const auto numa_node = ReadNumber<uint32_t>(Take(line, '\t'));
  if (!index || !uuid || !total) return std::nullopt;
  return Card{.index = *index,
              .uuid = *uuid,
              .name = Printable(line),
              .total = Bytes(*total),
              .used = Bytes(0),
              .minor = minor,
              .numa_node = numa_node};
}

std::vector<Card> ReadCards(const std::string& path) {
  const auto text = platform::ReadWholeFile(path, kMostBytes);
  return text ? ParseKnownCards(*text) : std::vector<Card>();
}

bool Has(const std::vector<Card>& cards, const GpuUuid& uuid) {
  return std::ranges::find(cards, uuid, &Card::uuid) != cards.end();
}

// By its uuid, or where it says none, by its place.
bool IsSame(const platform::UnreadableCard& lost, const Card& known) {
  return lost.uuid ? *lost.uuid == known.uuid : lost.index == known.index;
}

}  // namespace

std::vector<Card> ParseKnownCards(std::string_view text) {
  std::vector<Card> cards;
  while (!text.empty())
    if (auto card = ParseLine(Take(text, '\n'))) cards.push_back(std::move(*card));
  return cards;
}

std::string KnownCardsText(const std::vector<Card>& cards) {
  std::string text;
  for (const Card& card : cards) text += LineOf(card);
  return text;
}

std::vector<Card> RecallLostCards(const std::string& path, const platform::CardList& list,
                                  platform::Log& log) {
  std::vector<Card> recalled;
  const std::vector<Card> known = ReadCards(path);
  for (const platform::UnreadableCard& lost : list.unreadable) {
    const auto at = std::ranges::find_if(known, [&](const Card& card) {
      return IsSame(lost, card) && !Has(list.cards, card.uuid) && !Has(recalled, card.uuid);
    });
    const bool is_known = at != known.end();
    log.Line(platform::LogText("card not read",
                               {{"reason", lost.reason},
                                {"card", is_known ? at->uuid.Text() : "unknown"},
                                {"then", is_known ? "told of as unhealthy" : "left out"}}));
    if (is_known) recalled.push_back(*at);
  }
  std::vector<Card> told = list.cards;
  told.insert(told.end(), recalled.begin(), recalled.end());
  if (auto written = platform::ReplaceFile(path, KnownCardsText(told), 0600); !written)
    log.Line(platform::LogText("cards not remembered", {{"reason", written.error()}}));
  return recalled;
}

}  // namespace warpshare::node
