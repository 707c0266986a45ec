// What the bits of the two ledger words mean. Pure packing; card_ledger.h has the protocol.
//
//   total  low   bytes:44  slot:10  sequence(high part):10   the tenant's bytes on one card,
//          high  delta:45  open:1  sequence(low part):18     and the last change: whose, how much
//                                                            (two's complement, so that one
//                                                            addition extends it)
//   part   low   bytes:44  version(low part):20              one process's bytes on that card,
//          high  sequence:28  version(high part):36          and the last change it includes
#pragma once

#include <cstdint>

#include "abi/region/usage_page.h"

namespace warpshare::ledger {

// 16 TiB less one: sixty times the largest card of 2026.
inline constexpr uint64_t kMaxBytes = (uint64_t{1} << 44) - 1;
inline constexpr uint32_t kSequenceMask = (uint32_t{1} << 28) - 1;

struct Total {
  uint64_t bytes;
  uint32_t slot;      // whose part the last change belongs to
  uint64_t delta;     // size of the last change
  bool negative;      // whether it gave bytes back
  uint32_t sequence;  // names the last change
  bool open = false;  // its slot may still add to it; nobody applies it as it stands
};

struct Part {
  uint64_t bytes;
  uint32_t sequence;  // the last change applied here
  uint64_t version;   // counts changes, so that no value of a part ever comes back
};

// An amount after a change; never below zero, never over kMaxBytes.
constexpr uint64_t Apply(uint64_t bytes, uint64_t delta, bool negative) {
  if (!negative) return (bytes + delta) & kMaxBytes;
  return bytes > delta ? bytes - delta : 0;
}

inline constexpr uint64_t kDeltaMask = (uint64_t{1} << 45) - 1;
inline constexpr uint64_t kNegativeBit = uint64_t{1} << 44;
inline constexpr uint64_t kOpenBit = uint64_t{1} << 45;

constexpr uint32_t SlotOf(const abi::Pair& total) {
  return static_cast<uint32_t>(total.low >> 44) & 0x3ff;
}
constexpr bool IsOpen(const abi::Pair& total) { return (total.high & kOpenBit) != 0; }

constexpr Total Unpack(const abi::Pair& word) {
  const bool negative = (word.high & kNegativeBit) != 0;
  const uint64_t delta = word.high & kDeltaMask;
  return {.bytes = word.low & kMaxBytes,
          .slot = SlotOf(word),
          .delta = (negative ? 0 - delta : delta) & kMaxBytes,
          .negative = negative,
          .sequence = (static_cast<uint32_t>(word.low >> 54) << 18) |
                      static_cast<uint32_t>(word.high >> 46),
          .open = IsOpen(word)};
}

constexpr abi::Pair Pack(const Total& total) {
  const uint64_t sequence = total.sequence & kSequenceMask;
  const uint64_t delta = (total.negative ? 0 - total.delta : total.delta) & kDeltaMask;
  return {total.bytes | (uint64_t{total.slot} << 44) | ((sequence >> 18) << 54),
          delta | (total.open ? kOpenBit : 0) | (sequence << 46)};
}

// Names a run: what stays the same in an open total while only its slot changes it. As long as a
// sequence number does, it never comes back.
constexpr uint64_t RunOf(const abi::Pair& total) {
  return (total.low >> 44) | ((total.high >> 45) << 20);
}

// The second word of an open total with a change more; `change`: two's complement.
constexpr uint64_t AddToDelta(uint64_t high, uint64_t change) {
  return (high & ~kDeltaMask) | ((high + change) & kDeltaMask);
}

// An open total with one more change of the same slot.
constexpr abi::Pair Extend(const abi::Pair& total, uint64_t bytes, bool negative) {
  return {(total.low & ~kMaxBytes) | Apply(total.low & kMaxBytes, bytes, negative),
          AddToDelta(total.high, negative ? 0 - bytes : bytes)};
}

constexpr Part UnpackPart(const abi::Pair& word) {
  return {.bytes = word.low & kMaxBytes,
          .sequence = static_cast<uint32_t>(word.high) & kSequenceMask,
          .version = (word.low >> 44) | ((word.high >> 28) << 20)};
}

constexpr abi::Pair PackPart(const Part& part) {
  return {part.bytes | (part.version << 44),
          uint64_t{part.sequence} | ((part.version >> 20) << 28)};
}

static_assert(abi::kMaxSlots <= 1024, "the slot field of a total has 10 bits");

}  // namespace warpshare::ledger
