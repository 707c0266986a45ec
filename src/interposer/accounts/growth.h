// What a driver call takes from a card when nobody names it: a context, code, a larger stack.
// Measured as the driver's report after the call less the one before, in a process that does
// nothing else on the card meanwhile: what is in flight may or may not be in a report, and drivers
// round up what they are asked for. Where other threads leave no such moment, the call is taken to
// cost what is expected; with nothing to expect, what this process was charged for meanwhile is
// taken off. Where the driver's list does not name this process, or not what it has, as in many
// containers, the whole card is measured, other tenants and all; then an expected cost is better.
#pragma once

#include <cstdint>

#include "interposer/accounts/place.h"
#include "interposer/accounts/report_snapshot.h"

namespace warpshare::interposer {

class GrowthMeter {
 public:
  explicit GrowthMeter(const Place& place) : account_(*place.account) {}

  // Takes the first report. `held`: what the caller holds for the call. False if there is no report
  // to take.
  bool Begin(uint64_t held, uint64_t expected);

  // No context and no code takes more; a measurement that says so saw somebody else.
  static constexpr uint64_t kMostBelievable = uint64_t{8} << 30;

  // Takes the second one and tells what was taken, with a context of this process on the card.
  // `expected` 0: not known. Of this process's own part nothing above `most` is believed; of the
  // whole card's, the caller has to judge.
  uint64_t End(uint64_t expected, uint64_t most = kMostBelievable);

  // Once `charged` is what the call is charged, and nothing is held for it any more: what the
  // report has of this process beyond what it is charged for is known from now on (late_growth.h).
  void Settle(uint64_t charged);

  // Whether what End told was measured, and to the byte.
  bool is_exact() const { return is_exact_; }
  // What was let go of, if that is so.
  uint64_t fall() const { return fall_; }

 private:
  void Take(ReportSnapshot& snapshot, uint64_t expected) const;
  uint64_t OfCard(const ReportSnapshot& after, uint64_t expected) const;

  CardAccount& account_;
  uint64_t held_ = 0;
  ReportSnapshot before_{};
  bool is_told_ = false;       // what this process has, by a report after the call, all charged
  uint64_t reported_ = 0;      // that
  uint64_t charged_then_ = 0;  // at that moment, with what is held
  bool is_exact_ = false;
  uint64_t fall_ = 0;
};

}  // namespace warpshare::interposer
