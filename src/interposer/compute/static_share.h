// How much of a card a process takes while there is no arbiter: its tenant's static share, by its
// own measure, parted equally among the tenant's processes that have work. So N processes get no
// more than one.
//
// Any thread; a lock is held for a look at the other processes' words, at most every 10 ms.
#pragma once

#include <cstdint>

#include "interposer/guest/lock.h"
#include "interposer/session/session.h"

namespace warpshare::interposer {

class StaticShare {
 public:
  // 0: work may be submitted now; otherwise for how long it has to wait.
  uint64_t WaitNs(Session& session, uint32_t card, uint64_t now_ns);

 private:
  void Refill(Session& session, uint32_t card, uint64_t now_ns);

  guest::Lock lock_;
  uint64_t looked_ns_ = 0;   // 0: never
  uint64_t used_ns_ = 0;     // by this process, when it was last looked at
  uint64_t counted_ns_ = 0;  // when the processes were counted
  uint32_t processes_ = 0;
  int64_t balance_ns_ = 0;  // GPU time
};

}  // namespace warpshare::interposer
