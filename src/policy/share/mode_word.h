// A mode as the limits page spells it.
#pragma once

#include <optional>

#include "abi/region/compute.h"
#include "policy/share/terms.h"

namespace warpshare::share {

constexpr abi::ComputeMode WordOf(Mode mode) {
  switch (mode) {
    case Mode::kHard:
      return abi::ComputeMode::kHard;
    case Mode::kSoft:
      return abi::ComputeMode::kSoft;
    case Mode::kWeighted:
      return abi::ComputeMode::kWeighted;
    case Mode::kPriority:
      break;
  }
  return abi::ComputeMode::kPriority;
}

// None for kNone, and for a word that this version does not know.
constexpr std::optional<Mode> ModeOf(abi::ComputeMode word) {
  for (const Mode mode : {Mode::kHard, Mode::kSoft, Mode::kWeighted, Mode::kPriority})
    if (WordOf(mode) == word) return mode;
  return std::nullopt;
}

}  // namespace warpshare::share
