// Stream-ordered memory: a pool is charged for what it holds of the card (reported_store.h), its
// allocations for nothing. Memory that is freed stays with the pool, and charged, until the driver
// lets go of it: at a trim, or beyond the release threshold at the next synchronization.
//
// A pool grows by tens of MiB. Where that does not fit any more but the bytes asked for would, an
// allocation is made by cuMemAlloc instead, which every stream may use at once and which
// cuMemFreeAsync frees too: so nothing is refused that would fit.
//
// A pool that is destroyed lives on in the driver until its last allocation is freed; so does its
// charge. Before that, frees are awaited that their streams have not got to: two seconds at most,
// then what such a free still holds is counted no more.
#pragma once

#include <atomic>
#include <cstdint>

#include "abi/driver/cuda_types.h"
#include "interposer/accounts/live_table.h"
#include "interposer/accounts/records.h"
#include "interposer/accounts/reported_store.h"

namespace warpshare::interposer {

struct PoolRecord {
  ReportedStore store;  // used by allocations that live, are being made or are being freed
  // Its memory is such as cuMemAlloc gives: not managed, not to be exported.
  std::atomic<bool> is_plain;
  // A hint when to look. One that changes while the pool is entered may be missed; then the driver
  // is asked in vain, or what it let go of is seen at the next call that does not fit.
  std::atomic<uint64_t> release_threshold;

  uint64_t AsOwner() const { return reinterpret_cast<uint64_t>(this); }
  static PoolRecord* OfOwner(uint64_t owner) { return reinterpret_cast<PoolRecord*>(owner); }
};

class Pools {
 public:
  static uint64_t KeyOf(CUmemoryPool pool) { return reinterpret_cast<uint64_t>(pool); }

  // Enters a pool that was made or found; `account` null: charged elsewhere, or host memory.
  void Enter(CUmemoryPool pool, CardAccount* account, bool is_plain);

  // The record of a pool that was entered; null if there is none. It may be another pool's by the
  // time it is used: the store knows (ReportedStore::Begin).
  PoolRecord* Find(CUmemoryPool pool);
  // Only if it was found lately.
  PoolRecord* Latest(CUmemoryPool pool) const {
    PoolRecord* record = latest_[PlaceOf(pool)].load(std::memory_order_acquire);
    const bool is_it =
        record != nullptr && pool != nullptr && record->store.handle() == KeyOf(pool);
    return is_it ? record : nullptr;
  }

  // What one user less gives back: a destroyed pool's bytes, when it was the last.
  struct Rest {
    CardAccount* account;
    uint64_t bytes;
  };
  [[nodiscard]] Rest Drop(PoolRecord& record) {
    return record.store.Drop() ? Bury(record) : Rest{};
  }
  // The same, of an allocation that was freed in a stream's order or, 0, at once.
  [[nodiscard, gnu::always_inline]] inline Rest Free(const Live& live, uint64_t stream) {
    PoolRecord& record = *PoolRecord::OfOwner(live.owner);
    return record.store.Free(live.bytes, stream) ? Bury(record) : Rest{};
  }
  // Ends a pool whose last user was freed (ReportedStore::Free).
  [[nodiscard]] Rest Bury(PoolRecord& record);
  void GiveBack(const Rest& rest) {
    if (rest.account != nullptr) rest.account->GiveBack(rest.bytes);
  }

  // Destroys by `call`, which is the driver's cuMemPoolDestroy.
  CUresult Destroy(CUmemoryPool pool, CUresult (*call)(CUmemoryPool));

  void SetReleaseThreshold(CUmemoryPool pool, uint64_t bytes);
  void Shrink(CUmemoryPool pool);
  void ShrinkAll();
  // After a synchronization, at which pools let go of what is beyond their threshold.
  void ShrinkBeyondThreshold();
  // Charged by the pools of a card. Waits while a pool is being destroyed, and leaves out those
  // destroyed ones of which the driver may let go just now.
  uint64_t BytesOn(uint32_t card);
  // Of all of them together.
  ReportedStore::Calls CallsOn(uint32_t card);

 private:
  // So many that the pools of the cards of one process seldom displace each other.
  static constexpr unsigned kLatest = 32;
  // Handles are addresses that a driver takes from a heap.
  static unsigned PlaceOf(CUmemoryPool pool) {
    return (KeyOf(pool) >> 4 ^ KeyOf(pool) >> 9) % kLatest;
  }

  void AwaitFrees(PoolRecord& record);
  static bool IsSteady(PoolRecord& record);

  guest::Lock lock_;        // of entering; never held while the driver is asked
  guest::Lock destroying_;  // from the driver's destroying a pool until its charge is what is left
  LiveTable index_;         // owner: the record
  std::atomic<PoolRecord*> latest_[kLatest];
  Records<PoolRecord> records_;
};

}  // namespace warpshare::interposer
