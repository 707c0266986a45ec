// Memory that the driver takes from a card in lumps of its own making, keeps for a while and
// reports: a pool, a card's memory for graphs. Charged is what it reports to hold.
//
// So that the limit is never passed, the most that a call can make the store grow by is held before
// the driver is called (Begin) and trued up to the report afterwards (Settle). At any moment
//
//     charged + held  >=  what the store holds        over all calls in flight,
//
// and what is not needed goes back within the call. When the most does not fit, the store may still
// serve from what it holds, or grow by less than feared; only if neither can be is it refused:
//   - reserved - used can serve the request: nothing is held, and Settle finds out
//   - the least that the driver's rounding allows fits: that is held, and Settle finds out
// If Settle then finds that the store grew past the limit, the caller undoes the call. That is the
// one case where a card holds more than the limit for a moment: a store with enough room to spare,
// but in pieces, in a tenant that is full.
//
// Any thread; a lock is held while the driver is asked for its report, never while it allocates.
#pragma once

#include <cstdint>

#include "interposer/accounts/rounding.h"
#include "interposer/guest/lock.h"
#include "interposer/session/card_account.h"

namespace warpshare::interposer {

class ReportedStore {
 public:
  enum class Quantity : uint8_t { kReserved, kUsed };
  // Asks the driver; false if it cannot tell. `handle` is the store's for the driver.
  using Reader = bool (*)(uint64_t handle, Quantity quantity, uint64_t& bytes);

  // One call in flight.
  struct Growth {
    bool is_allowed;
    uint64_t asked;
    uint64_t held;
  };

  // A store without an account (host memory, another process's) is charged nothing.
  void Open(CardAccount* account, Reader reader, uint64_t handle);

  [[nodiscard]] Growth Begin(uint64_t bytes);
  void Cancel(const Growth& growth);                // the driver refused
  [[nodiscard]] bool Settle(const Growth& growth);  // false: it grew past the limit; undo, Recount

  // Charges what the store is said to hold, over the limit if need be.
  void Recount();

  // Gives back what the store let go since it was last asked. True if that was anything.
  bool Shrink();

  // Between the two the driver is not asked, and what is charged stays.
  void Pause();
  void Resume(Reader reader);
  // Ends the store's charge and returns it; the caller gives the bytes back.
  uint64_t Close();

  CardAccount* account() const { return account_; }
  uint64_t charged() const { return charged_.load(std::memory_order_relaxed); }
  uint64_t held() const { return held_.load(std::memory_order_relaxed); }

 private:
  bool Hold(uint64_t bytes);
  void AddHeld(uint64_t bytes);
  bool MayServeFromReserve(uint64_t bytes);
  bool ShrinkTo(uint64_t reserved);
  bool Read(Quantity quantity, uint64_t& bytes) const {
    return reader_ != nullptr && reader_(handle_, quantity, bytes);
  }

  guest::Lock lock_;  // charged_ and held_ change under it
  CardAccount* account_ = nullptr;
  Reader reader_ = nullptr;
  uint64_t handle_ = 0;
  std::atomic<uint64_t> charged_;
  std::atomic<uint64_t> held_;
  Rounding growth_rule_;
};

}  // namespace warpshare::interposer
