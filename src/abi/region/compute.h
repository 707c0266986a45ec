// What a card's arbiter and a tenant say to each other about GPU time, as parts of the limits page
// (the host's words) and of the usage page (the tenant's). docs/decisions/0005-gpu-time.md says how
// it works.
//
// All times are nanoseconds of CLOCK_MONOTONIC, which all processes of a machine share whatever
// their namespaces; all amounts of GPU time are nanoseconds, and only grow.
#pragma once

#include <atomic>
#include <cstdint>
#include <type_traits>

namespace warpshare::abi {

enum class ComputeMode : uint32_t {
  kNone = 0,  // nothing is held back, and nothing is measured
  kHard = 1,
  kSoft = 2,
  kWeighted = 3,
  kPriority = 4,
};

// Limits page, a card: what the tenant was promised. Written by whoever makes or changes the
// tenant, read by the arbiter, and by the tenant for the time in which there is none. The fields
// change one by one; a reader may see old ones beside new ones for a moment.
struct ComputeTermsV1 {
  std::atomic<ComputeMode> mode;
  std::atomic<uint32_t> share_permille;  // of the card's time
  std::atomic<uint32_t> weight;
  std::atomic<uint32_t> is_high;  // 0 or 1
  std::atomic<uint64_t> burst_ns;
  std::atomic<uint64_t> latency_target_ns;  // 0: none
};

// What a tenant has in flight, so that it can be stopped within so long or one kernel.
inline constexpr uint64_t kMostAheadNs = 2'000'000;

// A tenant is told that it may so long before the card is expected to be done with what the one
// before had: it takes that long to wake up and submit, when the processors sleep.
inline constexpr uint64_t kHandoverNs = 200'000;

// TurnV1::card_free_ns: it had the card last, nobody else was there since.
inline constexpr uint64_t kCardWasItsOwn = 1;

// Limits page, a card: whether the tenant may submit now. Written by the arbiter alone.
struct TurnV1 {
  // Odd: it may. Raised by every change; processes that wait sleep on it (futex).
  std::atomic<uint32_t> word;
  // How far ahead of the card it may submit, in microseconds: more waits until the card is done
  // with so much of it. 0: as far as kMostAheadNs.
  std::atomic<uint32_t> most_ahead_us;
  // Renewed all the time. Past it, there is no arbiter and the word means nothing.
  std::atomic<uint64_t> valid_until_ns;
  std::atomic<uint64_t> granted_ns;  // in which the card was the tenant's
  // When the card is expected to be done with what the tenant before had in flight. Said before the
  // word becomes odd; it may be in the past. Later than was said if a process of that tenant waits
  // for it, and it is late. 0: not told, before minor version 1.
  std::atomic<uint64_t> card_free_ns;
  // From then on an odd word does not count: the tenant keeps to its static share until the arbiter
  // says a later end. So a cap holds though the arbiter is late. 0: no end, and before minor
  // version 2.
  std::atomic<uint64_t> ends_ns;
  // Since when others may use the card at the same time, so that what passes there is not this
  // tenant's alone; 0: nobody else may, and before minor version 3. And when that was last over.
  std::atomic<uint64_t> shared_since_ns;
  std::atomic<uint64_t> shared_until_ns;
};

// Usage page, a slot's card: the work of one process. Written by that process.
struct CardWorkV1 {
  std::atomic<uint64_t> used_ns;  // with all that is in flight
  // When the card is expected to be done with what is in flight; in the past: nothing is.
  std::atomic<uint64_t> busy_until_ns;
  std::atomic<uint64_t> waits_since_ns;  // the first of the calls that wait for a turn; 0: none
  std::atomic<uint64_t> waited_ns;       // by all calls together
};

// Usage page, a card: how long submitting calls waited, by all processes. Bucket b counts those of
// [2^b, 2^(b+1)) microseconds, the first also shorter ones, the last also longer ones.
inline constexpr uint32_t kWaitBuckets = 24;
struct WaitsV1 {
  std::atomic<uint32_t> count[kWaitBuckets];
};

static_assert(std::atomic<ComputeMode>::is_always_lock_free);
static_assert(sizeof(ComputeTermsV1) == 32 && std::is_standard_layout_v<ComputeTermsV1>);
static_assert(sizeof(TurnV1) == 56 && std::is_standard_layout_v<TurnV1>);
static_assert(sizeof(CardWorkV1) == 32 && std::is_standard_layout_v<CardWorkV1>);
static_assert(sizeof(WaitsV1) == 96 && std::is_standard_layout_v<WaitsV1>);

}  // namespace warpshare::abi
