// Which of the laps beside other processes' work say the same, of the few kinds of work of late.
// One of them says little: it may have others' work in it, or more may be taken off for that than
// was there. Others' work makes laps longer, each time by another length.
//
// Pure arithmetic. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "interposer/compute/cost_table.h"

namespace warpshare::interposer {

class Repeats {
 public:
  // So many laps in a row said that it takes longer than is known, `least_ns` at least.
  bool IsTooLow(const Cost& cost, uint64_t least_ns) {
    Kind& kind = Of(cost);
    kind.low_laps = least_ns > cost.ns() ? kind.low_laps + 1 : 0;
    return kind.low_laps > kTooLowLaps;
  }

  // It lasted as long as some others of late did, `most_ns`, and none less.
  bool IsShortest(const Cost& cost, uint64_t most_ns) {
    Kind& kind = Of(cost);
    const uint64_t little_ns = most_ns / kSamePart;
    const bool is_longer = most_ns > kind.shortest_ns + little_ns;
    if (is_longer && ++kind.longer_laps < kForgottenLaps) return false;
    if (is_longer || most_ns + little_ns < kind.shortest_ns) {
      kind.shortest_ns = most_ns;
      kind.shortest_laps = 0;
    }
    kind.longer_laps = 0;
    if (kind.shortest_laps < kShortestLaps) ++kind.shortest_laps;
    return kind.shortest_laps == kShortestLaps;
  }

 private:
  // Some laps say how long it is where that is known.
  static constexpr uint32_t kTooLowLaps = 12;
  static constexpr uint32_t kShortestLaps = 3;
  static constexpr uint32_t kForgottenLaps = 64;
  static constexpr uint64_t kSamePart = 64;
  static constexpr size_t kKinds = 8;

  struct Kind {
    const Cost* cost;
    uint64_t name;
    uint64_t shortest_ns;
    uint32_t shortest_laps;  // that lasted so long
    uint32_t longer_laps;    // since the latest of them
    uint32_t low_laps;       // in a row
  };

  // Of two that meet in one place the later one begins anew.
  Kind& Of(const Cost& cost) {
    Kind& kind = kinds_[reinterpret_cast<uintptr_t>(&cost) / sizeof(Cost) % kKinds];
    if (kind.cost != &cost || kind.name != cost.name())
      kind = {.cost = &cost,
              .name = cost.name(),
              .shortest_ns = UINT64_MAX / 2,
              .shortest_laps = 0,
              .longer_laps = 0,
              .low_laps = 0};
    return kind;
  }

  Kind kinds_[kKinds] = {};
};

}  // namespace warpshare::interposer
