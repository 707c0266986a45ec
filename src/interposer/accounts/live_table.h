// What is live: a key (device pointer or driver handle) and what was charged for it.
//
// Shards by hash, each with a lock of its own that is held for one probe, so threads meet only by
// chance; open addressing, so the cost is the same at none and at 100,000 entries. A shard grows
// alone: the others go on meanwhile. It shrinks again when nearly all of it is gone, as in a large
// table each new key is a line of memory that no cache has. All state is zero at first, and lives
// in ForkWiped memory.
//
// A key may come back from the driver before the one who freed it has returned from the driver, so
// a free takes its entry out first, and puts it back if the driver refuses. A new entry replaces
// one that is there: the driver would not have given the key again if that one still lived.
//
// Add and Take are a good part of what an allocation and a free cost. So the case that nearly all
// are, a key at its home with nothing behind it, is decided where they are called.
#pragma once

#include <cstdint>

#include "abi/region/limits_page.h"
#include "interposer/guest/brief_lock.h"
#include "interposer/guest/lock.h"

namespace warpshare::interposer {

struct Live {
  uint64_t bytes;  // charged; below 2^48
  uint8_t card;    // position on the limits page, kMaxCards for a card that was not granted
  uint8_t kind;    // the table's user says what it means
  uint64_t owner;  // what it dies with (a context), or the record it belongs to; 0: nothing
};

// The same as a table keeps it, and as it is handed on in two registers.
struct PackedLive {
  uint64_t word;
  uint64_t owner;

  static PackedLive Of(const Live& live) {
    return {.word = (live.bytes & kBytesMask) | (uint64_t{live.card} << 48) |
                    (uint64_t{live.kind} << 56),
            .owner = live.owner};
  }
  Live Unpack() const { return {.bytes = bytes(), .card = card(), .kind = kind(), .owner = owner}; }
  uint64_t bytes() const { return word & kBytesMask; }
  uint8_t card() const { return static_cast<uint8_t>(word >> 48); }
  uint8_t kind() const { return static_cast<uint8_t>(word >> 56); }

 private:
  static constexpr uint64_t kBytesMask = (uint64_t{1} << 48) - 1;
};

struct AnyLiveTable {
  enum class Added : uint8_t {
    kNew,
    kReplaced,  // `replaced` holds a dead entry, whose bytes are the caller's to give back
    kNoMemory,  // nothing was changed
  };
};

template <uint32_t kShardBits>
class LiveTableOf : public AnyLiveTable {
 public:
  // `key` is never 0.
  [[nodiscard, gnu::always_inline]] inline Added Add(uint64_t key, const Live& live,
                                                     Live& replaced) {
    Home home(*this, key);
    if (!home.IsFree()) [[unlikely]] {
      home.Leave();
      return AddSlowly(key, live, replaced);
    }
    home.Put(PackedLive::Of(live));
    return Added::kNew;
  }

  // Undoes a Take. False if the key was given out again meanwhile: then what was taken is dead.
  [[nodiscard]] bool PutBack(uint64_t key, const Live& live);

  // Takes the entry out; of several who try, one succeeds.
  [[nodiscard, gnu::always_inline]] inline bool Take(uint64_t key, Live& taken) {
    return TakeOf(kAnyKind, key, taken);
  }
  // The same, but an entry of another kind stays.
  [[nodiscard, gnu::always_inline]] inline bool TakeOf(int kind, uint64_t key, Live& taken) {
    Home home(*this, key);
    if (!home.Holds(kind)) [[unlikely]] {
      home.Leave();
      return TakeSlowly(key, taken, kind);
    }
    taken = home.Take().Unpack();
    return true;
  }
  [[nodiscard]] bool Find(uint64_t key, Live& found);

  // Changes an entry in place under the shard's lock; false if there is none. `change(live)` may
  // set bytes, kind and owner, and must not come back to the table.
  template <typename Change>
  bool Update(uint64_t key, Change change) {
    Shard& shard = ShardOf(key);
    guest::LockGuard guard(shard.lock);
    Entry* entry = shard.Find(key);
    if (entry == nullptr) return false;
    Live live = entry->live.Unpack();
    shard.Count(entry->live, /*added=*/false);
    change(live);
    entry->live = PackedLive::Of(live);
    shard.Count(entry->live, /*added=*/true);
    return true;
  }

  // Takes out every entry of which `is_meant(key, live)`, and calls `visit(key, live)` for it; both
  // under a shard's lock, so they must not come back to the table.
  template <typename IsMeant, typename Visit>
  void TakeIf(IsMeant is_meant, Visit visit) {
    for (Shard& shard : shards_) {
      guest::LockGuard guard(shard.lock);
      for (uint32_t i = 0; i < shard.capacity;) {
        const uint64_t key = shard.entries[i].key;
        const Live live = shard.entries[i].live.Unpack();
        if (key == 0 || !is_meant(key, live)) {
          ++i;
          continue;
        }
        shard.Count(shard.entries[i].live, /*added=*/false);
        shard.Remove(i);  // moves another entry to i
        visit(key, live);
      }
      shard.ShrinkIfFew();
    }
  }

  // Whether an entry names this owner. Looks at all.
  bool HasAnyOf(uint64_t owner);

  // All bytes of a card. A sum over the shards: exact only while nothing changes.
  uint64_t BytesOn(uint32_t card);
  uint64_t Size();
  uint64_t Capacity();  // entries that it has memory for

