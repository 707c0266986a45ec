#include "node/arbiter/terms_reading.h"

#include <optional>

#include "policy/share/mode_word.h"

namespace warpshare::node {

namespace {

share::Terms TermsOf(const abi::ComputeTermsV1& page, share::Mode mode) {
  const auto read = [](const auto& word) { return word.load(std::memory_order_relaxed); };
  share::Terms terms{.mode = mode,
                     .burst_ns = read(page.burst_ns),
                     .latency_target_ns = read(page.latency_target_ns)};
  if (share::IsGuaranteed(terms)) terms.share_permille = read(page.share_permille);
  if (mode != share::Mode::kHard) terms.weight = read(page.weight);
  if (mode == share::Mode::kPriority && read(page.is_high) != 0)
    terms.priority = share::Priority::kHigh;
  return terms;
}

}  // namespace

PageTerms ReadTerms(const abi::ComputeTermsV1& page, const share::Terms& before) {
  const abi::ComputeMode word = page.mode.load(std::memory_order_relaxed);
  if (word == abi::ComputeMode::kNone)
    return {.is_held_back = false, .terms = before, .problem = {}};
  const std::optional<share::Mode> mode = share::ModeOf(word);
  if (!mode) return {true, before, "mode: not one that this version knows"};
  const auto terms = share::Validate(TermsOf(page, *mode));
  if (!terms) return {true, before, terms.error().message};
  return {.is_held_back = true, .terms = *terms, .problem = {}};
}

}  // namespace warpshare::node
