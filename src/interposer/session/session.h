// This process as a part of its tenant: the limits it reads, the usage file it counts in, its slot
// there.
//
// A session opens by itself at the first cuInit or charged call and is never closed: when the
// process is gone, others take its bytes back (session/liveness.h). A fork child starts without one
// and opens its own; the parent's accounts stay the parent's. It costs nothing in a process that
// makes no CUDA call.
//
//   if (Session* session = Session::Current()) { ... }     // null: no tenant, pass the call
//   through
//
// A tenant that was named but whose directory cannot be used gives a closed session: cuInit fails,
// every account has limit 0.
#pragma once

#include <atomic>
#include <cstdint>

#include "abi/driver/cuda_handles.h"
#include "abi/region/limits_page.h"
#include "abi/region/usage_page.h"
#include "interposer/accounts/live_table.h"
#include "interposer/guest/fork_wiped.h"
#include "interposer/guest/lock.h"
#include "interposer/session/card_account.h"
#include "interposer/session/liveness.h"
#include "interposer/session/tenant_pages.h"
#include "ledger/memory_slot.h"
#include "ledger/slot_table.h"

namespace warpshare::interposer {

class Session {
 public:
  // One load and a branch once it is decided. Any thread.
  static Session* Current() {
    Session& session = g_session.Peek();
    const State state = session.state_.load(std::memory_order_acquire);
    if (state >= State::kClosed) [[likely]]
      return &session;
    return state == State::kNoTenant ? nullptr : OpenOnce();
  }

  bool IsClosed() const { return state_.load(std::memory_order_relaxed) == State::kClosed; }

  // The account of a card, by what the driver calls it. A card that is not on the limits page has
  // one too, with limit 0; so has what is no device (IsDevice).
  CardAccount& AccountOf(CUdevice device) {
    const uint8_t known = static_cast<unsigned>(device) < kMaxDevices
                              ? card_of_device_[device].load(std::memory_order_relaxed)
                              : 0;
    return known != 0 ? account(known - 1u) : AccountOfUnknown(device);
  }
  // Whether the driver knows the device: its account is by its uuid. False of an ordinal that is
  // none, before cuInit and in a fork child of a process that called it.
  bool IsDevice(CUdevice device) {
    (void)AccountOf(device);
    return static_cast<unsigned>(device) < kMaxDevices &&
           card_of_device_[device].load(std::memory_order_relaxed) != 0;
  }
  // The account of whatever this process allocates, where there is but one: it was granted one card
  // (no context is made on another), or the driver shows it one device. Nothing need be asked about
  // the current context then. Null: not so, or not known yet.
  CardAccount* SoleAccount() const { return sole_account_.load(std::memory_order_relaxed); }
  // Null when no context is current and it had to be asked: the driver will refuse the call itself.
  CardAccount* AccountOfCurrentContext() {
    CardAccount* sole = SoleAccount();
    return sole != nullptr ? sole : AskCurrentContext();
  }
  CardAccount& account(uint32_t card) {
    return accounts_[card < abi::kMaxCards ? card : abi::kMaxCards];
  }

  // What this process allocated, by device pointer (accounts/linear.h). Of the process; where a
  // session is open, the same without a look whether it is wiped on fork.
  static LiveTable& PointersOfProcess() { return g_session.Get().pointers_; }
  LiveTable& pointers() { return pointers_; }

  // Only in an open session.
  const abi::LimitsPageV1& limits() const { return *pages_.limits; }
  abi::UsagePageV1& usage() const { return *pages_.usage; }
  uint32_t slot() const { return slot_.load(std::memory_order_relaxed); }

  // Takes back what dead processes of the tenant held. The second: unless the last time in this
  // process is less than 50 ms ago.
  void Sweep();
  void SweepIfDue();

  // Whether nobody lives in the slot: it is free, or its owner is dead.
  bool IsSlotDead(uint32_t slot);

