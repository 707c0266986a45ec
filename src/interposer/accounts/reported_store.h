// Memory that the driver takes from a card in lumps of its own making, keeps for a while and
// reports: a pool, a card's memory for graphs. Charged is what it reports to hold.
//
// So that the limit is never passed, the most that a call can make the store grow by is held before
// the driver is called (Begin, or else MakeRoom) and trued up to the report afterwards (Settle). At
// any moment
//
//     charged + held  >=  what the store holds        over all calls in flight,
//
// and what is not needed goes back within the call. When the most does not fit, the call may still
// be served: from what the store holds and does not use, or, if the caller can, from elsewhere by
// the bytes alone. Only if none of these can be is it refused.
//
// Nothing is held where there is no limit, which what the store grows by cannot pass; nor for a
// block of the same size that was freed in the same order while no other call is in flight, as the
// driver gives that out again. The report afterwards is asked for all the same. Should the store
// let go of the block just then, it takes no more anew; so while such a call is in flight nothing
// is given back of what the store is charged, and no other call goes to the driver.
//
// Reserved and not used may be in pieces, or not free yet, so a store with room to spare may grow
// all the same. Where the room is ample that is left to chance, else serving from elsewhere comes
// first. If Settle finds that the store grew past the limit, the caller undoes the call: the one
// case in which a card holds more than the limit, for the time of a call.
//
// Any thread; a lock is held while what is charged is changed to what the driver reports, and while
// the store serves a call from what is unused.
#pragma once

#include <atomic>
#include <cstdint>

#include "interposer/accounts/free_blocks.h"
#include "interposer/accounts/rounding.h"
#include "interposer/guest/brief_lock.h"
#include "interposer/guest/lock.h"
#include "interposer/session/card_account.h"

namespace warpshare::interposer {

class ReportedStore {
 public:
  enum class Quantity : uint8_t { kReserved, kUsed };
  // Asks the driver; false if it cannot tell. `handle` is the store's for the driver.
  using Reader = bool (*)(uint64_t handle, Quantity quantity, uint64_t& bytes);
  // Makes the store let go of all that it does not use.
  using Trimmer = void (*)(uint64_t handle);

  enum class Grant : uint8_t {
    kFromStore,
    kElsewhere,  // nothing is held: the caller charges the bytes itself
    kRefused,
    kNeedsRoom,  // not before MakeRoom says so
    kGone,       // this is not the store of that handle any more; nothing was begun
  };
  // What else the caller can do when the most does not fit.
  enum class Otherwise : uint8_t {
    kElsewhere,  // take exactly the bytes asked for from somewhere else
    kLeast,      // undo the call if the store grows by more than the least it can
    kNothing,
  };
  // One call in flight.
  struct Growth {
    uint64_t asked;
    uint64_t stream;  // in whose order the memory is used; 0: none
    Grant grant = Grant::kRefused;
    bool reuses = false;   // a block that was freed
    bool trusts = false;   // in that: nothing is held, though there is a limit
    bool is_sole = false;  // served from what is unused, while nobody else is
    bool awaits = false;   // another one that trusted when it began
    uint64_t held = 0;
  };

  struct Description {
    CardAccount* account;  // null: charged nothing (host memory, another process's)
    Reader reader;
    Trimmer trimmer;  // null: cannot be trimmed without harm
    uint64_t handle;
    uint64_t assumed_lump;  // what it grows by, a power of two, until a report tells
  };
  void Open(const Description& store);

  // A call is begun, and unless that has granted it, gets room; then the driver is called, and it
  // is settled or, if it was refused, cancelled. From Begin on it counts as a user, until Drop.
  [[gnu::always_inline]] inline void Begin(uint64_t handle, Growth& growth);
  // Of a call that was settled and undone: it needs room this time.
  void BeginAgain(Growth& growth);
  void MakeRoom(Otherwise otherwise, Growth& growth);
  void Cancel(const Growth& growth);  // the driver refused, or was not called
  // False: it grew past the limit; undo, Recount.
  [[nodiscard]] bool Settle(const Growth& growth);
  // The same if the store holds what it is charged, else nothing is done: the common case.
  [[nodiscard, gnu::always_inline]] inline bool TrySettle(const Growth& growth);

  // One user less: a call that gave nothing, or memory that was freed, in a stream's order or, 0,
  // at once. True: the last one of a store that has ended.
  [[nodiscard]] bool Drop();
  [[nodiscard, gnu::always_inline]] inline bool Free(uint64_t bytes, uint64_t stream);
  // No user is to come. True: there is none.
  [[nodiscard]] bool End();

  // Charges what the store is said to hold, over the limit if need be.
  void Recount();

  // Gives back what the store let go since it was last asked. True if that was anything.
  bool Shrink();

  // Makes it let go of what it does not use; true if that gave anything back.
  bool TrimUnused();

  // Between the two the driver is not asked, and what is charged stays.
  void Pause();
  void Resume(Reader reader);
  // Ends the store's charge and returns it; the caller gives the bytes back.
  uint64_t Close();

  CardAccount* account() const { return account_; }
  bool IsOn(uint32_t card) const { return account_ != nullptr && account_->card() == card; }
  uint64_t handle() const { return handle_.load(std::memory_order_relaxed); }
  uint64_t charged() const { return charged_.load(std::memory_order_relaxed); }

