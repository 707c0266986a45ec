// What one context takes of a card: learned once for a tenant, kept in the usage page.
//
// While it is not known one process measures it, and has its slot in CardUsageV1::context_prober
// for as long; the others wait for the result. A prober that died is replaced. Nobody waits longer
// than two seconds: who does not get the result measures too.
#pragma once

#include <cstdint>

#include "interposer/session/session.h"

namespace warpshare::interposer {

class ContextCost {
 public:
  // `card` of an open session.
  ContextCost(Session& session, uint32_t card)
      : session_(session), usage_(session.usage().cards[card]) {}

  // 0: not known, and it is this process's turn to measure it and to call Publish.
  uint64_t Await();

  // Also ends this process's turn. 0: it was not found out.
  void Publish(uint64_t bytes);

 private:
  bool TakeTurn();

  Session& session_;
  abi::CardUsageV1& usage_;
};

}  // namespace warpshare::interposer
