// The words of a compute mode: in annotations a policy and a priority, in an assignment one word.
#pragma once

#include <optional>
#include <string_view>

#include "policy/request/request.h"

namespace warpshare::request {

// hard, soft, weighted or priority.
std::optional<share::Mode> ParseMode(std::string_view text);

// high or low.
std::optional<share::Priority> ParsePriority(std::string_view text);

// hard, soft, weighted, high or low: a mode and its priority in one.
std::string_view ComputeWord(const Compute& compute);
std::optional<Compute> ParseComputeWord(std::string_view text);

// fit, binpack, spread or topology.
std::optional<Policy> ParsePolicy(std::string_view text);

}  // namespace warpshare::request
