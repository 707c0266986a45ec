// Who leads, of several that want to: the one that holds a Lease object and keeps renewing it.
//
// Nobody's wall clock counts. Who waits takes the Lease over when it has seen no renewal for
// `duration` by its own clock; who leads stops before that, `renew_time` after the last renewal
// that went through, counted from when it was sent. So two never lead at once while all count with
// the same times and clocks run at one speed. This file decides; elector.h acts.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "platform/clock/clock.h"
#include "platform/json/json.h"
#include "result/result.h"

namespace warpshare::kube {

using platform::Clock;

// A new leader within duration + retry_time of the last renewal: the renewal is seen up to a
// retry_time late, and its end is not waited for any longer than needed.
struct LeaseTimes {
  std::chrono::milliseconds duration{1'500};
  std::chrono::milliseconds renew_time{1'000};  // less than duration
  std::chrono::milliseconds retry_time{250};    // between two looks of who waits
};

// What counts of the Lease object.
struct LeaseRecord {
  std::string holder = {};  // "": nobody; who leaves gives it back so
  int64_t transitions = 0;
  std::string renewed_at = {};        // changes with each renewal
  std::string resource_version = {};  // to change exactly this one
};

Result<LeaseRecord> ReadLease(json::View lease);

// The Lease as `holder` writes it; "" gives it back. Without a version: a new object.
struct LeaseWords {
  std::string space = {};
  std::string name = {};
  std::string holder = {};
  int64_t transitions = 0;
  std::string resource_version = {};
  std::chrono::milliseconds duration{};
  std::chrono::system_clock::time_point now = {};
};
std::string LeaseText(const LeaseWords& words);

// One candidate's view of the Lease.
class LeaseView {
 public:
  LeaseView(std::string identity, LeaseTimes times)
      : identity_(std::move(identity)), times_(times) {}

  // What a look at the server showed; none: there is no Lease yet.
  void Seen(std::optional<LeaseRecord> record, Clock::Time now);

  // Our own write went through; it was sent then.
  void Renewed(LeaseRecord record, Clock::Time sent);

  bool MayTake(Clock::Time now) const;  // by a write that replaces exactly what was seen
  // From then on, if nobody writes before.
  Clock::Time may_take_at() const { return changed_at_ + times_.duration; }
  bool MayLead(Clock::Time now) const;  // false: stop, whatever the server may say later
  Clock::Time leads_until() const { return led_from_ + times_.renew_time; }

  void StopLeading() { leads_ = false; }

  const std::optional<LeaseRecord>& record() const { return record_; }
  // How often the holder will have changed when we write the next one.
  int64_t next_transitions() const;

 private:
  const std::string identity_;
  const LeaseTimes times_;
  std::optional<LeaseRecord> record_;
  Clock::Time changed_at_{};  // when we first saw the record as it is
  Clock::Time led_from_{};
  bool leads_ = false;
};

}  // namespace warpshare::kube
