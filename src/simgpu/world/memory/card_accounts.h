// The accounts and extents of one card, in shared memory. Every change is one transaction, so at
// any instant `used` is the sum of the accounts, and the charge of every extent is on exactly one
// of them. No data is touched here: an extent whose charge is gone stays kDying until its `worker`
// has given its pages back and says EndOf.
#pragma once

#include <cstdint>
#include <optional>

#include "simgpu/world/layout/layout.h"
#include "simgpu/world/memory.h"

namespace simgpu::world {

struct BlockRange {
  uint64_t first = 0;
  uint64_t count = 0;
};

struct ExtentRequest {
  uint64_t bytes = 0;
  MemoryKind kind = MemoryKind::kData;
  uint32_t slot = 0;  // the maker
};

enum class ReleaseOutcome {
  kStillHeld,
  kParked,  // an exported descriptor may hold it
  kDying,   // the caller, named as worker, gives the pages back, then calls EndOf
};

class CardAccounts {
 public:
  CardAccounts(const SharedMap& map, int card, uint64_t total_bytes)
      : map_(map), card_(card), total_(total_bytes) {}

  uint64_t total() const { return total_; }
  uint64_t used() const { return Get(state().used); }
  MemoryBytes UsedBy(uint32_t slot) const;

  bool Charge(uint32_t slot, MemoryKind kind, uint64_t bytes);
  void Uncharge(uint32_t slot, MemoryKind kind, uint64_t bytes);  // at most what is on the account

  // The maker is the first holder. Null: over the card's memory, or no room in its file.
  std::optional<Extent> Make(const ExtentRequest& request);
  std::optional<Extent> Hold(uint64_t block, uint64_t generation, uint32_t slot);
  ReleaseOutcome Release(uint64_t block, uint32_t slot);
  void MarkExported(uint64_t block);

  BlockRange RangeOf(uint64_t block) const;
  void EndOf(uint64_t block);

  // Of a dead process: takes its holds and charges away. What others hold goes on on the orphans'
  // account.
  void Reclaim(uint32_t slot);
  // An extent that dies by `worker`'s hand, at or after `from`; null when there is none.
  std::optional<BlockRange> NextDying(uint32_t worker, uint64_t from);

  // Parked extents: NextParked finds one at or after `from`. `give_back` is called with the lock
  // held, and answers whether nobody holds it any more and its pages are given back.
  bool any_parked() const { return Get(state().parked) != 0; }
  template <typename GiveBack>  // bool(uint64_t block, uint64_t generation, BlockRange)
  void ReviewParked(GiveBack give_back);

 private:
  MemoryState& state() const { return map_.memory(card_); }
  ExtentRecord& record(uint64_t block) const { return map_.record(card_, block); }
  Account& account(uint64_t index) const {
    return map_.account(card_, static_cast<uint32_t>(index));
  }
  Extent Describe(uint64_t block) const;
  // The first extent at or after `from`; blocks_used when there is none.
  uint64_t NextExtent(uint64_t from) const;

  // Parts of a transaction, under the lock.
  void StageDischarge(Transaction& change, const ExtentRecord& extent) const;
  void StageDeath(Transaction& change, ExtentRecord& extent, uint32_t worker) const;
  void StageEnd(Transaction& change, ExtentRecord& extent, uint64_t block) const;
  void ReclaimExtent(uint64_t block, uint32_t slot);
  void ReclaimRest(uint32_t slot);

  const SharedMap& map_;
  const int card_;
  const uint64_t total_;
};

template <typename GiveBack>
void CardAccounts::ReviewParked(GiveBack give_back) {
  if (!any_parked()) return;
  const Section section(state().guard);
  for (uint64_t block = NextExtent(0); block < Get(state().blocks_used);) {
    ExtentRecord& extent = record(block);
    const BlockRange range{block, Get(extent.blocks)};
    if (Get(extent.state) == kParked && give_back(block, Get(extent.generation), range)) {
      Transaction change(state().guard.journal);
      StageDischarge(change, extent);
      change.Subtract(state().parked, 1);
      change.Add(extent.generation, 1);
      StageEnd(change, extent, block);
      change.Commit();
    }
    block = NextExtent(range.first + range.count);
  }
}

}  // namespace simgpu::world
