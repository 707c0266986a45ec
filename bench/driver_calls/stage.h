// The card as the figures need it: a tiny kernel, and one that keeps a stream busy meanwhile.
#pragma once

#include <string>

#include "bench/share/load/card.h"

namespace warpshare::driver_calls {

struct Stage {
  load::Card tiny;     // 5 us
  load::Card blocker;  // 1 ms

  explicit Stage(double rounds_per_us)
      : tiny(Kernel("5us", 5'000, rounds_per_us)),
        blocker(Kernel("1ms", 1'000'000, rounds_per_us)) {}

  const load::Driver& driver() const { return tiny.driver(); }
  CUstream stream() const { return tiny.stream(0); }
  void Block() const { blocker.Launch(stream()); }  // the stream has work for 1 ms
  void Drain() const { tiny.Synchronize(stream()); }

 private:
  static load::Options Kernel(const std::string& name, uint64_t lasts_ns, double rounds_per_us) {
    load::Options options;
    options.kernel = name;
    options.kernel_ns = lasts_ns;
    options.loops_per_us = rounds_per_us;
    return options;
  }
};

}  // namespace warpshare::driver_calls
