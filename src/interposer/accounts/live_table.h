// What is live: a key (device pointer or driver handle) and what was charged for it.
//
// Shards by hash, each with a lock of its own that is held for one probe, so threads meet only by
// chance; open addressing, so the cost is the same at none and at 100,000 entries. A shard grows
// alone: the others go on meanwhile. All state is zero at first, and lives in ForkWiped memory.
//
// A key may come back from the driver before the one who freed it has returned from the driver, so
// a free takes its entry out first, and puts it back if the driver refuses. A new entry replaces
// one that is there: the driver would not have given the key again if that one still lived.
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

class LiveTable {
 public:
  enum class Added : uint8_t {
    kNew,
    kReplaced,  // `replaced` holds a dead entry, whose bytes are the caller's to give back
    kNoMemory,  // nothing was changed
  };

  // `key` is never 0.
  [[nodiscard]] Added Add(uint64_t key, const Live& live, Live& replaced);

  // Undoes a Take. False if the key was given out again meanwhile: then what was taken is dead.
  [[nodiscard]] bool PutBack(uint64_t key, const Live& live);

  // Takes the entry out; of several who try, one succeeds.
  [[nodiscard]] bool Take(uint64_t key, Live& taken);
  [[nodiscard]] bool Find(uint64_t key, Live& found);

  // Changes an entry in place under the shard's lock; false if there is none. `change(live)` may
  // set bytes and owner, and must not come back to the table.
  template <typename Change>
  bool Update(uint64_t key, Change change) {
    Shard& shard = ShardOf(key);
    guest::LockGuard guard(shard.lock);
    Entry* entry = shard.Find(key);
    if (entry == nullptr) return false;
    Live live = entry->Unpack();
    shard.Count(live, /*added=*/false);
    change(live);
    *entry = Entry::Pack(key, live);
    shard.Count(live, /*added=*/true);
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
        const Live live = shard.entries[i].Unpack();
        if (key == 0 || !is_meant(key, live)) {
          ++i;
          continue;
        }
        shard.Count(live, /*added=*/false);
        shard.Remove(i);  // moves another entry to i
        visit(key, live);
      }
    }
  }

  // All bytes of a card. A sum over the shards: exact only while nothing changes.
  uint64_t BytesOn(uint32_t card);
  uint64_t Size();

 private:
  static constexpr uint32_t kShardBits = 4;
  static constexpr uint32_t kShards = 1 << kShardBits;

  struct Entry {
    uint64_t key;  // 0: empty
    uint64_t word;
    uint64_t owner;

    Live Unpack() const {
      return {.bytes = word & kBytesMask,
              .card = static_cast<uint8_t>(word >> 48),
              .kind = static_cast<uint8_t>(word >> 56),
              .owner = owner};
    }
    static Entry Pack(uint64_t key, const Live& live) {
      return {.key = key,
              .word = (live.bytes & kBytesMask) | (uint64_t{live.card} << 48) |
                      (uint64_t{live.kind} << 56),
              .owner = live.owner};
    }
  };
  static constexpr uint64_t kBytesMask = (uint64_t{1} << 48) - 1;

  struct alignas(64) Shard {
    guest::BriefLock lock;
    uint32_t capacity = 0;  // a power of two, or 0
    uint32_t count = 0;
    Entry* entries = nullptr;
    uint64_t bytes[abi::kMaxCards + 1] = {};  // by card

    void Prefetch(uint64_t key) const;    // without the lock
    uint32_t SlotOf(uint64_t key) const;  // where the key is, or belongs
    Entry* Find(uint64_t key);
    bool Grow();
    bool Insert(uint64_t key, const Live& live);  // of a key that is not there
    bool MakeRoom();                              // for one more entry; may move them all
    void Remove(uint32_t slot);
    void Count(const Live& live, bool added);
  };

  Shard& ShardOf(uint64_t key);

  Shard shards_[kShards] = {};
};

}  // namespace warpshare::interposer
