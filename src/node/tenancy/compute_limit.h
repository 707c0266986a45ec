// A tenant's GPU time on one card: as people say it, as policies take it, as its page has it.
#pragma once

#include <optional>
#include <string>

#include "platform/region_file/limits_file.h"
#include "policy/share/terms.h"
#include "policy/share/terms_change.h"
#include "result/result.h"

namespace warpshare::node {

// None: not held back, and not measured.
using ComputeLimit = std::optional<share::Terms>;

// What a user asks for.
struct ComputeRequest {
  bool is_lifted = false;  // no limit any more; `change` is empty then
  share::TermsChange change;

  bool operator==(const ComputeRequest&) const = default;
};

Result<ComputeLimit> LimitAfter(const ComputeRequest& request, const ComputeLimit& before);

// `static_permille` is what a tenant without a guarantee keeps itself to without an arbiter.
platform::ComputeTerms OnPage(const ComputeLimit& limit,
                              uint32_t static_permille = share::kWholeCard);
ComputeLimit FromPage(const platform::ComputeTerms& page);

// "hard 30%", "soft 30% w2", "weighted w4", "high", "none".
std::string ShortText(const ComputeLimit& limit);

// With burst credit and latency target: "hard 30%, burst 50ms".
std::string LongText(const ComputeLimit& limit);

}  // namespace warpshare::node
