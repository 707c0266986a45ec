// What two events with nothing between them are apart: the card takes so long to get from one to
// what follows it (one or two microseconds), which is in all that is measured between two. Without
// it a kernel of 5 us that is timed alone looks as if it took 7.
//
// Measured now and then by a third event. Whatever disturbs that makes it longer, so it is the
// least of the last ones. One user at a time; zero is valid: nothing known yet.
#pragma once

#include <cstdint>

namespace warpshare::interposer {

class EventZero {
 public:
  bool IsDue(uint64_t now_ns) const { return now_ns >= due_ns_; }

  void Add(uint64_t apart_ns, uint64_t now_ns) {
    if (apart_ns > kMostNs) return;
    last_ns_[count_++ % kKept] = apart_ns;
    if (count_ >= kKept) due_ns_ = now_ns + kPauseNs;
  }

  uint64_t ns() const {
    const uint32_t kept = count_ < kKept ? count_ : kKept;
    uint64_t least_ns = kept == 0 ? 0 : last_ns_[0];
    for (uint32_t i = 1; i < kept; ++i)
      if (last_ns_[i] < least_ns) least_ns = last_ns_[i];
    return least_ns;
  }

  // Of what lasted so long between two events, what the card was at the work. At least half: no
  // work is so short that more of it could be the events'.
  uint64_t Without(uint64_t lasted_ns) const {
    const uint64_t ns = this->ns();
    return ns < lasted_ns / 2 ? lasted_ns - ns : lasted_ns - lasted_ns / 2;
  }

 private:
  static constexpr uint32_t kKept = 8;
  static constexpr uint64_t kMostNs = 5'000;  // longer: something was in between
  static constexpr uint64_t kPauseNs = 1'000'000'000;

  uint64_t last_ns_[kKept] = {};
  uint32_t count_ = 0;
  uint64_t due_ns_ = 0;
};

}  // namespace warpshare::interposer
