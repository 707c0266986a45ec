// How often a tenant may call for attention. Beyond that it is heard at the window's end, so that
// no tenant can keep the arbiter from the others.
#pragma once

#include <cstdint>

#include "node/arbiter/timing.h"

namespace warpshare::node {

class CallLimit {
 public:
  void Note(uint32_t attention, uint64_t now_ns) {
    if (now_ns - window_began_ns_ >= kCallWindowNs) {
      window_began_ns_ = now_ns;
      calls_ = 0;
    }
    if (attention != attention_) ++calls_;
    attention_ = attention;
  }

  bool IsReached() const { return calls_ >= kMostCalls; }
  uint64_t window_end_ns() const { return window_began_ns_ + kCallWindowNs; }

 private:
  uint64_t window_began_ns_ = 0;
  uint32_t attention_ = 0;
  uint32_t calls_ = 0;
};

}  // namespace warpshare::node
