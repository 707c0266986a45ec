#include "node/tenancy/card_note.h"

#include <fcntl.h>

#include <charconv>
#include <optional>
#include <string_view>

#include "platform/descriptor/descriptor.h"
#include "types/printable.h"

namespace warpshare::node {

namespace {

constexpr size_t kMaxNoteSize = 64 << 10;

std::optional<NotedCard> ParseLine(std::string_view line) {
  const size_t first = line.find('\t');
  const size_t second = line.find('\t', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos) return std::nullopt;
  NotedCard card{};
  const auto number = std::from_chars(line.data(), line.data() + first, card.index);
  const auto uuid = ParseGpuUuid(line.substr(first + 1, second - first - 1));
  if (number.ec != std::errc() || number.ptr != line.data() + first || !uuid) return std::nullopt;
  card.uuid = *uuid;
  card.name = Printable(line.substr(second + 1));
  return card;
}

}  // namespace

Result<void> WriteCardNote(const std::string& path, const std::vector<platform::Card>& cards) {
  auto file = platform::OpenFile(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (!file) return Forward(file);
  std::string text;
  for (const platform::Card& card : cards)
    text += std::to_string(card.index) + '\t' + card.uuid.Text() + '\t' + card.name + '\n';
  if (auto written = platform::WriteAll(*file, text); !written)
    return Fail(written.error().code, path + ": " + written.error().message);
  return {};
}

std::vector<NotedCard> ReadCardNote(const std::string& path) {
  const auto text = platform::ReadWholeFile(path, kMaxNoteSize);
  if (!text) return {};
  return ParseCardNote(*text);
}

std::vector<NotedCard> ParseCardNote(std::string_view rest) {
  std::vector<NotedCard> cards;
  while (!rest.empty()) {
    const size_t length = rest.find('\n');
    if (auto card = ParseLine(rest.substr(0, length))) cards.push_back(std::move(*card));
    if (length == std::string_view::npos) break;
    rest.remove_prefix(length + 1);
  }
  return cards;
}

}  // namespace warpshare::node
