#include "interposer/compute/static_share.h"

#include "interposer/compute/timing.h"

namespace warpshare::interposer {

namespace {

constexpr uint64_t kCountPauseNs = 10'000'000;
constexpr uint64_t kRecentNs = 100'000'000;  // work that long ago makes a process count
constexpr uint64_t kLongNs = 1'000'000'000;  // no process sat still for longer, as far as it counts
constexpr uint64_t kWholeCard = 1000;        // permille

bool HasWork(const abi::CardWorkV1& work, uint64_t now_ns) {
  return work.busy_until_ns.load(std::memory_order_relaxed) + kRecentNs > now_ns ||
         work.waits_since_ns.load(std::memory_order_relaxed) + kLongNs > now_ns;
}

// Those that have work; the caller does.
uint32_t CountProcesses(const abi::UsagePageV1& usage, uint32_t own_slot, uint32_t card,
                        uint64_t now_ns) {
  uint32_t count = 1;
  const uint32_t ceiling = usage.slot_ceiling.load(std::memory_order_relaxed);
  for (uint32_t slot = 0; slot < ceiling && slot < abi::kProcessSlots; ++slot) {
    const bool lives =
        (usage.slots[slot].owner.generation.load(std::memory_order_relaxed) & 1) != 0;
    count += slot != own_slot && lives && HasWork(usage.slots[slot].work[card], now_ns);
  }
  return count;
}

uint64_t ShareOf(const abi::ComputeTermsV1& terms) {
  const uint64_t share = terms.share_permille.load(std::memory_order_relaxed);
  return share == 0 || share > kWholeCard ? kWholeCard : share;
}

}  // namespace

uint64_t StaticShare::WaitNs(Session& session, uint32_t card, uint64_t now_ns) {
  const uint64_t share = ShareOf(session.limits().cards[card].compute);
  if (share == kWholeCard) return 0;
  const guest::LockGuard guard(lock_);
  Refill(session, card, now_ns);
  if (balance_ns_ >= 0) return 0;
  return static_cast<uint64_t>(-balance_ns_) * kWholeCard * processes_ / share;
}

void StaticShare::Refill(Session& session, uint32_t card, uint64_t now_ns) {
  const uint64_t used_ns =
      session.usage().slots[session.slot()].work[card].used_ns.load(std::memory_order_relaxed);
  if (now_ns - counted_ns_ >= kCountPauseNs) {
    processes_ = CountProcesses(session.usage(), session.slot(), card, now_ns);
    counted_ns_ = now_ns;
  }
  uint64_t passed_ns = now_ns - looked_ns_;
  if (looked_ns_ == 0 || passed_ns > kLongNs) {  // there was an arbiter meanwhile, or no work
    balance_ns_ = 0;
    used_ns_ = used_ns;
    passed_ns = 0;
  }
  const uint64_t share = ShareOf(session.limits().cards[card].compute);
  balance_ns_ += static_cast<int64_t>(passed_ns * share / kWholeCard / processes_);
  if (balance_ns_ > static_cast<int64_t>(kStaticBurstNs)) balance_ns_ = kStaticBurstNs;
  balance_ns_ -= static_cast<int64_t>(used_ns - used_ns_);
  used_ns_ = used_ns;
  looked_ns_ = now_ns;
}

}  // namespace warpshare::interposer
