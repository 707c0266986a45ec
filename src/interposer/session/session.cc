#include "interposer/session/session.h"

#include <errno.h>

#include "abi/names/env.h"
#include "interposer/dispatch/driver_library.h"
#include "interposer/guest/brief_lock.h"
#include "interposer/guest/kernel.h"
#include "interposer/log/log.h"
#include "interposer/session/inheritance.h"
#include "interposer/session/liveness.h"

namespace warpshare::interposer {

constinit guest::ForkWiped<Session> Session::g_session{};

namespace {

constexpr uint64_t kSweepPauseNs = 50'000'000;

// Slots share pages, so the whole page is made to exist before anybody touches the slot.
bool MakeRoomForSlot(int usage_fd, uint32_t slot) {
  const auto offset =
      static_cast<long>(offsetof(abi::UsagePageV1, slots) + slot * sizeof(abi::SlotV1));
  return guest::Allocate(usage_fd, offset, sizeof(abi::SlotV1)) != -ENOSPC;
}

// The name ends at its zero, if whoever wrote the page left one.
void LogOpened(uint32_t slot, const abi::LimitsPageV1& limits) {
  if (!log::IsOn(log::Level::kInfo)) return;
  size_t length = 0;
  while (length < sizeof(limits.tenant_name) && limits.tenant_name[length] != '\0') ++length;
  log::Line line(log::Level::kInfo);
  line.Add("session opened in slot ").AddNumber(slot);
  line.Add(" of tenant ").Add(limits.tenant_name, length);
}

}  // namespace

Session* Session::OpenOnce() {
  Session& session = g_session.Get();
  const guest::LockGuard guard(session.lock_);
  State state = session.state_.load(std::memory_order_relaxed);
  if (state == State::kUndecided) {
    state = session.Open();
    session.state_.store(state, std::memory_order_release);
  }
  return state == State::kNoTenant ? nullptr : &session;
}

Session::State Session::Open() {
  ReleaseInherited();
  if (FindDriver(abi::kCudaSoname).is_copy)
    return State::kNoTenant;  // the copy that came first counts
  const Opened opened = OpenTenantPages(pages_);
  if (opened == Opened::kNoTenant) return State::kNoTenant;
  for (uint32_t card = 0; card <= abi::kMaxCards; ++card) {
    accounts_[card].card_ =
        opened == Opened::kOpen && card < pages_.limits->card_count ? card : abi::kMaxCards;
  }
  if (opened == Opened::kUnusable) return State::kClosed;
  self_ = IdentifySelf();
  Observer(pages_, self_).SweepFormer(abi::kMaxSlots);
  if (!TakeSlot()) {
    log::Say(log::Level::kError,
             "no slot in the tenant's usage file: too many processes, or its file system is full");
    CloseTenantPages(pages_);
    for (CardAccount& account : accounts_) account.card_ = abi::kMaxCards;
    return State::kClosed;
  }
  for (uint32_t card = 0; card < pages_.limits->card_count; ++card) accounts_[card].Attach();
  LeaveToForkChild(pages_);
  guest::BriefLock::PrepareToOwn();  // cuInit's driver has not started its threads yet
  LogOpened(slot(), *pages_.limits);
  return State::kOpen;
}

bool Session::TakeSlot() {
  const ledger::MemorySlot taken = TakeFreeSlot({.first = 0, .end = abi::kProcessSlots}, self_);
  if (!taken) return false;
  generation_.store(taken.generation, std::memory_order_relaxed);
  slot_.store(taken.slot, std::memory_order_relaxed);
  return true;
}

// The lowest slot that is free or whose owner is dead, with its lock.
ledger::MemorySlot Session::TakeFreeSlot(const Slots& among, const ledger::OwnerIdentity& owner) {
  for (uint32_t slot = among.first; slot < among.end; ++slot) {
    if (IsHeld(slot)) continue;  // our own lock would not show
    const int lock = LockSlot(pages_.usage_fd, slot);
    if (lock == -EAGAIN || lock == -EACCES) continue;
    if (lock < 0) return {};
    const uint64_t generation = TakeSlotFor(slot, owner);
    if (generation != 0) return {.slot = slot, .generation = generation};
    UnlockSlot(pages_.usage_fd, slot);
  }
  return {};
}

uint64_t Session::TakeSlotFor(uint32_t slot, const ledger::OwnerIdentity& owner) {
  if (!MakeRoomForSlot(pages_.usage_fd, slot)) return 0;
  ledger::OwnerIdentity former{};
  uint64_t generation = 0;
  if (ledger::ReadOwner(usage(), slot, former, generation)) {
    if (!Observer(pages_, self_).IsDead(slot, former)) return 0;
    ledger::GiveBackDead(usage(), slot, generation);
  }
  return ledger::TakeSlot(usage(), slot, owner);
}

// The program may have closed our descriptor, and our lock with it.
void Session::HoldDescriptor() {
  if (UsageDescriptor(pages_) >= 0 || !ReopenUsage(pages_)) return;
  LeaveToForkChild(pages_);
  if (HoldsSlot()) LockSlot(pages_.usage_fd, slot());
}

void Session::Reenter() {
  const guest::LockGuard guard(lock_);
  if (HoldsSlot()) return;
  HoldDescriptor();
  self_ = IdentifySelf();
  if (!TakeSlot()) return;
  log::Say(log::Level::kInfo, "this process was taken for dead; it entered its bytes again");
  for (CardAccount& account : accounts_) account.Enter();
}

// Of several threads that come at the same time one does it for those that came before it began.
void Session::Sweep() {
  if (IsClosed()) return;
  const uint64_t came_ns = guest::CoarseNow();
  const guest::LockGuard guard(lock_);
  if (last_sweep_ns_.load(std::memory_order_relaxed) > came_ns) return;
  last_sweep_ns_.store(guest::CoarseNow(), std::memory_order_relaxed);
  HoldDescriptor();
  Observer(pages_, self_).SweepFormer(slot());
  Observer(pages_, self_).Sweep(OwnSlots());
}

bool Session::IsSlotDead(uint32_t slot) {
  if (slot >= abi::kMaxSlots) return true;
  const guest::LockGuard guard(lock_);
  ledger::OwnerIdentity owner{};
  uint64_t generation = 0;
  return !ledger::ReadOwner(usage(), slot, owner, generation) ||
         Observer(pages_, self_).IsDead(slot, owner);
}

void Session::SweepIfDue() {
  if (guest::CoarseNow() - last_sweep_ns_.load(std::memory_order_relaxed) >= kSweepPauseNs) Sweep();
}

}  // namespace warpshare::interposer
