// The thread of one card's arbiter: steps, then sleeps until a tenant calls for attention or until
// the time that the step said. All calls may come from any thread.
#pragma once

#include <atomic>
#include <thread>
#include <vector>

#include "node/arbiter/card_arbiter.h"
#include "platform/clock/clock.h"
#include "platform/futex/futex.h"
#include "platform/futex/inheriting_mutex.h"

namespace warpshare::node {

class CardLoop {
 public:
  CardLoop(const platform::Clock& clock, platform::Futex& futex);
  ~CardLoop();  // ends the thread and removes all tenants
  CardLoop(const CardLoop&) = delete;
  CardLoop& operator=(const CardLoop&) = delete;

  void Add(share::TenantId id, const TenantPages& pages);
  void Remove(share::TenantId id);
  std::vector<CardArbiter::Problem> Problems() const;
  uint64_t handover_ns() const { return handover_ns_; }  // card_arbiter.h

  // Something changed that no tenant calls for: terms. Without it they count within kRenewNs.
  void LookNow();

 private:
  void Run();

  const platform::Clock& clock_;
  platform::Futex& futex_;
  mutable platform::InheritingMutex mutex_;  // of the arbiter; not held while sleeping
  CardArbiter arbiter_;
  std::atomic<bool> has_problems_ = false;  // so that asking takes no lock while there are none
  std::atomic<uint64_t> handover_ns_ = 0;
  std::atomic<uint32_t> nudges_ = 0;  // slept on beside the tenants' words
  std::atomic<bool> ends_ = false;
  std::thread thread_;
};

}  // namespace warpshare::node
