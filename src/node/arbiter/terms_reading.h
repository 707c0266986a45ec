// A tenant's terms as its limits page has them.
#pragma once

#include <string>

#include "abi/region/compute.h"
#include "policy/share/terms.h"

namespace warpshare::node {

struct PageTerms {
  bool is_held_back;    // false: ComputeMode::kNone, the rest does not count
  share::Terms terms;   // valid
  std::string problem;  // why they are not what the page says; usually empty

  bool operator==(const PageTerms&) const = default;
};

// Terms that make no sense are answered with `before`: they may be seen while they are changed word
// by word. So a tenant that never had any that do is weighted, weight 1 (`share::Terms{}`).
//
// The page may hold more than the mode needs (a weighted tenant's share says what it has without an
// arbiter): what a mode does not know is not looked at.
PageTerms ReadTerms(const abi::ComputeTermsV1& page, const share::Terms& before);

}  // namespace warpshare::node
