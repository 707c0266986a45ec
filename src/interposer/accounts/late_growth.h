// What a driver call takes of the current context's card though the program asked for no memory
// and the call mostly takes none: code that drivers load late, stacks that grow, what they keep for
// a graph. Such calls are many, so seeing that nothing was taken costs two questions after the
// card's free memory, some microseconds. Only where that fell the driver's report is read, which
// takes a hundred times as long, and says whose doing it was: charged is what this process has
// grown by beyond what it is charged for since the last report, and never more than the card lost.
// What the driver rounds up between two reports counts, too, if the card lost as much meanwhile by
// another's doing; that is 2 MiB for an allocation.
//
// Where the report does not tell what this process has, as in many containers, it is what the card
// lost less what the tenant was charged for meanwhile, if that is no more than a function's code
// may be: more is another's doing.
#pragma once

#include <atomic>
#include <cstdint>

#include "interposer/accounts/place.h"
#include "interposer/guest/function_ref.h"
#include "interposer/guest/lock.h"

namespace warpshare::interposer {

// Of one card: how much more the driver reports of this process than it is charged for.
class ReportGap {
 public:
  // Of a report by which all was charged that is to be.
  void Learn(uint64_t reported, uint64_t charged);

 private:
  friend class LateGrowth;

  guest::Lock lock_;  // from a report until what it tells is charged
  int64_t gap_ = 0;
  bool is_known_ = false;
  // Calls that may have taken something and did not charge it yet.
  std::atomic<uint32_t> open_ = 0;
};

class LateGrowth {
 public:
  // Takes the current context's card as it is now; `place` is the context's.
  explicit LateGrowth(const Place& place);

  // Charges what was taken meanwhile, over the limit if need be: it is there. `enter(bytes)` enters
  // it, before anybody else compares. To be called once.
  using Enter = guest::FunctionRef<void(uint64_t bytes)>;
  void Charge(Enter enter);

 private:
  ReportGap& gap() const;
  void ChargeGrown(uint64_t lost, Enter enter) const;
  bool AwaitQuiet() const;
  uint64_t GrownByReport(uint64_t lost, uint64_t reported, uint64_t charged) const;
  uint64_t GrownByCard(uint64_t lost) const;

  const Place& place_;
  uint64_t free_ = 0;     // 0: not known
  uint64_t charged_ = 0;  // to the tenant, when it began
};

}  // namespace warpshare::interposer
