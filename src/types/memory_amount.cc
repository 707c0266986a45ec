#include "types/memory_amount.h"

#include "types/decimal.h"

namespace warpshare {

namespace {

constexpr unsigned kPlaces = 2;  // behind the point of a percentage

}  // namespace

Bytes MemoryAmount::On(Bytes capacity) const {
  if (!is_share_) return bytes_;
  const auto product = static_cast<unsigned __int128>(capacity.count()) * of_10000_;
  return Bytes(static_cast<uint64_t>(product / kWhole));
}

std::string MemoryAmount::Text() const {
  if (!is_share_) return Exact(bytes_);
  return DecimalText(of_10000_, kPlaces) + '%';
}

std::optional<MemoryAmount> ParseMemoryAmount(std::string_view text) {
  if (text.ends_with('%')) {
    const auto hundredths =
        ParseDecimal(text.substr(0, text.size() - 1), kPlaces, MemoryAmount::kWhole);
    if (!hundredths) return std::nullopt;
    return MemoryAmount::Share(static_cast<uint32_t>(*hundredths));
  }
  const auto bytes = ParseBytes(text);
  if (!bytes) return std::nullopt;
  return MemoryAmount::Of(*bytes);
}

}  // namespace warpshare
