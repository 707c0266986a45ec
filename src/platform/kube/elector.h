// Takes part in an election by a Lease (lease.h) until destroyed.
//
// On the loop's thread. `leads` and `lost` alternate, `leads` first. `lost` comes before anybody
// else can lead, on the candidate's own clock, unless the process was stopped then: see IsLeader.
// What it set going must not go on after.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "platform/kube/client.h"
#include "platform/kube/lease.h"

namespace warpshare::kube {

struct ElectorOptions {
  ObjectName lease = {};
  std::string identity = {};  // of this process alone, as in "<pod name>_<uid>"
  LeaseTimes times = {};
};

struct ElectorEvents {
  std::function<void()> leads;
  std::function<void()> lost;
  std::function<void(const Error&)> trouble = [](const Error&) {};  // it goes on by itself
};

class Elector {
 public:
  Elector(Client& client, const Clock& clock, ElectorOptions options, ElectorEvents events);
  ~Elector();

  void Start();
  // Timers may be late: a process that was stopped and goes on finds first what has come meanwhile.
  // So this asks the clock, and where the time of the lead is over calls `lost` before it answers.
  // To be asked before anything that a leader alone may do.
  bool IsLeader();
  const std::string& holder() const;  // as last seen; "" when nobody

  // Stops taking part: `lost` if it leads, and the Lease is given back, so that another need not
  // wait for its end. `released` is called when the server has answered, or soon after when it does
  // not.
  void Release(std::function<void()> released);

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace warpshare::kube
