#include "policy/share/cgpu_words.h"

#include <iterator>
#include <optional>

namespace warpshare::share {

namespace {

enum class Word : uint8_t { kAverage, kPreempt, kWeighted, kFixed, kWeak, kNative };

// In the order of cGPU's numbers.
constexpr std::string_view kWords[] = {"average", "preempt", "weighted", "fixed", "weak", "native"};

std::optional<Word> Parse(std::string_view text) {
  for (size_t number = 0; number < std::size(kWords); ++number) {
    const bool is_number = text.size() == 1 && text[0] == static_cast<char>('0' + number);
    if (is_number || text == kWords[number]) return static_cast<Word>(number);
  }
  return std::nullopt;
}

Terms TermsOf(Word word, const CgpuSettings& settings) {
  const uint32_t slice = kWholeCard / settings.max_inst;
  const uint32_t percentage = settings.percent * (kWholeCard / 100);
  switch (word) {
    case Word::kAverage:
      return {.mode = Mode::kHard, .share_permille = slice};
    case Word::kPreempt:
    case Word::kWeighted:
      return {.mode = Mode::kWeighted, .weight = settings.weight};
    case Word::kFixed:
      return {.mode = Mode::kHard, .share_permille = percentage};
    case Word::kWeak:
      return {.mode = Mode::kSoft, .share_permille = percentage != 0 ? percentage : slice};
    case Word::kNative:
      break;
  }
  return {.mode = Mode::kWeighted};
}

}  // namespace

Result<Terms> TermsOfCgpuPolicy(std::string_view text, const CgpuSettings& settings) {
  const auto word = Parse(text);
  if (!word)
    return Fail(
        Errc::kInvalid,
        "policy: not a word of cGPU's: say average, preempt, weighted, fixed, weak or native");
  if (settings.max_inst == 0 || settings.max_inst > kWholeCard)
    return Fail(Errc::kInvalid, "max_inst: out of range: say 1 to 1000, cGPU's default is 20");
  if (settings.percent > 100) return Fail(Errc::kInvalid, "percent: over the card: say 1 to 100");
  if (*word == Word::kFixed && settings.percent == 0)
    return Fail(Errc::kInvalid, "percent: fixed needs one: say 1 to 100, or another policy");
  return Validate(TermsOf(*word, settings));
}

}  // namespace warpshare::share
