#include "policy/node_cards/node_cards.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>

#include "types/printable.h"

namespace warpshare::node_cards {

namespace {

using place::CardSpec;

constexpr std::string_view kVersion = "v1";
constexpr std::string_view kUnknownNuma = "-";
constexpr int kMaxSlots = INT16_MAX;
constexpr int kMaxNumaNode = 1023;
constexpr int kMaxLinkGroup = UINT16_MAX;

Failure Broken(std::string_view what, std::string_view untrusted_part) {
  return Fail(Errc::kCorrupt, "cards of the node: " + std::string(what) + " in '" +
                                  Printable(untrusted_part, 64) +
                                  "': warpshare-node writes it anew when it is restarted");
}

std::string ModelText(std::string_view model) {
  std::string text = Printable(model, kMaxModelBytes);
  std::replace(text.begin(), text.end(), ';', '?');
  return text;
}

std::optional<int> ParseNumber(std::string_view text, int most) {
  int value = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stopped != end || value < 0 || value > most) return std::nullopt;
  return value;
}

// The model comes last and may hold colons itself.
std::optional<CardSpec> DecodeCard(std::string_view text) {
  std::array<std::string_view, 6> fields;
  for (std::string_view& field : fields) {
    const size_t end = text.find(':');
    if (end == std::string_view::npos) return std::nullopt;
    field = text.substr(0, end);
    text.remove_prefix(end + 1);
  }
  const auto uuid = ParseGpuUuid(fields[0]);
  const auto memory = ParseBytes(fields[1]);
  const auto slots = ParseNumber(fields[2], kMaxSlots);
  const auto numa =
      fields[4] == kUnknownNuma ? std::optional<int>(-1) : ParseNumber(fields[4], kMaxNumaNode);
  const auto link = ParseNumber(fields[5], kMaxLinkGroup);
  if (!uuid || !memory || *memory == 0_B || !slots || !numa || !link) return std::nullopt;
  return CardSpec{.uuid = *uuid,
                  .model = std::string(text),
                  .memory = *memory,
                  .slots = static_cast<uint32_t>(*slots),
                  .healthy = fields[3] == "ok",
                  .numa_node = static_cast<int16_t>(*numa),
                  .link_group = static_cast<uint16_t>(*link)};
}

bool Holds(const std::vector<CardSpec>& cards, const GpuUuid& uuid) {
  return std::any_of(cards.begin(), cards.end(),
                     [&](const CardSpec& card) { return card.uuid == uuid; });
}

}  // namespace

std::string Encode(const std::vector<CardSpec>& cards) {
  std::string text(kVersion);
  for (size_t i = 0; i < std::min(cards.size(), kMaxCards); ++i) {
    const CardSpec& card = cards[i];
    text.append(";").append(card.uuid.Text());
    text.append(":").append(Exact(card.memory));
    text.append(":").append(std::to_string(card.slots));
    text.append(card.healthy ? ":ok:" : ":bad:");
    text.append(card.numa_node < 0 ? std::string(kUnknownNuma) : std::to_string(card.numa_node));
    text.append(":").append(std::to_string(card.link_group));
    text.append(":").append(ModelText(card.model));
  }
  return text;
}

Result<std::vector<CardSpec>> Decode(std::string_view text) {
  if (text.size() > kMaxTextBytes) return Broken("over 16 KiB", text);
  const std::string_view version = text.substr(0, text.find(';'));
  if (version != kVersion)
    return Fail(Errc::kInvalid, "cards of the node: version '" + Printable(version, 16) +
                                    "' is not known here, v1 is: upgrade what reads it");
  std::vector<CardSpec> cards;
  for (size_t end = version.size(); end != std::string_view::npos;) {
    if (end == text.size()) break;
    const size_t begin = end + 1;
    end = text.find(';', begin);
    const std::string_view part = text.substr(begin, end - begin);
    auto card = DecodeCard(part);
    if (!card) return Broken("not uuid:memory:slots:health:numa:link:model", part);
    if (Holds(cards, card->uuid)) return Broken("the same card twice", part);
    if (cards.size() == kMaxCards) return Broken("more than 64 cards", part);
    cards.push_back(std::move(*card));
  }
  if (Encode(cards) != text) return Broken("another spelling than warpshare-node's", text);
  return cards;
}

}  // namespace warpshare::node_cards
