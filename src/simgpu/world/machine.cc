#include "simgpu/world/machine.h"

#include <sched.h>

#include "simgpu/world/engine/timeline.h"
#include "simgpu/world/sync/clock.h"

namespace simgpu::world {
namespace {

// Another process that is at a dead one's accounts needs some microseconds; it may be stopped,
// though.
constexpr uint64_t kPatienceNs = 50'000'000;

}  // namespace

Machine::Machine(std::unique_ptr<WorldFile> file)
    : file_(std::move(file)),
      exports_(ExportFolder(file_->directory())),
      participant_(file_->map()) {
  for (int card = 0; card < card_count(); ++card) {
    accounts_.emplace_back(map(), card, scenario().cards[card].memory_bytes);
    data_.push_back(std::make_unique<CardData>(CardFile(directory(), card), map().blocks(card)));
  }
}

bool Machine::Join() {
  if (participant_.joined()) return true;
  std::string error;
  Reap();
  if (participant_.Join(&error)) return true;
  const std::lock_guard lock(error_mutex_);
  join_error_ = error;
  return false;
}

void Machine::Leave() {
  participant_.Leave();
  Reap();
}

std::string Machine::join_error() const {
  const std::lock_guard lock(error_mutex_);
  return join_error_;
}

void Machine::Reap() {
  const auto used = static_cast<uint32_t>(Get(map().header().slots_used));
  for (uint32_t index = 0; index < used && index < kMaxProcesses; ++index) {
    ProcessSlot& slot = map().slot(index);
    if (Get(slot.state) == kFree || IsAlive(slot)) continue;
    if (ClaimDead(slot) == Claim::kNothingToDo) continue;
    ReapSlot(index);
    slot.life.Release();
  }
  ReviewParked();
}

// Acquires `life` of a dead participant. Waits for another process that has it in hand, but not for
// it to drain.
Machine::Claim Machine::ClaimDead(ProcessSlot& slot) {
  const uint64_t give_up_ns = NowNs() + kPatienceNs;
  while (true) {
    const RobustLock::Outcome outcome = slot.life.TryAcquire();
    if (outcome != RobustLock::Outcome::kBusy) {
      if (outcome == RobustLock::Outcome::kHolderDied) slot.life.Mended();
      if (slot.state.load(std::memory_order_acquire) != kFree) return Claim::kClaimed;
      slot.life.Release();
      return Claim::kNothingToDo;
    }
    const uint64_t state = slot.state.load(std::memory_order_acquire);
    if (state == kFree || state == kDraining || IsAlive(slot) || NowNs() > give_up_ns) {
      return Claim::kNothingToDo;
    }
    sched_yield();
  }
}

void Machine::ReapSlot(uint32_t index) {
  ProcessSlot& slot = map().slot(index);
  if (Get(slot.state) == kLive) slot.state.store(kDead, std::memory_order_release);
  if (Get(slot.state) == kDead) {
    for (int card = 0; card < card_count(); ++card) {
      for (int kind = 0; kind < kEngineKinds; ++kind) {
        RetireSeat(map(), card, static_cast<EngineKind>(kind), index);
      }
      accounts(card).Reclaim(index);
    }
    slot.state.store(kDraining, std::memory_order_release);
  }
  Drain(index);
  slot.state.store(kFree, std::memory_order_release);
}

void Machine::Drain(uint32_t index) {
  for (int card = 0; card < card_count(); ++card) {
    uint64_t from = 0;
    while (const auto range = accounts(card).NextDying(index, from)) {
      data(card).GiveBack(*range);
      accounts(card).EndOf(range->first);
      from = range->first + range->count;
    }
  }
}

void Machine::ReviewParked() {
  for (int card = 0; card < card_count(); ++card) {
    accounts(card).ReviewParked([&](uint64_t block, uint64_t generation, BlockRange range) {
      const ExtentName name{id(), static_cast<uint32_t>(card), static_cast<uint32_t>(block),
                            static_cast<uint32_t>(generation), 0};
      if (exports_.AnyoneHolds(name)) return false;
      exports_.Remove(name);
      data(card).GiveBack(range);
      return true;
    });
  }
}

}  // namespace simgpu::world
