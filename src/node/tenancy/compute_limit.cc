#include "node/tenancy/compute_limit.h"

#include <chrono>
#include <cstdint>

#include "policy/share/mode_word.h"
#include "types/decimal.h"
#include "types/duration.h"

namespace warpshare::node {

namespace {

using share::Mode;
using share::Terms;

std::string Share(const Terms& terms) { return DecimalText(terms.share_permille, 1) + "%"; }

std::string Weight(const Terms& terms) { return "w" + std::to_string(terms.weight); }

std::string DurationText(uint64_t ns) {
  return Exact(std::chrono::nanoseconds(static_cast<int64_t>(ns)));
}

}  // namespace

Result<ComputeLimit> LimitAfter(const ComputeRequest& request, const ComputeLimit& before) {
  if (request.is_lifted) return ComputeLimit();
  const auto terms = share::Apply(request.change, before);
  if (!terms) return Fail(terms.error());
  return ComputeLimit(*terms);
}

platform::ComputeTerms OnPage(const ComputeLimit& limit, uint32_t static_permille) {
  if (!limit) return {};
  return {.mode = share::WordOf(limit->mode),
          .share_permille = share::IsGuaranteed(*limit) ? limit->share_permille : static_permille,
          .weight = limit->weight,
          .is_high = share::IsHigh(*limit),
          .burst_ns = limit->burst_ns,
          .latency_target_ns = limit->latency_target_ns};
}

ComputeLimit FromPage(const platform::ComputeTerms& page) {
  const auto mode = share::ModeOf(page.mode);
  if (!mode) return std::nullopt;
  Terms terms{.mode = *mode,
              .weight = page.weight,
              .priority = page.is_high ? share::Priority::kHigh : share::Priority::kLow,
              .burst_ns = page.burst_ns,
              .latency_target_ns = page.latency_target_ns};
  if (share::IsGuaranteed(terms)) terms.share_permille = page.share_permille;
  return terms;
}

std::string ShortText(const ComputeLimit& limit) {
  if (!limit) return "none";
  switch (limit->mode) {
    case Mode::kHard:
      return "hard " + Share(*limit);
    case Mode::kSoft:
      return "soft " + Share(*limit) + (limit->weight == 1 ? "" : " " + Weight(*limit));
    case Mode::kWeighted:
      return "weighted " + Weight(*limit);
    case Mode::kPriority:
      break;
  }
  return (share::IsHigh(*limit) ? "high" : "low") +
         (limit->weight == 1 ? "" : " " + Weight(*limit));
}

std::string LongText(const ComputeLimit& limit) {
  std::string text = ShortText(limit);
  if (!limit) return text;
  if (limit->burst_ns != 0) text += ", burst " + DurationText(limit->burst_ns);
  if (limit->latency_target_ns != 0)
    text += ", latency target " + DurationText(limit->latency_target_ns);
  return text;
}

}  // namespace warpshare::node
