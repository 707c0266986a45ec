// Which part of a tenant's GPU time has been compared with what its processes were charged for it:
// all until a moment, and what work that was over by then was charged. As covered.h for one
// process, for all of them together: on the usage page, by CLOCK_MONOTONIC.
//
// A lap of one process has the others' work in it, and nobody can tell how much. But while any of
// them has a lap, the card is at the tenant's work. So what passes between the ends of two laps,
// whoever's they are, is what the work was to be charged that was over in between. What is half
// done makes it come out too high here and too low there: as much as may be in flight stays owed,
// to the tenant or by it, until it comes out the other way.
//
// Arithmetic on 16 bytes, which any process of the tenant may change at any time.
#pragma once

#include <cstdint>

#include "abi/region/compute.h"
#include "abi/region/usage_page.h"

namespace warpshare::interposer {

class TenantCover {
 public:
  struct Lap {
    uint64_t begin_ns;  // CLOCK_MONOTONIC
    uint64_t end_ns;
    uint64_t unsure_ns;  // so much of it may not have been the card's
    bool is_sole_news;   // all that ended before it began is known
    uint64_t most_ns;    // nor more than this, unless what is over by now was charged more
  };
  struct Stretch {
    uint64_t ns;          // what of the lap is new
    uint64_t charged_ns;  // for what was over since the lap before
    int64_t owed_ns;      // to be charged now; less than 0: to be given back
  };

  // No time is kept finer.
  static constexpr uint64_t kUnitNs = 64;
  // More than that is not owed: no more is in flight.
  static constexpr int64_t kOwedNs = abi::kMostAheadNs;

  // Work comes when all there was is expected to be over. `over_ns`: what all that is over was
  // charged so far, here and below.
  static void Begin(abi::Pair& pair, uint64_t now_ns, uint64_t over_ns);

  // A lap that is over. `counts`: what is owed for it, too.
  static Stretch Add(abi::Pair& pair, const Lap& lap, uint64_t over_ns, bool counts);
};

}  // namespace warpshare::interposer
