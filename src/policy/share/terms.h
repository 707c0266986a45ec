// What a tenant was promised of one card's compute. Written by whoever makes the tenant (a flag, an
// annotation, a cGPU word), read by every decision; a change counts from the next one on.
#pragma once

#include <cstdint>

#include "result/result.h"

namespace warpshare::share {

enum class Mode : uint8_t {
  kHard,      // its share and no more, even when the card is idle
  kSoft,      // its share whenever it wants it, and a part of what others leave idle
  kWeighted,  // a part by weight of what the guaranteed shares leave
  kPriority,  // high takes the card whenever it has work; low is weighted, and waits
};

enum class Priority : uint8_t { kLow, kHigh };

inline constexpr uint32_t kWholeCard = 1000;  // shares are in permille of the card's time
inline constexpr uint32_t kMaxWeight = 16;
inline constexpr uint64_t kMaxBurstNs = 10'000'000'000;
inline constexpr uint64_t kMaxLatencyTargetNs = 10'000'000'000;

struct Terms {
  Mode mode = Mode::kWeighted;
  uint32_t share_permille = 0;         // 1..kWholeCard for hard and soft, else 0
  uint32_t weight = 1;                 // 1..kMaxWeight; 1 for hard, which never gets idle time
  Priority priority = Priority::kLow;  // kHigh in mode kPriority only
  uint64_t burst_ns = 0;               // GPU time that it may save up while it is idle
  uint64_t latency_target_ns = 0;      // having waited this long, it moves up; 0: never

  bool operator==(const Terms&) const = default;
};

// Has it a part of the card that nobody but a high priority can take from it?
constexpr bool IsGuaranteed(const Terms& terms) {
  return terms.mode == Mode::kHard || terms.mode == Mode::kSoft;
}

constexpr bool IsHigh(const Terms& terms) {
  return terms.mode == Mode::kPriority && terms.priority == Priority::kHigh;
}

// The terms as they are, or the first field that makes no sense and how to mend it.
Result<Terms> Validate(const Terms& terms);

}  // namespace warpshare::share
