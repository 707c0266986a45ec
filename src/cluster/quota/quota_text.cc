#include "cluster/quota/quota_text.h"

#include <charconv>
#include <string>

#include "types/printable.h"

namespace warpshare::quota {

namespace {

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const size_t begin = text.find_first_not_of(kBlank);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

std::optional<uint64_t> ParseNumber(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// "160GiB", or "160Gi" as Kubernetes has it.
std::optional<Bytes> ParseMemory(std::string_view text) {
  return text.ends_with('i') ? ParseBytes(std::string(text) + 'B') : ParseBytes(text);
}

std::optional<uint64_t> ParsePercent(std::string_view text) {
  if (text.ends_with('%')) text.remove_suffix(1);
  return ParseNumber(Trim(text));
}

// nullptr: taken; else what to write.
template <typename T>
const char* Take(std::optional<T>& place, std::optional<T> value, const char* mend) {
  if (place) return "stands there already: write it once";
  place = value;
  return value ? nullptr : mend;
}

const char* TakeLimit(admit::Limit& limit, std::string_view name, std::string_view value) {
  if (name == "cards") return Take(limit.cards, ParseNumber(value), "write a whole number");
  if (name == "memory") return Take(limit.memory, ParseMemory(value), "write a size, as 160Gi");
  if (name == "cores")
    return Take(limit.cores_percent, ParsePercent(value), "write percent of a card, as 400");
  return "is no limit: write cards, memory or cores";
}

// The lines so far, and the model they are about.
class Reader {
 public:
  const char* TakeLine(std::string_view line) {
    if (line.empty()) return nullptr;
    if (line.front() == '[') return Begin(line);
    const size_t equals = line.find('=');
    if (equals == line.npos) return "is neither NAME = VALUE nor [MODEL]";
    return TakeLimit(limits_[model_], Trim(line.substr(0, equals)), Trim(line.substr(equals + 1)));
  }

  admit::LimitByModel limits() { return std::move(limits_); }

 private:
  const char* Begin(std::string_view line) {
    if (line.back() != ']') return "has no ] at its end";
    model_ = Trim(line.substr(1, line.size() - 2));
    if (model_.empty()) return "names no model";
    if (limits_.contains(model_)) return "stands there already: write each model once";
    if (limits_.size() > kMostModels) return "is one model too many: 64 is the most";
    limits_[model_] = {};
    return nullptr;
  }

  admit::LimitByModel limits_;
  std::string model_;
};

}  // namespace

Result<admit::LimitByModel> ParseQuotaText(std::string_view text) {
  Reader reader;
  for (size_t number = 1; !text.empty(); ++number) {
    const size_t end = text.find('\n');
    const std::string_view whole = text.substr(0, end);
    const std::string_view line = Trim(whole.substr(0, whole.find('#')));
    if (const char* wrong = reader.TakeLine(line))
      return Fail(Errc::kInvalid,
                  "line " + std::to_string(number) + ": '" + Printable(line, 64) + "' " + wrong);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return reader.limits();
}

}  // namespace warpshare::quota
