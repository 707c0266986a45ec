// What a driver call takes from a card when nobody names it: a context, code, a larger stack.
// Measured as the driver's report after the call less the one before, and what else this process
// did on the card meanwhile taken off.
//
// That "else" is known only up to what is in flight: a reservation may or may not be in the report
// yet. So a measurement is an interval, a point when the process is otherwise idle, and what is
// charged is the expected cost moved into it. Where the driver's list does not name this process,
// the whole card is measured, other tenants and all; then an expected cost is better.
#pragma once

#include <cstdint>

#include "interposer/accounts/driver_report.h"
#include "interposer/accounts/place.h"

namespace warpshare::interposer {

class GrowthMeter {
 public:
  explicit GrowthMeter(const Place& place) : account_(*place.account) {}

  // Takes the first report. False if there is no report to take.
  bool Begin();

  // Takes the second one and tells what was taken. `expected` 0: not known.
  uint64_t End(uint64_t expected);

  // Whether what End told was measured, and to the byte.
  bool is_exact() const { return is_exact_; }

 private:
  struct Snapshot {
    DriverReport report;
    // Between these is what this process's allocations take of the card.
    uint64_t data_least;
    uint64_t data_most;
  };
  void Take(Snapshot& snapshot) const;
  uint64_t WithinCard(const Snapshot& after, uint64_t expected) const;

  CardAccount& account_;
  Snapshot before_{};
  bool is_exact_ = false;
};

}  // namespace warpshare::interposer
