// Whose turn it is to measure what all processes of a tenant want to know. The others wait for the
// result. Who has the turn has its slot in a word of the usage page; one that died is replaced.
// Who has lost patience, as the call of the one with the turn hangs, measures too, without a turn.
#pragma once

#include <atomic>
#include <cstdint>

#include "interposer/session/patience.h"
#include "interposer/session/session.h"

namespace warpshare::interposer {

class MeasuringTurn {
 public:
  // `holder` is on the usage page of an open session, `is_ours` this process's own word beside it.
  MeasuringTurn(Session& session, std::atomic<uint64_t>& holder, std::atomic<bool>& is_ours)
      : session_(session), holder_(holder), is_ours_(is_ours) {}

  // Waits until it is the caller's turn, or returns false: `is_known()`, or patience is over.
  template <typename IsKnown>
  bool Await(IsKnown is_known, Patience& patience) {
    while (!is_known()) {
      if (Take()) return true;
      if (patience.IsOver()) return false;
      Sleep();
    }
    return false;
  }

  void End();

 private:
  bool Take();
  bool TakeFromOthers();
  void Sleep();

  Session& session_;
  std::atomic<uint64_t>& holder_;  // slot + 1; 0: nobody
  std::atomic<bool>& is_ours_;     // one thread of this process has the turn, or tries to get it
};

}  // namespace warpshare::interposer
