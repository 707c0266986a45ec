#include "policy/request/compute_words.h"

namespace warpshare::request {

namespace {

using share::Mode;
using share::Priority;

template <typename Value>
struct Word {
  std::string_view text;
  Value value;
};

constexpr Word<Mode> kModes[] = {{"hard", Mode::kHard},
                                 {"soft", Mode::kSoft},
                                 {"weighted", Mode::kWeighted},
                                 {"priority", Mode::kPriority}};
constexpr Word<Priority> kPriorities[] = {{"high", Priority::kHigh}, {"low", Priority::kLow}};
constexpr Word<Policy> kPolicies[] = {{"fit", Policy::kFit},
                                      {"binpack", Policy::kBinpack},
                                      {"spread", Policy::kSpread},
                                      {"topology", Policy::kTopology}};

template <typename Value, size_t kCount>
std::optional<Value> Lookup(const Word<Value> (&words)[kCount], std::string_view text) {
  for (const auto& word : words)
    if (word.text == text) return word.value;
  return std::nullopt;
}

}  // namespace

std::optional<Mode> ParseMode(std::string_view text) { return Lookup(kModes, text); }

std::optional<Priority> ParsePriority(std::string_view text) { return Lookup(kPriorities, text); }

std::optional<Policy> ParsePolicy(std::string_view text) { return Lookup(kPolicies, text); }

std::string_view ComputeWord(const Compute& compute) {
  if (compute.mode == Mode::kPriority) return compute.priority == Priority::kHigh ? "high" : "low";
  for (const auto& word : kModes)
    if (word.value == compute.mode) return word.text;
  return {};
}

std::optional<Compute> ParseComputeWord(std::string_view text) {
  if (const auto priority = ParsePriority(text))
    return Compute{.mode = Mode::kPriority, .priority = *priority};
  const auto mode = ParseMode(text);
  if (!mode || *mode == Mode::kPriority) return std::nullopt;
  return Compute{.mode = *mode};
}

}  // namespace warpshare::request
