#include "node/arbiter/tenant_work.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "abi/region/usage_page.h"
#include "node/arbiter/terms_reading.h"
#include "node/arbiter/timing.h"
#include "policy/share/standing.h"

namespace warpshare::node {

namespace {

uint64_t WordAt(const std::byte* slot, size_t offset) {
  uint64_t word = 0;
  std::memcpy(&word, slot + offset, sizeof(word));
  return word;
}

}  // namespace

TenantWork::TenantWork(share::TenantId id, const TenantPages& pages)
    : pages_(pages), tenant_{.id = id, .terms = {}, .wants = false, .since_ns = 0, .used_ns = 0} {}

void TenantWork::Look(uint64_t now_ns, uint64_t may_run_since_ns) {
  problem_.clear();
  ReadTermsPage();
  is_cut_short_ = !ReadUsagePage(now_ns, may_run_since_ns);
  if (is_cut_short_) {
    problem_ = "the usage file is cut short: no work of this tenant is seen";
    slots_.clear();
  }
  Conclude(now_ns);
  looked_ns_ = now_ns;
}

bool TenantWork::IsSeenWhole() const { return slots_.size() <= kSlotsPerLook; }

void TenantWork::ReadTermsPage() {
  PageTerms page = ReadTerms(pages_.card->compute, tenant_.terms);
  is_held_back_ = page.is_held_back;
  tenant_.terms = page.terms;
  problem_ = std::move(page.problem);
}

bool TenantWork::ReadUsagePage(uint64_t now_ns, uint64_t may_run_since_ns) {
  if (!FitSlots(now_ns)) return false;
  const auto ceiling = static_cast<uint32_t>(slots_.size());
  const uint32_t count = std::min(ceiling, kSlotsPerLook);
  if (count == 0) return true;
  copy_.resize(size_t{count} * sizeof(abi::SlotV1));
  const uint32_t first = ceiling == count ? 0 : std::min(next_slot_, ceiling - count);
  next_slot_ = first + count < ceiling ? first + count : 0;
  GrowRoom(now_ns, may_run_since_ns);
  const uint64_t offset = offsetof(abi::UsagePageV1, slots) + first * sizeof(abi::SlotV1);
  if (!pages_.usage->Copy(offset, copy_)) return false;
  Book(ReadSlots(first, count, now_ns, may_run_since_ns));
  return true;
}

// The words before the slots, and before them in time: whoever raised `attention` by then had
// written to its slot already.
bool TenantWork::FitSlots(uint64_t now_ns) {
  std::array<uint32_t, 2> words{};
  static_assert(offsetof(abi::UsagePageV1, attention) ==
                offsetof(abi::UsagePageV1, slot_ceiling) + sizeof(words[0]));
  if (!pages_.usage->Copy(offsetof(abi::UsagePageV1, slot_ceiling),
                          std::as_writable_bytes(std::span(words))))
    return false;
  attention_ = words[1];
  const size_t ceiling = std::min(words[0], abi::kProcessSlots);
  slots_.resize(std::max(ceiling, slots_.size()), SlotWork(looked_ns_ != 0 ? looked_ns_ : now_ns));
  return true;
}

uint64_t TenantWork::ReadSlots(uint32_t first, uint32_t count, uint64_t now_ns,
                               uint64_t may_run_since_ns) {
  uint64_t sum_ns = 0;
  uint64_t most_ns = 0;
  for (uint32_t i = 0; i < count; ++i) {
    SlotWork& slot = slots_[first + i];
    const uint64_t used_ns =
        slot.Look(WordsOf(copy_.data() + size_t{i} * sizeof(abi::SlotV1)), now_ns);
    sum_ns += used_ns;
    most_ns = std::max(most_ns, used_ns);
    if (slot.IsNoShow(now_ns, may_run_since_ns))
      slot.Ignore(now_ns, pages_.usage->IsSlotHeld(first + i));
  }
  return Together(sum_ns, most_ns);
}

// By the time that it had the card, or had work in flight, which may end late.
void TenantWork::GrowRoom(uint64_t now_ns, uint64_t may_run_since_ns) {
  const bool had_card =
      may_run_since_ns != share::kNever || is_overdue_ || surely_until_ns_ + kLateNs > looked_ns_;
  if (had_card && looked_ns_ != 0)
    room_ns_ = std::min(room_ns_ + now_ns - std::min(looked_ns_, now_ns), kMostUntoldNs);
}

// Several processes that had the card at once each counted the time of the others too: together
// they used no more than passed. What they tell when their work ends was used before.
uint64_t TenantWork::Together(uint64_t sum_ns, uint64_t most_ns) {
  const uint64_t together_ns = std::min(sum_ns, std::max(most_ns, room_ns_));
  room_ns_ -= std::min(room_ns_, together_ns);
  return together_ns;
}

SlotWords TenantWork::WordsOf(const std::byte* slot) const {
  const size_t work = offsetof(abi::SlotV1, work) + pages_.index * sizeof(abi::CardWorkV1);
  uint32_t awaited = 0;
  std::memcpy(&awaited,
              slot + offsetof(abi::SlotV1, awaited_us_plus_1) + pages_.index * sizeof(awaited),
              sizeof(awaited));
  return {.generation =
              WordAt(slot, offsetof(abi::SlotV1, owner) + offsetof(abi::SlotOwner, generation)),
          .used_ns = WordAt(slot, work + offsetof(abi::CardWorkV1, used_ns)),
          .busy_until_ns = WordAt(slot, work + offsetof(abi::CardWorkV1, busy_until_ns)),
          .waits_since_ns = WordAt(slot, work + offsetof(abi::CardWorkV1, waits_since_ns)),
          .awaited_us_plus_1 = awaited};
}

void TenantWork::Book(uint64_t used_ns) {
  const uint64_t charged_ns = std::min(used_ns, charged_ahead_ns_);
  charged_ahead_ns_ -= charged_ns;
  tenant_.used_ns += used_ns - charged_ns;
}

void TenantWork::ChargeByClock(uint64_t ns, bool will_be_reported) {
  if (will_be_reported) charged_ahead_ns_ += ns;
  tenant_.used_ns += ns;
}

// Work that came or ended since the last look did so in between, whatever the words say.
void TenantWork::Conclude(uint64_t now_ns) {
  const uint64_t ended_ns = surely_until_ns_;
  busy_until_ns_ = 0;
  surely_until_ns_ = 0;
  is_overdue_ = false;
  uint64_t waits_since_ns = UINT64_MAX;
  for (const SlotWork& slot : slots_) {
    busy_until_ns_ = std::max(busy_until_ns_, slot.busy_until_ns());
    surely_until_ns_ = std::max(surely_until_ns_, slot.surely_until_ns());
    is_overdue_ |= slot.is_overdue();
    if (const uint64_t since_ns = slot.WaitsSince(now_ns); since_ns != 0)
      waits_since_ns = std::min(waits_since_ns, since_ns);
  }
  waits_ = waits_since_ns != UINT64_MAX;
  const bool wants = waits_ || surely_until_ns_ > now_ns || is_overdue_;
  const bool has_worked = !wants && surely_until_ns_ > looked_ns_;
  worked_since_ns_ = has_worked ? tenant_.since_ns : 0;
  if (wants == tenant_.wants && !has_worked && looked_ns_ != 0) return;
  tenant_.wants = wants;
  const uint64_t says_ns = wants ? waits_since_ns : std::max(ended_ns, surely_until_ns_);
  tenant_.since_ns = std::clamp(says_ns, std::min(looked_ns_, now_ns), now_ns);
}

}  // namespace warpshare::node
