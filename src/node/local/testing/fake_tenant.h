// A tenant with one process, as an arbiter meets it: real files, and the words and futexes that
// docs/decisions/0005-gpu-time.md asks of the tenant's library, without its code.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "node/tenancy/fake/tenancy_fixture.h"
#include "node/tenancy/membership.h"
#include "platform/region_file/limits_file.h"
#include "platform/region_file/limits_mapping.h"

namespace warpshare::node {

uint64_t MonotonicNs();

// FUTEX_WAIT while the word is `value`; may end for no reason.
void SleepOn(const std::atomic<uint32_t>& word, uint32_t value);

class FakeTenant {
 public:
  // Takes slot 0 of the tenant. Its limits page is mapped as the tenant's processes map it: for
  // reading.
  FakeTenant(Membership membership, const platform::ComputeTerms& terms);

  ~FakeTenant();  // its process ends; the folder stays

  void SetTerms(const platform::ComputeTerms& terms, uint32_t card = 0);
  void Leave(const StateDir& state);  // takes its folder away

  // Says that it waits, calls, and sleeps until it may run.
  void AwaitTurn();
  void WorkFor(uint64_t ns);  // says that the card is busy with its work for so long
  void AwaitServed();         // sleeps until there is an arbiter, or until there is none
  void AwaitUnserved();
  void CutUsageShort();

  // Without an arbiter, no word holds.
  bool IsServed() const { return turn().valid_until_ns > MonotonicNs(); }
  bool MayRun() const { return (turn().word & 1) != 0; }
  const abi::TurnV1& turn() const { return limits_->cards[0].turn; }
  const TenantDir& dir() const { return membership_.tenant(); }

 private:
  void Call();

  Membership membership_;
  platform::LimitsMapping limits_;
  FakeProcess process_;
};

}  // namespace warpshare::node
