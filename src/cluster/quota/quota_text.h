// What an operator writes for one namespace:
//
//   cards = 8          # places on cards, shared or whole
//   memory = 160Gi     # of cards
//   cores = 400        # percent of a card
//   [A100]             # and of these, on cards of this model (whole words of its name)
//   cards = 2
#pragma once

#include <string_view>

#include "policy/admit/quota.h"
#include "result/result.h"

namespace warpshare::quota {

inline constexpr size_t kMostModels = 64;  // each is compared with the model of every pod's cards

// What is not named has no limit. The error names the line.
Result<admit::LimitByModel> ParseQuotaText(std::string_view untrusted_text);

}  // namespace warpshare::quota
