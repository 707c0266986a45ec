// One tenant's words of one card, as the policies want them: its terms from the limits page, its
// work from the usage page, which is untrusted.
//
// What a hostile page can do: have its tenant charged for time it did not use, or waste the time of
// its own turns. Claiming less than it used is possible, as by a driver library of its own
// (docs/decisions/0005-gpu-time.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "node/arbiter/slot_work.h"
#include "node/arbiter/tenant_pages.h"
#include "policy/share/snapshot.h"

namespace warpshare::node {

class TenantWork {
 public:
  TenantWork(share::TenantId id, const TenantPages& pages);

  // Reads both pages. `may_run_since_ns` is when the tenant was last told to run; UINT64_MAX: it
  // was told to wait.
  void Look(uint64_t now_ns, uint64_t may_run_since_ns);

  // As of the last look. `used_ns` is the sum over all processes that ever were.
  const share::Tenant& tenant() const { return tenant_; }
  bool is_held_back() const { return is_held_back_; }  // false: ComputeMode::kNone
  // When the card is expected to be done with what is in flight, and by when it surely is; in the
  // past: nothing is in flight.
  uint64_t busy_until_ns() const { return busy_until_ns_; }
  uint64_t surely_until_ns() const { return surely_until_ns_; }
  bool is_overdue() const { return is_overdue_; }  // some of it, and somebody waits for it
  // Of a tenant that has no work and has worked since the look before: since when it would have had
  // work without a break, if that was so. 0: it has not worked, or has work.
  uint64_t worked_since_ns() const { return worked_since_ns_; }
  bool waits() const { return waits_; }  // a call of it does
  bool IsSeenWhole() const;              // false: some of its processes are looked at next time

  // The attention word as it was before the look: sleep on it while it is this, unless the tenant
  // cut its file short: there may be no such word then.
  uint32_t attention() const { return attention_; }
  bool is_cut_short() const { return is_cut_short_; }

  // The tenant had the card to itself for so long without saying what it used: that was it. If it
  // `will_be_reported`, it is not counted again then.
  void ChargeByClock(uint64_t ns, bool will_be_reported);

  // What is wrong with the pages, for the log; usually empty.
  const std::string& problem() const { return problem_; }

 private:
  void ReadTermsPage();
  bool ReadUsagePage(uint64_t now_ns, uint64_t may_run_since_ns);
  bool FitSlots(uint64_t now_ns);
  uint64_t ReadSlots(uint32_t first, uint32_t count, uint64_t now_ns, uint64_t may_run_since_ns);
  void GrowRoom(uint64_t now_ns, uint64_t may_run_since_ns);
  uint64_t Together(uint64_t sum_ns, uint64_t most_ns);
  void Book(uint64_t used_ns);
  void Conclude(uint64_t now_ns);
  SlotWords WordsOf(const std::byte* slot) const;

  TenantPages pages_;
  share::Tenant tenant_;
  bool is_held_back_ = true;
  std::vector<SlotWork> slots_;  // to the ceiling
  std::vector<std::byte> copy_;  // of the slots that are looked at
  uint32_t next_slot_ = 0;       // of those that are not looked at every time
  uint64_t looked_ns_ = 0;       // 0: never
  uint64_t room_ns_ = 0;         // of its time with the card, what no process has told yet
  uint64_t busy_until_ns_ = 0;
  uint64_t surely_until_ns_ = 0;
  bool is_overdue_ = false;
  uint64_t worked_since_ns_ = 0;
  bool waits_ = false;
  uint64_t charged_ahead_ns_ = 0;  // by the clock, and not reported yet
  uint32_t attention_ = 0;
  bool is_cut_short_ = false;
  std::string problem_;
};

}  // namespace warpshare::node
