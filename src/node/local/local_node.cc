#include "node/local/local_node.h"

#include <algorithm>
#include <optional>

namespace warpshare::node {

namespace {

using platform::Clock;
using std::chrono::milliseconds;

// What is not watched is looked for this often while there are tenants.
constexpr milliseconds kLookAgain{1'000};
// And at most this often, whoever calls.
constexpr milliseconds kRest{2};

class Service {
 public:
  Service(const StateDir& state, NodeLock& lock, const AttendancePorts& ports)
      : lock_(lock), ports_(ports), attendance_(state, ports) {}

  void Run(const platform::SignalQueue& signals, const LocalNodeTerms& terms) {
    attendance_.Look();
    terms.tell_ready();
    quiet_since_ = ports_.clock.Now();
    while (!IsOver(terms.linger)) {
      const auto wait = std::chrono::ceil<milliseconds>(Wait(terms.linger)).count();
      if (signals.Next(static_cast<int>(wait), ports_.watch.descriptor())) {
        ports_.log.Line("told to end");
        return;
      }
      Look();
    }
  }

 private:
  void Look() {
    ports_.watch.Acknowledge();
    attendance_.Look();
    if (attendance_.IsAnybodySeated()) quiet_since_ = ports_.clock.Now();
    ports_.clock.Sleep(kRest);
  }

  Clock::Duration Wait(std::optional<milliseconds> linger) const {
    if (!linger || attendance_.IsAnybodySeated()) return kLookAgain;
    const auto left = quiet_since_ + *linger - ports_.clock.Now();
    return std::clamp<Clock::Duration>(left, milliseconds(0), kLookAgain);
  }

  bool IsOver(std::optional<milliseconds> linger) {
    if (!lock_.IsInPlace()) {
      ports_.log.Line("the state folder is gone: nothing to serve");
      return true;
    }
    if (!linger || attendance_.IsAnybodySeated() || ports_.clock.Now() - quiet_since_ < *linger)
      return false;
    return HasHandedBack();
  }

  // Whoever brings a tenant finds the lock free and starts another node, or brought it before the
  // lock was given back and is seen now.
  bool HasHandedBack() {
    if (!lock_.Release()) return true;
    if (attendance_.IsAnybodyExpected()) {
      const auto taken = lock_.Retake();
      if (taken && *taken) return false;
    }
    ports_.log.Line("nobody shares a card: ended");
    return true;
  }

  NodeLock& lock_;
  AttendancePorts ports_;
  Attendance attendance_;
  Clock::Time quiet_since_;
};

}  // namespace

void ServeLocally(const StateDir& state, NodeLock& lock, const AttendancePorts& ports,
                  const platform::SignalQueue& signals, const LocalNodeTerms& terms) {
  Service(state, lock, ports).Run(signals, terms);
}

}  // namespace warpshare::node
