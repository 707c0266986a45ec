// What somebody asks to be changed of a tenant's terms: only what was said, the rest stays. A new
// tenant has none to start with.
#pragma once

#include <cstdint>
#include <optional>

#include "policy/share/terms.h"

namespace warpshare::share {

struct TermsChange {
  std::optional<Mode> mode = {};
  std::optional<uint32_t> share_permille = {};
  std::optional<uint32_t> weight = {};
  std::optional<Priority> priority = {};
  std::optional<uint64_t> burst_ns = {};
  std::optional<uint64_t> latency_target_ns = {};

  bool operator==(const TermsChange&) const = default;
};

// The terms after the change, valid. `before` none: the tenant is not held back.
//
// A mode that is not said follows from the rest: a priority means priority; a share means hard,
// unless the tenant has a share already; a weight means weighted, unless it has a mode already.
// What the new mode has no use for is dropped when it was there before, and refused when it was
// said.
Result<Terms> Apply(const TermsChange& change, const std::optional<Terms>& before);

}  // namespace warpshare::share
