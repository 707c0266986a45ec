// What a tenant holds, as read by somebody who does not trust it: `warpshare ps`, the node daemon.
//
//   1  copy the usage file (never map it: the tenant may cut it short under the reader)
//   2  ReadSnapshot checks every byte of the copy that it uses, and completes the change in flight
//      as the ledger would (card_ledger.h)
//   3  a copy that was made while the tenant allocated may be torn: CardSnapshot::exact is then
//      false, and a second copy may do better
//
// Whatever the bytes are, the result is within the bounds written below; that it is true is the
// tenant's word. Freestanding like the rest of the room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "abi/region/usage_page.h"

namespace warpshare::ledger {

enum class SnapshotVerdict : uint8_t {
  kValid,
  kTooShort,      // fewer bytes than the layout has
  kNotUsage,      // another magic, or a size field that this layout does not fit
  kOtherVersion,  // a major version that we do not know
};

struct CardSnapshot {
  uint64_t total_bytes;  // <= kMaxBytes
  uint64_t peak_bytes;   // >= total_bytes, <= kMaxBytes
  uint64_t refusals;
  bool exact;  // the parts of all slots add up to total_bytes
};

// A slot that is taken, or that holds bytes although nobody took it.
struct ProcessSnapshot {
  uint32_t slot;                        // < abi::kMaxSlots
  bool taken;                           // says the slot; whether its owner lives is the lock's word
  uint32_t pid;                         // in the pid namespace below
  uint64_t pid_namespace;               // inode of its ns/pid
  uint64_t start_time;                  // clock ticks after boot
  uint32_t exec_mark;                   // process_identity.h
  char command[17];                     // printable ASCII, NUL-terminated
  uint64_t used_bytes[abi::kMaxCards];  // each <= kMaxBytes
};

// 200 KiB: for the heap.
struct RegionSnapshot {
  CardSnapshot cards[abi::kMaxCards];
  uint32_t process_count;  // <= abi::kMaxSlots
  ProcessSnapshot processes[abi::kMaxSlots];
};

// Fills `snapshot` if and only if the verdict is kValid. `untrusted_copy` need not be aligned and
// must not change meanwhile.
SnapshotVerdict ReadSnapshot(std::span<const std::byte> untrusted_copy, RegionSnapshot& snapshot);

}  // namespace warpshare::ledger
