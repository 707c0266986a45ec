#include "simgpu/world/memory/card_accounts.h"

#include <algorithm>

#include "simgpu/world/memory/block_map.h"

namespace simgpu::world {
namespace {

constexpr int kReclaimBatch = 128;  // extents in one hold of the lock: some tens of microseconds

uint64_t BlocksFor(uint64_t bytes) { return bytes / kBlockBytes + (bytes % kBlockBytes != 0); }

bool IsCharged(uint64_t kind) { return kind < kChargedKinds; }

bool IsHolder(const ExtentRecord& extent, uint32_t slot) {
  return (Get(extent.holders[slot / 64]) >> (slot % 64) & 1) != 0;
}

bool AnyOtherHolder(const ExtentRecord& extent, uint32_t slot) {
  for (uint32_t i = 0; i < std::size(extent.holders); ++i) {
    const uint64_t own = i == slot / 64 ? uint64_t{1} << (slot % 64) : 0;
    if ((Get(extent.holders[i]) & ~own) != 0) return true;
  }
  return false;
}

void StageHolder(Transaction& change, ExtentRecord& extent, uint32_t slot, bool holds) {
  Word& word = extent.holders[slot / 64];
  const uint64_t bit = uint64_t{1} << (slot % 64);
  change.Set(word, holds ? Get(word) | bit : Get(word) & ~bit);
}

}  // namespace

MemoryBytes CardAccounts::UsedBy(uint32_t slot) const {
  MemoryBytes bytes;
  for (int kind = 0; kind < kChargedKinds; ++kind) {
    bytes.by_kind[kind] = Get(account(slot).by_kind[kind]);
  }
  return bytes;
}

bool CardAccounts::Charge(uint32_t slot, MemoryKind kind, uint64_t bytes) {
  const Section section(state().guard);
  if (bytes > total_ - used()) return false;
  Transaction change(state().guard.journal);
  change.Add(account(slot).by_kind[static_cast<uint32_t>(kind)], bytes);
  change.Add(state().used, bytes);
  change.Commit();
  return true;
}

void CardAccounts::Uncharge(uint32_t slot, MemoryKind kind, uint64_t bytes) {
  const Section section(state().guard);
  Word& line = account(slot).by_kind[static_cast<uint32_t>(kind)];
  bytes = std::min(bytes, Get(line));
  Transaction change(state().guard.journal);
  change.Subtract(line, bytes);
  change.Subtract(state().used, bytes);
  change.Commit();
}

std::optional<Extent> CardAccounts::Make(const ExtentRequest& request) {
  const uint64_t kind = static_cast<uint64_t>(request.kind);
  const uint64_t charge = IsCharged(kind) ? request.bytes : 0;
  const Section section(state().guard);
  if (request.bytes == 0 || charge > total_ - used()) return std::nullopt;
  const uint64_t count = BlocksFor(request.bytes);
  if (count > map_.blocks(card_)) return std::nullopt;
  const uint64_t hint = Get(state().first_free_hint);
  const auto block = FindFreeRun(map_.block_map(card_), hint, map_.blocks(card_), count);
  if (!block) return std::nullopt;

  ExtentRecord& extent = record(*block);
  Transaction change(state().guard.journal);
  change.Set(extent.state, kHeld);
  change.Set(extent.blocks, count);
  change.Set(extent.bytes, request.bytes);
  change.Set(extent.account, request.slot);
  change.Set(extent.kind, kind);
  change.Set(extent.exported, 0);
  StageHolder(change, extent, request.slot, true);
  change.Fill(map_.block_map(card_), *block, count, true);
  change.Set(state().blocks_used, std::max(Get(state().blocks_used), *block + count));
  if (charge > 0) {
    change.Add(account(request.slot).by_kind[kind], charge);
    change.Add(state().used, charge);
  }
  change.Commit();
  if (*block == hint) state().first_free_hint.store(hint + count, std::memory_order_relaxed);
  return Describe(*block);
}

Extent CardAccounts::Describe(uint64_t block) const {
  const ExtentRecord& extent = record(block);
  Extent described;
  described.card = card_;
  described.block = static_cast<uint32_t>(block);
  described.generation = static_cast<uint32_t>(Get(extent.generation));
  described.bytes = Get(extent.bytes);
  described.span = Get(extent.blocks) * kBlockBytes;
  return described;
}

std::optional<Extent> CardAccounts::Hold(uint64_t block, uint64_t generation, uint32_t slot) {
  if (block >= map_.blocks(card_)) return std::nullopt;
  const Section section(state().guard);
  ExtentRecord& extent = record(block);
  const uint64_t now = Get(extent.state);
  if ((now != kHeld && now != kParked) || Get(extent.generation) != generation) return std::nullopt;
  Transaction change(state().guard.journal);
  StageHolder(change, extent, slot, true);
  if (now == kParked) {
    change.Set(extent.state, kHeld);
    change.Subtract(state().parked, 1);
  }
  change.Commit();
  return Describe(block);
}

ReleaseOutcome CardAccounts::Release(uint64_t block, uint32_t slot) {
  const Section section(state().guard);
  ExtentRecord& extent = record(block);
  Transaction change(state().guard.journal);
  StageHolder(change, extent, slot, false);
  ReleaseOutcome outcome = ReleaseOutcome::kStillHeld;
  if (!AnyOtherHolder(extent, slot)) {
    if (Get(extent.exported) != 0) {
      change.Set(extent.state, kParked);
      change.Add(state().parked, 1);
      outcome = ReleaseOutcome::kParked;
    } else {
      StageDischarge(change, extent);
      StageDeath(change, extent, slot);
      outcome = ReleaseOutcome::kDying;
    }
  }
  change.Commit();
  return outcome;
}

void CardAccounts::MarkExported(uint64_t block) {
  const Section section(state().guard);
  Transaction change(state().guard.journal);
  change.Set(record(block).exported, 1);
  change.Commit();
}

BlockRange CardAccounts::RangeOf(uint64_t block) const {
  return {block, Get(record(block).blocks)};
}

void CardAccounts::EndOf(uint64_t block) {
  const Section section(state().guard);
  Transaction change(state().guard.journal);
  StageEnd(change, record(block), block);
  change.Commit();
}

void CardAccounts::StageDischarge(Transaction& change, const ExtentRecord& extent) const {
  const uint64_t kind = Get(extent.kind);
  if (!IsCharged(kind)) return;
  change.Subtract(account(Get(extent.account)).by_kind[kind], Get(extent.bytes));
  change.Subtract(state().used, Get(extent.bytes));
}

void CardAccounts::StageDeath(Transaction& change, ExtentRecord& extent, uint32_t worker) const {
  change.Set(extent.state, kDying);
  change.Set(extent.worker, worker);
  change.Add(extent.generation, 1);
}

void CardAccounts::StageEnd(Transaction& change, ExtentRecord& extent, uint64_t block) const {
  change.Set(extent.state, kAbsent);
  change.Fill(map_.block_map(card_), block, Get(extent.blocks), false);
  Word& hint = state().first_free_hint;
  hint.store(std::min(Get(hint), block), std::memory_order_relaxed);
}

uint64_t CardAccounts::NextExtent(uint64_t from) const {
  return NextTaken(map_.block_map(card_), from, Get(state().blocks_used));
}

void CardAccounts::Reclaim(uint32_t slot) {
  uint64_t block = 0;
  for (bool more = true; more;) {
    const Section section(state().guard);
    more = false;
    block = NextExtent(block);
    for (int i = 0; block < Get(state().blocks_used); ++i) {
      if ((more = i == kReclaimBatch)) break;
      const uint64_t next = block + Get(record(block).blocks);
      ReclaimExtent(block, slot);
      block = NextExtent(next);
    }
  }
  ReclaimRest(slot);
}

void CardAccounts::ReclaimExtent(uint64_t block, uint32_t slot) {
  ExtentRecord& extent = record(block);
  const uint64_t now = Get(extent.state);
  if (now != kHeld && now != kParked) return;
  const bool holds = IsHolder(extent, slot);
  const bool pays = Get(extent.account) == slot;
  if (!holds && !pays) return;
  Transaction change(state().guard.journal);
  if (holds) StageHolder(change, extent, slot, false);
  const bool ends = holds && !AnyOtherHolder(extent, slot) && Get(extent.exported) == 0;
  if (ends) {
    StageDischarge(change, extent);
    StageDeath(change, extent, slot);
  } else {
    if (holds && !AnyOtherHolder(extent, slot)) {
      change.Set(extent.state, kParked);
      change.Add(state().parked, 1);
    }
    if (pays) {
      const uint64_t kind = Get(extent.kind);
      change.Set(extent.account, kOrphans);
      if (IsCharged(kind)) {
        change.Subtract(account(slot).by_kind[kind], Get(extent.bytes));
        change.Add(account(kOrphans).by_kind[kind], Get(extent.bytes));
      }
    }
  }
  change.Commit();
}

void CardAccounts::ReclaimRest(uint32_t slot) {
  const Section section(state().guard);
  Transaction change(state().guard.journal);
  change.Subtract(state().used, UsedBy(slot).total());
  for (Word& line : account(slot).by_kind) change.Set(line, 0);
  change.Commit();
}

std::optional<BlockRange> CardAccounts::NextDying(uint32_t worker, uint64_t from) {
  const Section section(state().guard);
  for (uint64_t block = NextExtent(from); block < Get(state().blocks_used);) {
    const ExtentRecord& extent = record(block);
    const BlockRange range{block, Get(extent.blocks)};
    if (Get(extent.state) == kDying && Get(extent.worker) == worker) return range;
    block = NextExtent(range.first + range.count);
  }
  return std::nullopt;
}

}  // namespace simgpu::world
