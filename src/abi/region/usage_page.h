// The usage file: what a tenant holds, in the tenant's own words.
//
//   writer   the interposer in every process of one tenant (shared, read-write mapping)
//   reader   the same processes; `warpshare ps/top` and the node daemon, which treat every byte as
//            hostile: they copy, then validate the copy (ledger/snapshot.h)
//   life     created empty by whoever makes the tenant directory, removed with it; sparse, so that
//            only the slots in use cost memory
//
//   | header 4 KiB: cards[16] (the totals) | slots[1024], 1 KiB each: 768 of a process, 256 of
//   memory | that processes have exported |
//
// A card's total and a process's part of it change in two steps, in two places.
// ledger/card_ledger.h says how both stay equal when a process dies between the steps.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "abi/region/limits_page.h"

namespace warpshare::abi {

inline constexpr uint64_t kUsageMagic = 0x31475355535057;  // "WPSUSG1" in memory order
inline constexpr uint16_t kUsageMajor = 1;
inline constexpr uint16_t kUsageMinor = 4;

// Processes of one tenant that use a card at the same time have the first ones, exported memory the
// others (ledger/memory_slot.h). The slot number must fit the total's 10-bit field
// (ledger/words.h).
inline constexpr uint32_t kMaxSlots = 1024;
inline constexpr uint32_t kProcessSlots = 768;

// 16 bytes that change by one compare-and-swap. The meaning of the halves is ledger/words.h's.
struct alignas(16) Pair {
  uint64_t low;
  uint64_t high;
};

// One card's total over all processes of the tenant.
struct alignas(64) CardUsageV1 {
  Pair total;                        // ledger/card_ledger.h; changes by 16-byte CAS only
  std::atomic<uint64_t> peak_bytes;  // highest total seen; only grows
  std::atomic<uint64_t> refusals;    // calls answered with out-of-memory; only grows
  // What the driver took for one context here; 0: not known yet. The prober is slot + 1 of the
  // process that is measuring it; 0: nobody.
  std::atomic<uint64_t> context_bytes;
  std::atomic<uint64_t> context_prober;
  // The least, and 1 more, and the most that it took for a load of code; 0: not known yet.
  std::atomic<uint64_t> code_least_plus_1;
  std::atomic<uint64_t> code_most;
  std::atomic<uint64_t> code_prober;
  std::atomic<uint64_t> rooms;  // whether calls in flight may hold room; ledger/room.h
  // When the card is expected to be done with what all processes of the tenant have in flight
  // (CLOCK_MONOTONIC); none of them submits far beyond it.
  std::atomic<uint64_t> queue_end_ns;
  // When the latest of that ended, as minor versions 2 and 3 told; since then nobody asks. And when
  // there was last more of it than threads wait for (CLOCK_MONOTONIC); 0: never, and before minor
  // version 2.
  std::atomic<uint64_t> seen_end_ns;
  std::atomic<uint64_t> unwaited_ns;
  // What all work was charged when it was submitted that is known to be over, and what of the
  // tenant's time was compared with that: interposer/compute/tenant_cover.h, by 16-byte CAS only.
  // 0, too, before minor version 4.
  std::atomic<uint64_t> over_ns;
  Pair covered;
};

// Who holds a slot. Set by the owner while it holds the slot's byte lock, before it makes the
// generation odd; whoever finds the owner dead makes it even again (ledger/slot_table.h). Memory
// has no pid and no namespace, both 0: nobody looks it up, and it lives as long as somebody holds
// its lock for reading.
struct SlotOwner {
  std::atomic<uint64_t> generation;  // odd while taken; raised by each take and each give-back
  std::atomic<uint64_t> start_time;  // field 22 of /proc/PID/stat, in clock ticks after boot
  // Inode of /proc/self/ns/pid; pid means something only there.
  std::atomic<uint64_t> pid_namespace;
  std::atomic<uint32_t> pid;
  // Differs between the programs that one process runs one after the other
  // (ledger/process_identity.h); 0 = not known.
  std::atomic<uint32_t> exec_mark;
  char command[16];  // /proc/PID/comm, for people
};

struct alignas(64) SlotV1 {
  SlotOwner owner;
  // The owner's generation, if it tells what of its work is over (CardUsageV1::over_ns); else
  // anything. No owner does that knows no more than minor version 3.
  std::atomic<uint64_t> tells_over;
  uint8_t reserved0[8];
  Pair used[kMaxCards];  // this process's part of each card's total; ledger/card_ledger.h
  // Of that, at most this much goes back as soon as calls in flight are over, and how often any was
  // announced; ledger/room.h.
  std::atomic<uint64_t> room[kMaxCards];
  CardWorkV1 work[kMaxCards];
  // Not 0: a thread waits for the end of what is in flight, and will say so here (and call) when it
  // sees it. It may be so many microseconds less 1 later than work[].busy_until_ns, as lengths
  // vary. 0, too, before minor version 1.
  std::atomic<uint32_t> awaited_us_plus_1[kMaxCards];
};

struct UsagePageV1 {
  uint64_t magic;  // kUsageMagic
  uint32_t size;   // sizeof(UsagePageV1) of the creator
  uint16_t major;
  uint16_t minor;
  uint8_t reserved0[48];
  CardUsageV1 cards[kMaxCards];  // same order as the limits page
  // No process's slot at or above this number was ever taken; only grows, and before the take.
  // Whoever looks through the slots stops here, so that untouched pages of the file stay untouched.
  // Hostile for a daemon: at most kProcessSlots count.
  std::atomic<uint32_t> slot_ceiling;
  // Raised when work begins to wait, or ends before it was expected to: the arbiters of the
  // tenant's cards sleep on it (futex).
  std::atomic<uint32_t> attention;
  WaitsV1 waits[kMaxCards];
  // The same as slot_ceiling of the slots from kProcessSlots on, which hold memory; 0: none of them
  // was, and before minor version 3.
  std::atomic<uint32_t> memory_ceiling;
  uint8_t reserved1[436];
  SlotV1 slots[kMaxSlots];
};

static_assert(sizeof(CardUsageV1) == 128 && std::is_standard_layout_v<CardUsageV1>);
static_assert(sizeof(SlotOwner) == 48 && sizeof(SlotV1) == 1024);
static_assert(offsetof(CardUsageV1, peak_bytes) == 16 &&
              offsetof(CardUsageV1, context_bytes) == 32);
static_assert(offsetof(SlotV1, used) == 64 && offsetof(SlotV1, room) == 320 &&
              offsetof(SlotV1, work) == 448 && offsetof(SlotV1, awaited_us_plus_1) == 960);
static_assert(offsetof(UsagePageV1, cards) == 64);
static_assert(offsetof(UsagePageV1, slot_ceiling) == 2112);
static_assert(offsetof(UsagePageV1, waits) == 2120 &&
              offsetof(UsagePageV1, memory_ceiling) == 3656);
static_assert(offsetof(UsagePageV1, slots) == 4096);
static_assert(sizeof(UsagePageV1) == 4096 + 1024 * 1024);
static_assert(std::is_standard_layout_v<UsagePageV1>);

// The lock byte of slot i in the usage file (open-file-description locks, fcntl F_OFD_SETLK): held
// by the owner for as long as it lives. Bytes past the end of the file may be locked; these are.
inline constexpr uint64_t kSlotLockOffset = uint64_t{1} << 32;
constexpr uint64_t SlotLockByte(uint32_t slot) { return kSlotLockOffset + slot; }

}  // namespace warpshare::abi
