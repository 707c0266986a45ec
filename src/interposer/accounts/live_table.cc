#include "interposer/accounts/live_table.h"

#include "interposer/guest/fork_wiped.h"
#include "interposer/guest/kernel.h"

namespace warpshare::interposer {

namespace {

constexpr uint32_t kFirstCapacity = 256;  // 6 KiB: two pages
// Entries that there is room for, to each that there is, when it is too much. Shrinking looks at
// all of that room; three entries at least went for each 64 of it since the shard was resized last.
constexpr uint32_t kMuchRoom = 64;

}  // namespace

template <uint32_t kShardBits>
inline uint32_t LiveTableOf<kShardBits>::Shard::SlotOf(uint64_t key) const {
  const uint32_t mask = capacity - 1;
  uint32_t slot = LiveTableOf::SlotOf(key, mask);
  while (entries[slot].key != key && entries[slot].key != 0) slot = (slot + 1) & mask;
  return slot;
}

template <uint32_t kShardBits>
typename LiveTableOf<kShardBits>::Entry* LiveTableOf<kShardBits>::Shard::Find(uint64_t key) {
  if (count == 0) return nullptr;
  Entry* entry = &entries[SlotOf(key)];
  return entry->key == key ? entry : nullptr;
}

template <uint32_t kShardBits>
[[gnu::noinline]] bool LiveTableOf<kShardBits>::Shard::Resize(uint32_t new_capacity) {
  const uint32_t old_capacity = capacity;
  Entry* old_entries = entries;
  void* pages = guest::MapZeroed(uint64_t{new_capacity} * sizeof(Entry), /*wiped=*/false);
  if (pages == nullptr) return false;
  __atomic_store_n(&entries, static_cast<Entry*>(pages), __ATOMIC_RELAXED);
  __atomic_store_n(&capacity, new_capacity, __ATOMIC_RELAXED);
  few = new_capacity == kFirstCapacity ? 0 : new_capacity / kMuchRoom;
  for (uint32_t i = 0; i < old_capacity; ++i) {
    if (old_entries[i].key != 0) entries[SlotOf(old_entries[i].key)] = old_entries[i];
  }
  if (old_entries != nullptr) guest::Unmap(old_entries, uint64_t{old_capacity} * sizeof(Entry));
  return true;
}

template <uint32_t kShardBits>
inline bool LiveTableOf<kShardBits>::Shard::Grow() {
  return Resize(capacity == 0 ? kFirstCapacity : capacity * 2);
}

// To where it may at least double before it grows again. Without memory it stays large.
template <uint32_t kShardBits>
inline void LiveTableOf<kShardBits>::Shard::ShrinkIfFew() {
  if (few == 0 || count > few) return;
  uint32_t smaller = kFirstCapacity;
  while (smaller < count * 8) smaller *= 2;
  (void)Resize(smaller);
}

// Beyond a quarter only when there is no memory to grow.
template <uint32_t kShardBits>
inline bool LiveTableOf<kShardBits>::Shard::MakeRoom() {
  return HasRoom() || Grow() || count + 1 < capacity;
}

template <uint32_t kShardBits>
inline bool LiveTableOf<kShardBits>::Shard::Insert(uint64_t key, const Live& live) {
  if (!MakeRoom()) return false;
  entries[SlotOf(key)] = {.key = key, .live = PackedLive::Of(live)};
  ++count;
  Count(PackedLive::Of(live), /*added=*/true);
  return true;
}

// Closes the gap, so that no probe ends before the key it looks for: an entry behind the gap moves
// into it unless it would then stand before its own place.
template <uint32_t kShardBits>
void LiveTableOf<kShardBits>::Shard::Remove(uint32_t slot) {
  const uint32_t mask = capacity - 1;
  uint32_t gap = slot;
  for (uint32_t at = (gap + 1) & mask; entries[at].key != 0; at = (at + 1) & mask) {
    const uint32_t home = LiveTableOf::SlotOf(entries[at].key, mask);
    if (((at - home) & mask) < ((at - gap) & mask)) continue;
    entries[gap] = entries[at];
    gap = at;
  }
  entries[gap].key = 0;
  --count;
}

// Looks once for where the key is or belongs, so room is made first.
template <uint32_t kShardBits>
AnyLiveTable::Added LiveTableOf<kShardBits>::AddSlowly(uint64_t key, const Live& live,
                                                       Live& replaced) {
  Shard& shard = ShardOf(key);
  guest::LockGuard guard(shard.lock);
  if (!shard.MakeRoom() && shard.Find(key) == nullptr) return Added::kNoMemory;
  Entry& entry = shard.entries[shard.SlotOf(key)];
  const bool is_new = entry.key == 0;
  if (is_new) {
    ++shard.count;
  } else {
    replaced = entry.live.Unpack();
    shard.Count(entry.live, /*added=*/false);
  }
  entry = {.key = key, .live = PackedLive::Of(live)};
  shard.Count(entry.live, /*added=*/true);
  return is_new ? Added::kNew : Added::kReplaced;
}

template <uint32_t kShardBits>
bool LiveTableOf<kShardBits>::PutBack(uint64_t key, const Live& live) {
  Shard& shard = ShardOf(key);
  guest::LockGuard guard(shard.lock);
  return shard.Find(key) == nullptr && shard.Insert(key, live);
}

template <uint32_t kShardBits>
bool LiveTableOf<kShardBits>::TakeSlowly(uint64_t key, Live& taken, int kind) {
  Shard& shard = ShardOf(key);
  guest::LockGuard guard(shard.lock);
  Entry* entry = shard.Find(key);
  if (entry == nullptr || !entry->IsOf(kind)) return false;
  taken = entry->live.Unpack();
  shard.Count(entry->live, /*added=*/false);
  shard.Remove(static_cast<uint32_t>(entry - shard.entries));
  shard.ShrinkIfFew();
  return true;
}

template <uint32_t kShardBits>
bool LiveTableOf<kShardBits>::Find(uint64_t key, Live& found) {
  Shard& shard = ShardOf(key);
  guest::LockGuard guard(shard.lock);
  const Entry* entry = shard.Find(key);
  if (entry == nullptr) return false;
  found = entry->live.Unpack();
  return true;
}

template <uint32_t kShardBits>
bool LiveTableOf<kShardBits>::HasAnyOf(uint64_t owner) {
  for (Shard& shard : shards_) {
    guest::LockGuard guard(shard.lock);
    for (uint32_t i = 0; i < shard.capacity; ++i) {
      if (shard.entries[i].key != 0 && shard.entries[i].live.owner == owner) return true;
    }
  }
  return false;
}

template <uint32_t kShardBits>
uint64_t LiveTableOf<kShardBits>::BytesOn(uint32_t card) {
  return Sum([card](const Shard& shard) { return shard.bytes[card]; });
}

template <uint32_t kShardBits>
uint64_t LiveTableOf<kShardBits>::Size() {
  return Sum([](const Shard& shard) { return shard.count; });
}

template <uint32_t kShardBits>
uint64_t LiveTableOf<kShardBits>::Capacity() {
  return Sum([](const Shard& shard) { return shard.capacity; });
}

template class LiveTableOf<0>;
template class LiveTableOf<4>;

}  // namespace warpshare::interposer
