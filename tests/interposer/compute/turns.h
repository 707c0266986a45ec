// A card's arbiter as far as a tenant sees it, in the test's hand: gives and takes the turn, and
// reads what the tenant publishes.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <climits>
#include <cstdint>

#include "tenant_dir.h"

namespace warpshare::testing {

inline uint64_t NowNs() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

// Looks until `condition` holds; false if it does not within a time in which anything should have.
template <typename Condition>
bool Eventually(Condition condition) {
  constexpr uint64_t kPatienceNs = 10'000'000'000;
  constexpr timespec kPause = {.tv_sec = 0, .tv_nsec = 50'000};
  for (const uint64_t begin_ns = NowNs(); !condition(); nanosleep(&kPause, nullptr)) {
    if (NowNs() - begin_ns > kPatienceNs) return false;
  }
  return true;
}

class Turns {
 public:
  // The turn is the tenant's, for ever.
  explicit Turns(TenantDir& dir, uint32_t card = 0) : dir_(dir), card_(card) {
    abi::CardLimitsV1& limits = dir_.limits().cards[card_];
    limits.compute.share_permille = 1000;
    limits.compute.weight = 1;
    limits.compute.mode = abi::ComputeMode::kHard;
    Renew(UINT64_MAX);
    Give();
  }

  void Give() {
    if ((word() & 1) == 0) Change();
  }
  void Take() {
    if ((word() & 1) != 0) Change();
  }
  // Given and taken again before anybody could have seen it.
  void Miss() { ChangeBy(2); }
  // 0: there is no arbiter.
  void Renew(uint64_t valid_until_ns) { turn().valid_until_ns = valid_until_ns; }
  // Before the turn is given: the card is at somebody else's work until then.
  void LeaveCardBusyUntil(uint64_t ns) { turn().card_free_ns = ns; }
  // It does not count from then on; 0: as long as it is given.
  void EndAt(uint64_t ns) { turn().ends_ns = ns; }
  // From now on others may use the card, too; they may not any more, and are done.
  void BeginSharing() { turn().shared_since_ns = NowNs(); }
  void EndSharing() {
    turn().shared_until_ns = NowNs();
    turn().shared_since_ns = 0;
  }
  void LimitFlight(uint32_t most_ahead_us) { turn().most_ahead_us = most_ahead_us; }
  void Promise(uint32_t share_permille) { limits().compute.share_permille = share_permille; }
  void Share(abi::ComputeMode mode) { limits().compute.mode = mode; }

  // By all processes there ever were.
  uint64_t UsedNs() const {
    uint64_t used_ns = 0;
    for (uint32_t slot = 0; slot < slots(); ++slot) used_ns += work(slot).used_ns;
    return used_ns;
  }
  bool IsAwaited() const {
    for (uint32_t slot = 0; slot < slots(); ++slot)
      if (work(slot).waits_since_ns != 0) return true;
    return false;
  }
  // What the first process has in flight, as it expects.
  uint64_t AheadNs() const {
    const uint64_t end_ns = work(0).busy_until_ns;
    const uint64_t now_ns = NowNs();
    return end_ns > now_ns ? end_ns - now_ns : 0;
  }
  // The first process waits for its work; how much later than it expects that may end.
  bool IsEndAwaited() const { return awaited_word() != 0; }
  uint64_t LateUs() const { return awaited_word() == 0 ? 0 : awaited_word() - 1; }
  uint64_t WaitedNs() const { return work(0).waited_ns; }
  // Of at least so long.
  uint32_t WaitsCounted(uint64_t least_us = 0) const {
    uint32_t count = 0;
    for (uint32_t bucket = 0; bucket < abi::kWaitBuckets; ++bucket)
      if ((uint64_t{1} << bucket) >= least_us)
        count += dir_.usage().waits[card_].count[bucket].load();
    return count;
  }

  std::atomic<uint32_t>& attention() const { return dir_.usage().attention; }
  const abi::CardWorkV1& work(uint32_t slot) const { return dir_.usage().slots[slot].work[card_]; }

 private:
  uint32_t awaited_word() const { return dir_.usage().slots[0].awaited_us_plus_1[card_]; }
  abi::CardLimitsV1& limits() const { return dir_.limits().cards[card_]; }
  abi::TurnV1& turn() const { return limits().turn; }
  uint32_t word() const { return turn().word; }
  uint32_t slots() const { return dir_.usage().slot_ceiling; }
  void Change() { ChangeBy(1); }
  void ChangeBy(uint32_t steps) {
    turn().word.fetch_add(steps);
    syscall(SYS_futex, &turn().word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
  }

  TenantDir& dir_;
  uint32_t card_;
};

}  // namespace warpshare::testing
