// Code and arrays of a green context while that is destroyed. A driver may let go of them with it,
// as with any context, or keep them in the primary one, whose memory a green one shares; none says,
// and a handle that may be dead cannot be asked about. So what the driver reports is measured: if
// it falls by just what went, they went. If not, or if other threads leave no moment to measure,
// they stay charged, and go with the primary context.
//
// Their entries are out of their tables meanwhile, so that nobody else measures (growth.h).
#pragma once

#include "interposer/accounts/growth.h"
#include "interposer/accounts/live_table.h"

namespace warpshare::interposer {

class GreenContents {
 public:
  // Empty before and after each use, which is by one thread at a time.
  struct Tables {
    DenseLiveTable code;
    DenseLiveTable arrays;
  };

  // Before the driver is called. `context`: as which the green one is made current. `own_bytes`:
  // what that itself is charged, whose entry is out of its table already.
  GreenContents(Tables& tables, const Place& place, uint64_t own_bytes);
  // Whether there is anything to measure.
  bool IsMeasured() const { return bytes_ != 0; }
  // Once the driver has destroyed it, or has not.
  void Measure(bool is_destroyed);
  // Gives back what went with it, pointers too.
  void End(CUcontext primary);

 private:
  void TakeOut(LiveTable& from, DenseLiveTable& to);
  uint64_t BuryPointers();

  Tables& tables_;
  const Place place_;
  const uint64_t own_bytes_;
  uint64_t bytes_ = 0;  // of code and arrays
  bool is_destroyed_ = false;
  GrowthMeter meter_;
};

}  // namespace warpshare::interposer
