// Whether a tenant has work on a card that none of its threads waits for, as its processes tell
// each other on the usage page by when one was last met. Queues are met all the time; a thread that
// loses its processor before it waits makes it look like one, once.
//
// Any thread of any process. A store that is lost is made again.
#pragma once

#include <atomic>
#include <cstdint>

#include "interposer/compute/timing.h"

namespace warpshare::interposer {

// The first for long counts for a quarter of the time, unless there is another one meanwhile.
inline constexpr uint64_t kOnceUnwaitedNs = kUnwaitedNs / 4;
// More often nobody looks.
inline constexpr uint64_t kUnwaitedPauseNs = kUnwaitedNs / 16;

inline bool IsUnwaited(const std::atomic<uint64_t>& unwaited_ns, uint64_t now_ns) {
  return unwaited_ns.load(std::memory_order_relaxed) + kUnwaitedNs > now_ns;
}

inline void NoteUnwaited(std::atomic<uint64_t>& unwaited_ns, uint64_t now_ns) {
  const uint64_t since_ns = now_ns - unwaited_ns.load(std::memory_order_relaxed);
  const uint64_t once_since_ns = kUnwaitedNs - kOnceUnwaitedNs;
  if (since_ns < kUnwaitedPauseNs) return;
  if (since_ns >= once_since_ns && since_ns < once_since_ns + kUnwaitedPauseNs) return;
  const bool is_first = since_ns >= kUnwaitedNs;
  unwaited_ns.store(is_first ? now_ns - once_since_ns : now_ns, std::memory_order_relaxed);
}

}  // namespace warpshare::interposer
