#include "interposer/accounts/pools.h"

#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"

namespace warpshare::interposer {

namespace {

// What drivers of 2020 to 2026 grow a pool by.
constexpr uint64_t kAssumedLump = uint64_t{32} << 20;

uint64_t KeyOf(CUmemoryPool pool) { return reinterpret_cast<uint64_t>(pool); }

bool ReadPool(uint64_t handle, ReportedStore::Quantity quantity, uint64_t& bytes) {
  const bool is_reserved = quantity == ReportedStore::Quantity::kReserved;
  return REAL(cuMemPoolGetAttribute)(
             reinterpret_cast<CUmemoryPool>(handle),
             is_reserved ? CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT : CU_MEMPOOL_ATTR_USED_MEM_CURRENT,
             &bytes) == CUDA_SUCCESS;
}

void TrimPool(uint64_t handle) { REAL(cuMemPoolTrimTo)(reinterpret_cast<CUmemoryPool>(handle), 0); }

Live EntryOf(PoolRecord& record) {
  return {.bytes = 0, .card = abi::kMaxCards, .kind = 0, .owner = record.AsOwner()};
}

}  // namespace

// Adds `pins` while the record cannot leave the index.
PoolRecord* Pools::Find(CUmemoryPool pool, uint32_t pins) {
  PoolRecord* found = nullptr;
  index_.Update(KeyOf(pool), [&](Live& live) {
    found = PoolRecord::OfOwner(live.owner);
    found->pins.fetch_add(pins, std::memory_order_relaxed);
  });
  return found;
}

void Pools::Enter(CUmemoryPool pool, CardAccount* account, bool is_plain) {
  const guest::LockGuard guard(lock_);
  PoolRecord* record = pool == nullptr || Find(pool, 0) != nullptr ? nullptr : records_.Take();
  if (record == nullptr) return;
  record->store.Open({.account = account,
                      .reader = ReadPool,
                      .trimmer = TrimPool,
                      .handle = KeyOf(pool),
                      .assumed_lump = kAssumedLump});
  record->pins.store(0, std::memory_order_relaxed);
  record->is_plain.store(is_plain, std::memory_order_relaxed);
  record->release_threshold.store(0, std::memory_order_relaxed);
  Live replaced;
  if (index_.Add(KeyOf(pool), EntryOf(*record), replaced) == LiveTable::Added::kNoMemory) {
    records_.Return(record);
  }
}

Pools::Rest Pools::Unpin(PoolRecord& record) {
  Rest rest{.account = record.store.account(), .bytes = 0};
  if (record.pins.fetch_sub(1, std::memory_order_acq_rel) == (PoolRecord::kDestroyed | 1)) {
    rest.bytes = record.store.Close();
    records_.Return(&record);
  }
  return rest;
}

Pools::Rest Pools::Free(const Live& live, uint64_t stream) {
  PoolRecord& record = *PoolRecord::OfOwner(live.owner);
  record.store.NoteFreed(live.bytes, stream);
  return Unpin(record);
}

CUresult Pools::Destroy(CUmemoryPool pool, CUresult (*call)(CUmemoryPool)) {
  Live entry;
  if (!index_.Take(KeyOf(pool), entry)) return call(pool);
  PoolRecord& record = *PoolRecord::OfOwner(entry.owner);
  record.store.Shrink();
  record.store.Pause();
  const CUresult result = call(pool);
  if (result != CUDA_SUCCESS) {
    record.store.Resume(ReadPool);
    (void)index_.PutBack(KeyOf(pool), entry);
    return result;
  }
  // As if one more allocation had lived until now.
  record.pins.fetch_add(1, std::memory_order_relaxed);
  record.pins.fetch_or(PoolRecord::kDestroyed, std::memory_order_acq_rel);
  GiveBack(Unpin(record));
  return result;
}

void Pools::SetReleaseThreshold(CUmemoryPool pool, uint64_t bytes) {
  if (PoolRecord* record = Find(pool, 0); record != nullptr) {
    record->release_threshold.store(bytes, std::memory_order_relaxed);
  }
}

void Pools::Shrink(CUmemoryPool pool) {
  if (PoolRecord* record = Find(pool, 0); record != nullptr) record->store.Shrink();
}

void Pools::ShrinkAll() {
  records_.ForEach([](PoolRecord& record) { record.store.Shrink(); });
}

void Pools::ShrinkBeyondThreshold() {
  records_.ForEach([](PoolRecord& record) {
    if (record.store.charged() > record.release_threshold.load(std::memory_order_relaxed)) {
      record.store.Shrink();
    }
  });
}

uint64_t Pools::BytesOn(uint32_t card) {
  uint64_t bytes = 0;
  records_.ForEach([&](PoolRecord& record) {
    const CardAccount* account = record.store.account();
    if (account != nullptr && account->card() == card) bytes += record.store.charged();
  });
  return bytes;
}

}  // namespace warpshare::interposer
