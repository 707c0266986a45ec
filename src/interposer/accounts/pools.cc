#include "interposer/accounts/pools.h"

#include "interposer/accounts/accounts.h"
#include "interposer/accounts/capture_tolerance.h"
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"
#include "interposer/session/patience.h"

namespace warpshare::interposer {

namespace {

// What drivers of 2020 to 2026 grow a pool by.
constexpr uint64_t kAssumedLump = uint64_t{32} << 20;

bool ReadPool(uint64_t handle, ReportedStore::Quantity quantity, uint64_t& bytes) {
  const bool is_reserved = quantity == ReportedStore::Quantity::kReserved;
  return REAL(cuMemPoolGetAttribute)(
             reinterpret_cast<CUmemoryPool>(handle),
             is_reserved ? CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT : CU_MEMPOOL_ATTR_USED_MEM_CURRENT,
             &bytes) == CUDA_SUCCESS;
}

void TrimPool(uint64_t handle) { REAL(cuMemPoolTrimTo)(reinterpret_cast<CUmemoryPool>(handle), 0); }

// What a program set before the pool was entered, or the pool was made with.
uint64_t ReleaseThresholdOf(CUmemoryPool pool) {
  cuuint64_t bytes = 0;
  const CUresult result =
      REAL(cuMemPoolGetAttribute)(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &bytes);
  return result == CUDA_SUCCESS ? bytes : 0;
}

Live EntryOf(PoolRecord& record) {
  return {.bytes = 0, .card = abi::kMaxCards, .kind = 0, .owner = record.AsOwner()};
}

}  // namespace

PoolRecord* Pools::Find(CUmemoryPool pool) {
  if (PoolRecord* latest = Latest(pool); latest != nullptr) return latest;
  Live live;
  if (pool == nullptr || !index_.Find(KeyOf(pool), live)) return nullptr;
  PoolRecord* found = PoolRecord::OfOwner(live.owner);
  latest_[PlaceOf(pool)].store(found, std::memory_order_release);
  return found;
}

void Pools::Enter(CUmemoryPool pool, CardAccount* account, bool is_plain) {
  const uint64_t release_threshold = pool == nullptr ? 0 : ReleaseThresholdOf(pool);
  const guest::LockGuard guard(lock_);
  PoolRecord* record = pool == nullptr || Find(pool) != nullptr ? nullptr : records_.Take();
  if (record == nullptr) return;
  record->store.Open({.account = account,
                      .reader = ReadPool,
                      .trimmer = TrimPool,
                      .handle = KeyOf(pool),
                      .assumed_lump = kAssumedLump});
  record->is_plain.store(is_plain, std::memory_order_relaxed);
  record->release_threshold.store(release_threshold, std::memory_order_relaxed);
  Live replaced;
  if (index_.Add(KeyOf(pool), EntryOf(*record), replaced) == LiveTable::Added::kNoMemory) {
    records_.Return(record);
  }
}

Pools::Rest Pools::Bury(PoolRecord& record) {
  const Rest rest{.account = record.store.account(), .bytes = record.store.Close()};
  records_.Return(&record);
  return rest;
}

// Once the pool is destroyed, nobody can be asked when the driver lets go of it.
void Pools::AwaitFrees(PoolRecord& record) {
  const CaptureTolerance tolerance;
  Patience patience(*Session::Current(), Patience::kStreamNs);
  while (record.store.charged() != 0 && record.store.users().count == 0) {
    (void)record.store.TrimUnused();
    if (record.store.charged() == 0 || !patience.Wait()) return;
  }
}

CUresult Pools::Destroy(CUmemoryPool pool, CUresult (*call)(CUmemoryPool)) {
  Live entry;
  if (!index_.Take(KeyOf(pool), entry)) return call(pool);
  PoolRecord& record = *PoolRecord::OfOwner(entry.owner);
  AwaitFrees(record);
  const guest::LockGuard destroying(destroying_);
  record.store.Shrink();
  record.store.Pause();
  const CUresult result = call(pool);
  if (result != CUDA_SUCCESS) {
    record.store.Resume(ReadPool);
    record.store.Recount();
    (void)index_.PutBack(KeyOf(pool), entry);
    return result;
  }
  if (record.store.End()) GiveBack(Bury(record));
  return result;
}

void Pools::SetReleaseThreshold(CUmemoryPool pool, uint64_t bytes) {
  if (PoolRecord* record = Find(pool); record != nullptr) {
    record->release_threshold.store(bytes, std::memory_order_relaxed);
  }
}

void Pools::Shrink(CUmemoryPool pool) {
  if (PoolRecord* record = Find(pool); record != nullptr) record->store.Shrink();
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

// Whether what a pool is charged is what it holds, or the driver can be asked. A destroyed pool is
// one with its last allocation, whose entry is gone while that is being freed.
bool Pools::IsSteady(PoolRecord& record) {
  const ReportedStore::Users users = record.store.users();
  if (!users.has_ended) return true;
  if (users.had_several) return false;
  return Accounts::pointers().HasAnyOf(record.AsOwner());
}

uint64_t Pools::BytesOn(uint32_t card) {
  const guest::LockGuard destroying(destroying_);
  uint64_t bytes = 0;
  records_.ForEach([&](PoolRecord& record) {
    if (record.store.IsOn(card) && IsSteady(record)) bytes += record.store.charged();
  });
  return bytes;
}

ReportedStore::Calls Pools::CallsOn(uint32_t card) {
  ReportedStore::Calls sum{};
  records_.ForEach([&](PoolRecord& record) {
    if (!record.store.IsOn(card)) return;
    const ReportedStore::Calls calls = record.store.calls();
    sum.begun += calls.begun;
    sum.in_flight += calls.in_flight;
  });
  return sum;
}

}  // namespace warpshare::interposer
