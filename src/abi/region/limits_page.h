// The limits page: what a tenant may use, in the host's words.
//
//   writer   `warpshare run`/`set` or the node daemon, alone; it replaces the file by rename when
//            the set of cards changes and stores single fields in place when a limit changes;
//            the turns, by the cards' arbiter
//   reader   the interposer in every process of the tenant, through a read-only mapping
//   trust    the reader believes it, once magic, size and major version fit
//
// One page of 4096 bytes, little-endian, no pointers. Append only: a new field takes reserved bytes
// and raises `minor`; anything else is a new major, which an older reader refuses.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "abi/region/compute.h"

namespace warpshare::abi {

inline constexpr uint64_t kLimitsMagic = 0x31544d494c535057;  // "WPSLIMT1" in memory order
inline constexpr uint16_t kLimitsMajor = 1;
inline constexpr uint16_t kLimitsMinor = 3;

// More cards than any machine sold today puts behind one host (HGX: 8, some PCIe hosts: 16).
inline constexpr uint32_t kMaxCards = 16;

// As memory_limit_bytes: the tenant may take all that the card has.
inline constexpr uint64_t kNoLimit = UINT64_MAX;

struct CardLimitsV1 {
  uint8_t uuid[16];                             // as cuDeviceGetUuid_v2 returns it
  std::atomic<uint64_t> memory_limit_bytes;     // relaxed loads; kNoLimit or a byte count, may be 0
  std::atomic<uint64_t> memory_capacity_bytes;  // the whole card as NVML reports it; 0 = not known
  ComputeTermsV1 compute;
  TurnV1 turn;
  uint8_t reserved[104];  // zero
};

struct LimitsPageV1 {
  uint64_t magic;  // kLimitsMagic
  uint32_t size;   // sizeof(LimitsPageV1) of the writer
  uint16_t major;
  uint16_t minor;
  uint32_t card_count;  // entries of `cards` in use; their order is the tenant's in NVML and CUDA
  uint32_t reserved_flags;
  char tenant_name[64];  // for logs and errors; NUL-terminated
  uint8_t reserved[424];
  CardLimitsV1 cards[kMaxCards];
};

static_assert(std::atomic<uint64_t>::is_always_lock_free);
static_assert(sizeof(CardLimitsV1) == 224 && std::is_standard_layout_v<CardLimitsV1>);
static_assert(sizeof(LimitsPageV1) == 4096 && std::is_standard_layout_v<LimitsPageV1>);
static_assert(offsetof(CardLimitsV1, memory_limit_bytes) == 16);
static_assert(offsetof(CardLimitsV1, memory_capacity_bytes) == 24);
static_assert(offsetof(CardLimitsV1, compute) == 32 && offsetof(CardLimitsV1, turn) == 64);
static_assert(offsetof(LimitsPageV1, card_count) == 16);
static_assert(offsetof(LimitsPageV1, tenant_name) == 24);
static_assert(offsetof(LimitsPageV1, cards) == 512);

}  // namespace warpshare::abi
