// Memory that the driver takes from a card in lumps of its own making, keeps for a while and
// reports: a pool, a card's memory for graphs. Charged is what it reports to hold.
//
// So that the limit is never passed, the most that a call can make the store grow by is held before
// the driver is called (Begin) and trued up to the report afterwards (Settle). At any moment
//
//     charged + held  >=  what the store holds        over all calls in flight,
//
// and what is not needed goes back within the call. When the most does not fit, the call may still
// be served: from what the store holds and does not use, or, if the caller can, from elsewhere by
// the bytes alone. Only if none of these can be is it refused.
//
// Reserved and not used may be in pieces, or not free yet, so a store with room to spare may grow
// all the same. Where the room is ample that is left to chance, else serving from elsewhere comes
// first. If Settle finds that the store grew past the limit, the caller undoes the call: the one
// case in which a card holds more than the limit, for the time of a call.
//
// Any thread; a lock is held while the driver is asked for its report, and while it serves a call
// from what is unused.
#pragma once

#include <cstdint>

#include "interposer/accounts/free_blocks.h"
#include "interposer/accounts/rounding.h"
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
  };
  // What else the caller can do when the most does not fit.
  enum class Otherwise : uint8_t {
    kElsewhere,  // take exactly the bytes asked for from somewhere else
    kLeast,      // undo the call if the store grows by more than the least it can
    kNothing,
  };
  struct Request {
    uint64_t bytes;
    uint64_t stream;  // in whose order the memory is used; 0: none
    Otherwise otherwise;
  };
  // One call in flight.
  struct Growth {
    Grant grant;
    uint64_t asked;
    uint64_t stream;
    uint64_t held = 0;
    bool reuses = false;   // a block that was freed
    bool is_sole = false;  // served from what is unused, while nobody else is
  };

  struct Description {
    CardAccount* account;  // null: charged nothing (host memory, another process's)
    Reader reader;
    Trimmer trimmer;  // null: cannot be trimmed without harm
    uint64_t handle;
    uint64_t assumed_lump;  // what it grows by, a power of two, until a report tells
  };
  void Open(const Description& store);

  [[nodiscard]] Growth Begin(const Request& request);
  void Cancel(const Growth& growth);                // the driver refused
  [[nodiscard]] bool Settle(const Growth& growth);  // false: it grew past the limit; undo, Recount

  // Memory of the store was freed, in a stream's order or, 0, at once.
  void NoteFreed(uint64_t bytes, uint64_t stream);

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
  uint64_t charged() const { return charged_.load(std::memory_order_relaxed); }
  uint64_t held() const { return held_.load(std::memory_order_relaxed); }

 private:
  Growth TryBegin(const Request& request);
  bool Hold(const Request& request, uint64_t bytes, Growth& growth);
  bool Reuse(const Request& request, Growth& growth);
  void ServeFromUnused(const Request& request, uint64_t most, Growth& growth);
  void EndSole(const Growth& growth);
  bool TakeFreed(const Request& request);
  uint64_t Unused();
  bool ShrinkTo(uint64_t reserved);
  bool Read(Quantity quantity, uint64_t& bytes) const {
    return reader_ != nullptr && reader_(handle_, quantity, bytes);
  }

  guest::Lock lock_;  // charged_, held_ and freed_ change under it
  guest::Lock sole_;  // what is unused serves one call at a time: two would each count on all of it
  CardAccount* account_ = nullptr;
  Reader reader_ = nullptr;
  Trimmer trimmer_ = nullptr;
  uint64_t handle_ = 0;
  uint64_t assumed_lump_ = 0;
  std::atomic<uint64_t> charged_;
  std::atomic<uint64_t> held_;
  Rounding growth_rule_;
  FreeBlocks freed_;
};

}  // namespace warpshare::interposer