  // Memory that other processes may import: of this process's part of the card's total, that much
  // moves to a slot of its own, which lives as long as anybody holds it. None where there is no
  // room for one: then nothing was changed.
  ledger::MemorySlot MoveOut(uint32_t card, uint64_t bytes, const ledger::MemoryName& name);
  // Holds memory that another one has exported so, too. False: it is gone.
  bool Join(const ledger::MemorySlot& memory);
  // Holds it no longer; who is the last takes its bytes back, or if he made it and wants to give
  // them back later, into his own part: then it is true.
  enum class Bytes : uint8_t { kGoBack, kBecomeOwn };
  bool Leave(const ledger::MemorySlot& memory, Bytes bytes = Bytes::kGoBack);
  uint64_t pid_namespace() const { return self_.pid_namespace; }  // of this process; 0: not known

 private:
  friend class CardAccount;

  enum class State : uint8_t { kUndecided, kNoTenant, kClosed, kOpen };

  [[gnu::cold]] static Session* OpenOnce();
  State Open();

  // The functions below are called with lock_ held.
  bool TakeSlot();
  struct Slots {
    uint32_t first;
    uint32_t end;
  };
  ledger::MemorySlot TakeFreeSlot(const Slots& among, const ledger::OwnerIdentity& owner);
  uint64_t TakeSlotFor(uint32_t slot, const ledger::OwnerIdentity& owner);  // 0: not free
  void HoldDescriptor();
  SlotSet OwnSlots() const;
  bool IsHeld(uint32_t slot) const;          // of memory, by this process
  uint64_t MovedBytes(uint32_t card) const;  // that this process has moved out

  // True while the slot is ours. False once somebody who took this process for dead gave it away.
  bool HoldsSlot() const {
    return usage().slots[slot()].owner.generation.load(std::memory_order_relaxed) ==
           generation_.load(std::memory_order_relaxed);
  }
  // Takes a new slot and enters there what this process holds.
  void Reenter();

  CardAccount& AccountOfUnknown(CUdevice device);  // asks the driver
  CardAccount* AskCurrentContext();
  uint8_t LearnDevice(CUdevice device);

  static constexpr unsigned kMaxDevices = 64;
  // What every allocation reads is in one cache line: this and, where a tenant has one card, of the
  // first account what is not in the next. A pair of lines is often fetched together.
  alignas(128) std::atomic<State> state_;
  std::atomic<CardAccount*> sole_account_;
  CardAccount accounts_[abi::kMaxCards + 1];  // the last: cards that were not granted
  // Next to it, as the address of a page that nobody looked at lately has to be looked up, too.
  LiveTable pointers_;

  std::atomic<uint32_t> slot_;
  std::atomic<uint64_t> generation_;  // of the slot's owner while it is ours
  TenantPages pages_{};
  guest::Lock lock_;  // opening, re-entering, sweeping
  ledger::OwnerIdentity self_{};
  std::atomic<uint64_t> last_sweep_ns_;
  // 1 + position on the limits page, or 1 + kMaxCards; 0: not asked yet. By CUdevice, which is the
  // ordinal among the visible devices; which card that is the driver's uuid says, so
  // CUDA_VISIBLE_DEVICES may have any form.
  std::atomic<uint8_t> card_of_device_[kMaxDevices];
  // Of others and its own, that others may have, too; behind what calls look at.
  struct HeldMemory {  // all zero at first, as all of a session
    uint32_t slot;
    uint64_t generation;
    uint64_t bytes;  // of this process's, that were moved there ...
    uint32_t card;   // ... and of which card
    bool is_made;

    ledger::MemorySlot memory() const { return {.slot = slot, .generation = generation}; }
  };
  uint32_t held_count_ = 0;
  HeldMemory held_[ledger::kMemorySlots] = {};

  static guest::ForkWiped<Session> g_session;
};

}  // namespace warpshare::interposer
