// A thread that waits for the end of what is in flight, and will tell the arbiter when it sees it.
// As long as there is one, the arbiter knows that what should have ended has not, and where lengths
// vary it waits for that.
#pragma once

#include <cstdint>

#include "interposer/compute/card_meter.h"

namespace warpshare::interposer {

class Telling {
 public:
  Telling(CardMeter& meter, Session& session, uint32_t card)
      : meter_(meter), session_(session), card_(card) {}
  ~Telling() { Tell(false); }
  Telling(const Telling&) = delete;
  Telling& operator=(const Telling&) = delete;

  void Tell(bool tells) {
    if (tells == tells_) return;
    tells_ = tells;
    tells ? meter_.BeginTelling(session_, card_) : meter_.EndTelling(session_, card_);
  }

 private:
  CardMeter& meter_;
  Session& session_;
  const uint32_t card_;
  bool tells_ = false;
};

}  // namespace warpshare::interposer