  // Equal at two moments and none in flight: the store took nothing between them. What is charged
  // does not tell, as a call may take anew just what the store had let go of.
  struct Calls {
    uint64_t begun;  // of this and whatever store was here before
    uint32_t in_flight;
    bool operator==(const Calls&) const = default;
  };
  Calls calls() {
    const guest::LockGuard guard(brief_);
    return {.begun = begun_, .in_flight = users_.in_flight};
  }

  struct Users {
    uint32_t count;      // calls in flight and what lives of what they gave
    uint32_t in_flight;  // of them
    uint32_t trusting;   // of these, Growth::trusts
    bool has_ended;
    bool had_several;  // when it ended
  };
  Users users();

 private:
  inline void TryHoldMost(Growth& growth);
  void AwaitTrusting();
  void TryMakeRoom(Otherwise otherwise, Growth& growth);
  bool Hold(uint64_t bytes, Growth& growth);
  uint64_t LeastRoom(Otherwise otherwise, uint64_t asked) const;
  void ServeFromUnused(Otherwise otherwise, uint64_t most, Growth& growth);
  void EndRoom(const Growth& growth);
  inline void GiveRoomBack(const Growth& growth);
  void LeaveFlight(const Growth& growth) {  // with brief_ held
    --users_.in_flight;
    users_.trusting -= growth.trusts ? 1 : 0;
    held_ -= growth.held;
  }
  struct Others {
    uint64_t held;
    bool trust;
  };
  Others Learn(const Growth& growth, uint64_t reserved);
  bool TrustFreed(Growth& growth);
  bool HasTakenFreed(const Growth& growth) {  // with brief_ held
    return freed_.Take(growth.asked, growth.stream) || freed_.Take(growth.asked, 0);
  }
  uint64_t Unused();
  bool ShrinkTo(uint64_t reserved);
  bool TryShrink(bool& is_over);
  bool Read(Quantity quantity, uint64_t& bytes) const {
    const Reader reader = reader_.load(std::memory_order_relaxed);
    return reader != nullptr && reader(handle(), quantity, bytes);
  }

  // What a call of a steady pool needs comes first.
  guest::BriefLock brief_;  // of users_, begun_, held_ and freed_
  // Held from before the driver is asked until charged_ is what it said, which changes under it.
  guest::Lock lock_;
  Users users_ = {};
  uint64_t begun_ = 0;
  CardAccount* account_ = nullptr;
  std::atomic<Reader> reader_;
  std::atomic<uint64_t> handle_;
  std::atomic<uint64_t> charged_;
  uint64_t held_ = 0;
  FreeBlocks freed_;

  guest::Lock sole_;  // what is unused serves one call at a time: two would each count on all of it
  Trimmer trimmer_ = nullptr;
  uint64_t assumed_lump_ = 0;
  Rounding growth_rule_;
};

inline void ReportedStore::Begin(uint64_t handle, Growth& growth) {
  const guest::LockGuard guard(brief_);
  if (handle != this->handle()) [[unlikely]] {
    growth.grant = Grant::kGone;
    return;
  }
  growth.reuses = HasTakenFreed(growth);
  growth.awaits = users_.trusting != 0;
  const bool is_limited = account_ != nullptr && account_->IsLimited();
  growth.trusts = is_limited && growth.reuses && users_.in_flight == 0;
  growth.grant = is_limited && !growth.trusts ? Grant::kNeedsRoom : Grant::kFromStore;
  ++begun_;
  ++users_.count;
  ++users_.in_flight;
  users_.trusting += growth.trusts ? 1 : 0;
  if (growth.grant == Grant::kNeedsRoom && !growth.awaits) TryHoldMost(growth);
}

// What MakeRoom nearly always does, with brief_ held: another lock would cost as much again.
inline void ReportedStore::TryHoldMost(Growth& growth) {
  const uint64_t most = growth_rule_.Most(growth.asked, assumed_lump_);
  if (!account_->TryHoldRoomInRun(most)) [[unlikely]]
    return;
  held_ += most;
  growth.held = most;
  growth.grant = Grant::kFromStore;
}

// A report that is older than what is charged must not be taken for it: so not while somebody else
// makes what is charged another one. Who begins that later is told of this call by the driver.
inline bool ReportedStore::TrySettle(const Growth& growth) {
  uint64_t reserved = 0;
  if (!Read(Quantity::kReserved, reserved) || lock_.IsHeld() || reserved != charged()) [[unlikely]]
    return false;
  {
    const guest::LockGuard guard(brief_);
    LeaveFlight(growth);
    // What was cut up instead of a block that was to be reused cannot be named.
    if (!growth.reuses) freed_.Clear();
  }
  GiveRoomBack(growth);
  return true;
}

inline void ReportedStore::GiveRoomBack(const Growth& growth) {
  if (growth.held != 0) account_->ReturnRoom(growth.held);
  if (growth.is_sole) [[unlikely]]
    sole_.Release();
}

inline bool ReportedStore::Free(uint64_t bytes, uint64_t stream) {
  freed_.Prefetch(bytes, stream);
  const guest::LockGuard guard(brief_);
  freed_.Add(bytes, stream);
  return --users_.count == 0 && users_.has_ended;
}

}  // namespace warpshare::interposer
