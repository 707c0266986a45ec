// The node of one state folder, from its lock to its end: it ends when it is told to, when nobody
// was seated for a while, or when the folder is gone.
#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "node/local/attendance.h"
#include "node/local/node_lock.h"
#include "platform/process/signal_queue.h"

namespace warpshare::node {

struct LocalNodeTerms {
  // It stays for so long when nobody shares a card any more; none: until it is told to end.
  std::optional<std::chrono::milliseconds> linger;
  std::function<void()> tell_ready;  // called once, when all tenants that are there are served
};

// Returns when the node ended; none of its threads is left then. `signals` has those that end it.
void ServeLocally(const StateDir& state, NodeLock& lock, const AttendancePorts& ports,
                  const platform::SignalQueue& signals, const LocalNodeTerms& terms);

}  // namespace warpshare::node
