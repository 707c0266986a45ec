// cGPU's policy words as terms. cGPU cuts the card's time into max_inst slices; a word, or its
// number, says who gets which:
//
//   0 average    one slice each, used or not            hard, 1/max_inst of the card
//   1 preempt    as many as there are, shared equally   weighted, weight 1
//   2 weighted   the same by weight                     weighted, that weight
//   3 fixed      a percentage                           hard, that percentage
//   4 weak       looser than preempt                    soft: one slice, or the percentage, is its
//   own 5 native     the driver's own time slices           weighted, weight 1: equal turns are
//   nearest
//
// As with cGPU, a weight above 1 turns preempt into weighted.
#pragma once

#include <cstdint>
#include <string_view>

#include "policy/share/terms.h"

namespace warpshare::share {

// What stands beside the word: the node's setting and the container's.
struct CgpuSettings {
  uint32_t max_inst = 20;  // 1..kWholeCard; cGPU itself knows 1 to 25
  uint32_t percent = 0;    // 1..100; 0: not given
  uint32_t weight = 1;     // 1..kMaxWeight
};

Result<Terms> TermsOfCgpuPolicy(std::string_view word, const CgpuSettings& settings);

}  // namespace warpshare::share
