// A card, tenants that obey turns through pages in memory, and an arbiter, in simulated time. The
// card runs kernels one after the other, whoever's they are; it is what knows who used it.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "abi/region/usage_page.h"
#include "node/arbiter/card_arbiter.h"

namespace warpshare::node {

inline constexpr uint64_t kUs = 1'000;
inline constexpr uint64_t kMs = 1'000'000;
inline constexpr uint64_t kSecond = 1'000'000'000;

// Pages in memory; the usage page as the tenant sees it.
class FakePages final : public TenantUsage {
 public:
  FakePages(abi::ComputeMode mode, uint32_t share_permille, uint32_t weight = 1);

  bool Copy(uint64_t offset, std::span<std::byte> untrusted_copy) const override;
  bool IsSlotHeld(uint32_t slot) const override { return slot != dead_slot; }

  TenantPages Pages();
  abi::CardLimitsV1& card() { return limits->cards[0]; }
  abi::CardWorkV1& Work(uint32_t slot) { return usage->slots[slot].work[0]; }
  // It waits for its work in flight, which may end so much later than it says.
  void AwaitEnd(uint64_t late_us = 0) {
    usage->slots[0].awaited_us_plus_1[0] = static_cast<uint32_t>(late_us) + 1;
  }
  void AwaitNothing() { usage->slots[0].awaited_us_plus_1[0] = 0; }
  void TakeSlot(uint32_t slot);
  bool MayRun() const { return (limits->cards[0].turn.word.load() & 1) != 0; }
  bool HasTurn(uint64_t now_ns) const {
    const uint64_t ends_ns = limits->cards[0].turn.ends_ns;
    return MayRun() && (ends_ns == 0 || now_ns < ends_ns);
  }
  void Call() { usage->attention.fetch_add(1); }

  std::unique_ptr<abi::LimitsPageV1> limits = std::make_unique<abi::LimitsPageV1>();
  std::unique_ptr<abi::UsagePageV1> usage = std::make_unique<abi::UsagePageV1>();
  std::optional<uint32_t> dead_slot;
  bool is_cut_short = false;
};

// Counts wakes; nobody sleeps in simulated time.
class CountingFutex final : public platform::Futex {
 public:
  void WakeAll(const std::atomic<uint32_t>&) override { ++wakes; }
  void WaitAny(std::span<const platform::FutexWait>, uint64_t) override {}
  void WakeMePrecisely() override {}

  uint64_t wakes = 0;
};

struct Program {
  uint64_t kernel_ns = 200 * kUs;
  uint64_t ahead_ns = 1 * kMs;  // launched so far ahead, at least one kernel
  uint64_t from_ns = 0;
  uint64_t burst_kernels = 0;  // so many at once, this often; 0: without end
  uint64_t period_ns = 0;
  uint64_t gap_ns = 0;  // its thread needs so long before each launch
};

class CardPlay {
 public:
  // The card does nothing for so long before another tenant's work.
  explicit CardPlay(uint64_t switch_ns = 0) : switch_ns_(switch_ns) {}

  // Returns the player's number.
  size_t Join(abi::ComputeMode mode, uint32_t share_permille, Program program);
  void Leave(size_t player);  // the tenant is removed
  void Kill(size_t player);   // its process: what it said last stays on the page
  void Lie(size_t player, void (*write)(FakePages& pages, uint64_t now_ns));  // before every step

  void RunUntil(uint64_t end_ns);
  // The arbiter does nothing before then, as when the processors are busy.
  void HoldArbiterUntil(uint64_t ns) { arbiter_held_until_ns_ = ns; }

  double Share(size_t player, uint64_t from_ns, uint64_t to_ns) const;
  FakePages& pages(size_t player) { return *players_[player].pages; }
  CardArbiter& arbiter() { return arbiter_; }
  uint64_t now_ns() const { return now_ns_; }
  uint64_t most_odd_words() const { return most_odd_words_; }
  // Kernels that were submitted while another tenant's had longer to run than a handover allows.
  uint64_t overlaps() const { return overlaps_; }
  uint64_t wakes() const { return futex_.wakes; }

 private:
  struct Player {
    std::unique_ptr<FakePages> pages;
    Program program;
    uint64_t left_kernels;
    uint64_t next_burst_ns;
    bool lives = true;
    bool sits = true;
    uint64_t queued = 0;
    uint64_t next_launch_ns = 0;
    uint64_t saw_turn_ns = 0;
    bool saw_odd = false;
    void (*lie)(FakePages&, uint64_t) = nullptr;
    std::vector<uint64_t> used_by_ms = {};
  };
  struct Kernel {
    size_t player;
    uint64_t begin_ns;
    uint64_t end_ns;
  };

  uint64_t FreeFor(size_t player) const;
  void RunCard();
  void Submit(size_t index);
  bool Wait(Player& player);
  void StepArbiter();

  uint64_t switch_ns_;
  CountingFutex futex_;
  std::vector<Player> players_;
  CardArbiter arbiter_{futex_};
  std::deque<Kernel> card_;
  std::optional<size_t> last_on_card_;
  uint64_t now_ns_ = kSecond;
  uint64_t next_step_ns_ = 0;
  uint64_t arbiter_held_until_ns_ = 0;
  uint64_t most_odd_words_ = 0;
  uint64_t overlaps_ = 0;
};

}  // namespace warpshare::node
