// What the bits of the two ledger words mean. Pure packing; card_ledger.h has
// the protocol.
//
//   total  low   bytes:44  slot:10  sequence(high part):10     all bytes of the
//   tenant on one card,
//          high  delta:44  negative:1  sequence(low part):19   and the last
//          change: whose, how much
//   part   low   bytes:44  version(low part):20                one process's
//   bytes on that card, and
//          high  sequence:29  version(high part):35            the last change
//          that it includes
#pragma once

#include <cstdint>

#include "abi/region/usage_page.h"

namespace warpshare::ledger {

// 16 TiB less one: sixty times the largest card of 2026.
inline constexpr uint64_t kMaxBytes = (uint64_t{1} << 44) - 1;
inline constexpr uint32_t kSequenceMask = (uint32_t{1} << 29) - 1;

struct Total {
  uint64_t bytes;
  uint32_t slot;     // whose part the last change belongs to
  uint64_t delta;    // size of the last change
  bool negative;     // whether it gave bytes back
  uint32_t sequence; // names the last change
};

struct Part {
  uint64_t bytes;
  uint32_t sequence; // the last change applied here
  uint64_t
      version; // counts changes, so that no value of a part ever comes back
};

// An amount after a change; never below zero, never over kMaxBytes.
constexpr uint64_t Apply(uint64_t bytes, uint64_t delta, bool negative) {
  if (!negative) return (bytes + delta) & kMaxBytes;
  return bytes > delta ? bytes - delta : 0;
}

constexpr Total Unpack(const abi::Pair &word) {
  return {.bytes = word.low & kMaxBytes,
          .slot = static_cast<uint32_t>(word.low >> 44) & 0x3ff,
          .delta = word.high & kMaxBytes,
          .negative = ((word.high >> 44) & 1) != 0,
          .sequence = (static_cast<uint32_t>(word.low >> 54) << 19) |
                      static_cast<uint32_t>(word.high >> 45)};
}

constexpr abi::Pair Pack(const Total &total) {
  const uint64_t sequence = total.sequence & kSequenceMask;
  return {total.bytes | (uint64_t{total.slot} << 44) | ((sequence >> 19) << 54),
          total.delta | (uint64_t{total.negative} << 44) | (sequence << 45)};
}

constexpr Part UnpackPart(const abi::Pair &word) {
  return {.bytes = word.low & kMaxBytes,
          .sequence = static_cast<uint32_t>(word.high) & kSequenceMask,
          .version = (word.low >> 44) | ((word.high >> 29) << 20)};
}

constexpr abi::Pair PackPart(const Part &part) {
  return {part.bytes | (part.version << 44),
          uint64_t{part.sequence} | ((part.version >> 20) << 29)};
}

static_assert(abi::kMaxSlots <= 1024, "the slot field of a total has 10 bits");

} // namespace warpshare::ledger