 private:
  static constexpr int kAnyKind = -1;
  static constexpr uint32_t kShards = 1 << kShardBits;

  struct Entry {
    uint64_t key;  // 0: empty
    PackedLive live;

    bool IsOf(int kind) const { return kind == kAnyKind || live.kind() == kind; }
  };

  struct alignas(64) Shard {
    guest::BriefLock lock;
    uint32_t capacity = 0;  // a power of two, or 0
    uint32_t count = 0;
    uint32_t few = 0;  // with no more entries than these it shrinks; 0 where it is smallest
    Entry* entries = nullptr;
    uint64_t bytes[abi::kMaxCards + 1] = {};  // by card

    uint32_t SlotOf(uint64_t key) const;  // where the key is, or belongs
    Entry* Find(uint64_t key);
    bool Resize(uint32_t new_capacity);
    bool Grow();
    void ShrinkIfFew();
    bool Insert(uint64_t key, const Live& live);  // of a key that is not there
    bool MakeRoom();                              // for one more entry; may move them all
    void Remove(uint32_t slot);
    void Count(PackedLive live, bool added) {
      if (live.card() <= abi::kMaxCards) [[likely]]
        bytes[live.card()] += added ? live.bytes() : -live.bytes();
    }
    // A quarter, so that a probe mostly ends where it begins and a removal moves nothing: a branch
    // that goes this way and that costs more than the room does.
    bool HasRoom() const { return count < capacity / 4; }
  };

 public:
  // Where a key belongs. It is found before the shard's lock is taken, so that the place is fetched
  // meanwhile: in a large table it is in no near cache. Once the lock is held it may have become
  // another place, or never have been one. The lock is held until Put, Take or Leave; of a place
  // that is not free to Put, or does not hold what to Take, a function that looks further decides.
  class Home {
   public:
    [[gnu::always_inline]] inline Home(LiveTableOf& table, uint64_t key)
        : shard_(table.ShardOf(key)),
          key_(key),
          entries_(__atomic_load_n(&shard_.entries, __ATOMIC_RELAXED)),
          capacity_(__atomic_load_n(&shard_.capacity, __ATOMIC_RELAXED)),
          slot_(SlotOf(key, capacity_ - 1)) {
      const auto start = reinterpret_cast<uintptr_t>(entries_);
      __builtin_prefetch(reinterpret_cast<const void*>(start + slot_ * sizeof(Entry)), /*write=*/1);
      shard_.lock.Acquire();
    }
    bool IsFree() const { return IsStill() && shard_.HasRoom() && entries_[slot_].key == 0; }
    bool Holds(int kind = kAnyKind) const {
      return IsStill() && shard_.count > shard_.few && entries_[slot_].key == key_ &&
             entries_[(slot_ + 1) & (capacity_ - 1)].key == 0 && entries_[slot_].IsOf(kind);
    }
    void Put(PackedLive live) {
      ++shard_.count;
      Entry& entry = entries_[slot_];
      __atomic_store_n(&entry.key, key_, __ATOMIC_RELAXED);
      __atomic_store_n(&entry.live.word, live.word, __ATOMIC_RELAXED);
      __atomic_store_n(&entry.live.owner, live.owner, __ATOMIC_RELAXED);
      shard_.Count(live, /*added=*/true);
      Leave();
    }
    PackedLive Take() {
      --shard_.count;
      Entry& entry = entries_[slot_];
      const PackedLive live = {.word = __atomic_load_n(&entry.live.word, __ATOMIC_RELAXED),
                               .owner = __atomic_load_n(&entry.live.owner, __ATOMIC_RELAXED)};
      entry.key = 0;
      shard_.Count(live, /*added=*/false);
      Leave();
      return live;
    }
    void Leave() { shard_.lock.Release(); }

   private:
    bool IsStill() const { return shard_.entries == entries_ && shard_.capacity == capacity_; }

    Shard& shard_;
    uint64_t key_;
    Entry* entries_;
    uint32_t capacity_;
    uint64_t slot_;
  };

 private:
  // 2^64 / phi: spreads keys that differ in few bits, as addresses do. The top bits choose the
  // shard, the ones below them the slot.
  static uint32_t SlotOf(uint64_t key, uint32_t mask) {
    return static_cast<uint32_t>(Hash(key) >> 24) & mask;
  }
  static uint64_t Hash(uint64_t key) { return (key ^ (key >> 32)) * 0x9e3779b97f4a7c15; }

  Shard& ShardOf(uint64_t key) {
    if constexpr (kShardBits == 0)
      return shards_[0];
    else
      return shards_[Hash(key) >> (64 - kShardBits)];
  }

  [[gnu::cold]] Added AddSlowly(uint64_t key, const Live& live, Live& replaced);
  [[gnu::cold]] bool TakeSlowly(uint64_t key, Live& taken, int kind);

  // Each under its lock.
  template <typename Of>
  uint64_t Sum(Of of) {
    uint64_t sum = 0;
    for (Shard& shard : shards_) {
      guest::LockGuard guard(shard.lock);
      sum += of(shard);
    }
    return sum;
  }

  Shard shards_[kShards] = {};
};

using LiveTable = LiveTableOf<4>;

// For what is under a lock of its user anyway: everything in few pages of memory, so that little is
// to be looked up anew where the driver changes mappings, as it does for physical memory.
using DenseLiveTable = LiveTableOf<0>;

}  // namespace warpshare::interposer
