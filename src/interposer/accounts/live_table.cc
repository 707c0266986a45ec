#include "interposer/accounts/live_table.h"

#include "interposer/guest/fork_wiped.h"
#include "interposer/guest/kernel.h"

namespace warpshare::interposer {

namespace {

// 2^64 / phi: spreads keys that differ in few bits, as addresses do. The top bits choose the shard,
// the ones below them the slot.
constexpr uint64_t kSpread = 0x9e3779b97f4a7c15;
uint64_t Hash(uint64_t key) { return (key ^ (key >> 32)) * kSpread; }
uint32_t HomeOf(uint64_t key, uint32_t mask) {
  return static_cast<uint32_t>(Hash(key) >> 24) & mask;
}

constexpr uint32_t kFirstCapacity = 256;  // 6 KiB: two pages

}  // namespace

LiveTable::Shard& LiveTable::ShardOf(uint64_t key) {
  return shards_[Hash(key) >> (64 - kShardBits)];
}

// Fetches what the key will need while the lock is being taken: in a large table it is in no near
// cache. What is read may be out of date, or of two tables; then the fetch was for nothing.
inline void LiveTable::Shard::Prefetch(uint64_t key) const {
  const uint32_t size = __atomic_load_n(&capacity, __ATOMIC_RELAXED);
  const auto start = reinterpret_cast<uintptr_t>(__atomic_load_n(&entries, __ATOMIC_RELAXED));
  const uint64_t offset = uint64_t{HomeOf(key, size - 1)} * sizeof(Entry);
  __builtin_prefetch(reinterpret_cast<const void*>(start + offset), /*write=*/1);
}

inline uint32_t LiveTable::Shard::SlotOf(uint64_t key) const {
  const uint32_t mask = capacity - 1;
  uint32_t slot = HomeOf(key, mask);
  while (entries[slot].key != key && entries[slot].key != 0) slot = (slot + 1) & mask;
  return slot;
}

LiveTable::Entry* LiveTable::Shard::Find(uint64_t key) {
  if (count == 0) return nullptr;
  Entry* entry = &entries[SlotOf(key)];
  return entry->key == key ? entry : nullptr;
}

[[gnu::noinline]] bool LiveTable::Shard::Grow() {
  const uint32_t old_capacity = capacity;
  Entry* old_entries = entries;
  const uint32_t new_capacity = old_capacity == 0 ? kFirstCapacity : old_capacity * 2;
  void* pages = guest::MapZeroed(uint64_t{new_capacity} * sizeof(Entry), /*wiped=*/false);
  if (pages == nullptr) return false;
  __atomic_store_n(&entries, static_cast<Entry*>(pages), __ATOMIC_RELAXED);
  __atomic_store_n(&capacity, new_capacity, __ATOMIC_RELAXED);
  for (uint32_t i = 0; i < old_capacity; ++i) {
    if (old_entries[i].key != 0) entries[SlotOf(old_entries[i].key)] = old_entries[i];
  }
  if (old_entries != nullptr) guest::Unmap(old_entries, uint64_t{old_capacity} * sizeof(Entry));
  return true;
}

// A quarter full at most, so that a probe mostly ends where it begins and a removal moves nothing:
// a branch that goes this way and that costs more than the room does. Beyond that only when there
// is no memory to grow.
inline bool LiveTable::Shard::MakeRoom() {
  return count + 1 <= capacity / 4 || Grow() || count + 1 < capacity;
}

inline bool LiveTable::Shard::Insert(uint64_t key, const Live& live) {
  if (!MakeRoom()) return false;
  entries[SlotOf(key)] = Entry::Pack(key, live);
  ++count;
  Count(live, /*added=*/true);
  return true;
}

// Closes the gap, so that no probe ends before the key it looks for: an entry behind the gap moves
// into it unless it would then stand before its own place.
void LiveTable::Shard::Remove(uint32_t slot) {
  const uint32_t mask = capacity - 1;
  uint32_t gap = slot;
  for (uint32_t at = (gap + 1) & mask; entries[at].key != 0; at = (at + 1) & mask) {
    const uint32_t home = HomeOf(entries[at].key, mask);
    if (((at - home) & mask) < ((at - gap) & mask)) continue;
    entries[gap] = entries[at];
    gap = at;
  }
  entries[gap].key = 0;
  --count;
}

void LiveTable::Shard::Count(const Live& live, bool added) {
  if (live.card <= abi::kMaxCards) bytes[live.card] += added ? live.bytes : -live.bytes;
}

// Looks once for where the key is or belongs, so room is made first. Flat, as is Take: the two are
// a good part of what an allocation and a free cost.
[[gnu::flatten]] LiveTable::Added LiveTable::Add(uint64_t key, const Live& live, Live& replaced) {
  Shard& shard = ShardOf(key);
  shard.Prefetch(key);
  guest::LockGuard guard(shard.lock);
  if (!shard.MakeRoom() && shard.Find(key) == nullptr) return Added::kNoMemory;
  Entry& entry = shard.entries[shard.SlotOf(key)];
  const bool is_new = entry.key == 0;
  if (is_new) {
    ++shard.count;
  } else {
    replaced = entry.Unpack();
    shard.Count(replaced, /*added=*/false);
  }
  entry = Entry::Pack(key, live);
  shard.Count(live, /*added=*/true);
  return is_new ? Added::kNew : Added::kReplaced;
}

bool LiveTable::PutBack(uint64_t key, const Live& live) {
  Shard& shard = ShardOf(key);
  guest::LockGuard guard(shard.lock);
  return shard.Find(key) == nullptr && shard.Insert(key, live);
}

[[gnu::flatten]] bool LiveTable::Take(uint64_t key, Live& taken) {
  Shard& shard = ShardOf(key);
  shard.Prefetch(key);
  guest::LockGuard guard(shard.lock);
  Entry* entry = shard.Find(key);
  if (entry == nullptr) return false;
  taken = entry->Unpack();
  shard.Count(taken, /*added=*/false);
  shard.Remove(static_cast<uint32_t>(entry - shard.entries));
  return true;
}

bool LiveTable::Find(uint64_t key, Live& found) {
  Shard& shard = ShardOf(key);
  guest::LockGuard guard(shard.lock);
  const Entry* entry = shard.Find(key);
  if (entry == nullptr) return false;
  found = entry->Unpack();
  return true;
}

uint64_t LiveTable::BytesOn(uint32_t card) {
  uint64_t sum = 0;
  for (Shard& shard : shards_) {
    guest::LockGuard guard(shard.lock);
    sum += shard.bytes[card];
  }
  return sum;
}

uint64_t LiveTable::Size() {
  uint64_t size = 0;
  for (Shard& shard : shards_) {
    guest::LockGuard guard(shard.lock);
    size += shard.count;
  }
  return size;
}

}  // namespace warpshare::interposer
