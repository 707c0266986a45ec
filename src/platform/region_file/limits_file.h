// The limits page as a file: the host's word to a tenant (abi/region/limits_page.h).
//
// Mode 0644: whoever runs the tenant changes limits in place, every process of the tenant reads
// them, also one that has given up its user. A program that runs as the very user who started
// `warpshare run` could write it; that it does not is cooperation, as with every limit of a user on
// himself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "abi/region/compute.h"
#include "result/result.h"
#include "types/bytes.h"
#include "types/gpu_uuid.h"

namespace warpshare::platform {

// abi::ComputeTermsV1 as plain values.
struct ComputeTerms {
  abi::ComputeMode mode = abi::ComputeMode::kNone;
  uint32_t share_permille = 0;
  uint32_t weight = 1;
  bool is_high = false;
  uint64_t burst_ns = 0;
  uint64_t latency_target_ns = 0;

  bool operator==(const ComputeTerms&) const = default;
};

struct CardLimit {
  GpuUuid uuid;
  std::optional<Bytes> memory;  // none: all that the card has
  Bytes capacity;               // 0: not known
  ComputeTerms compute = {};

  bool operator==(const CardLimit&) const = default;
};

struct Limits {
  std::string tenant;            // a TenantName's text
  std::vector<CardLimit> cards;  // at most abi::kMaxCards, in the tenant's order
};

// Makes or replaces the file: a reader sees the old one or the new one, whole.
Result<void> WriteLimitsFile(const std::string& path, const Limits& limits);

Result<Limits> ReadLimitsFile(const std::string& path);

// What a card's arbiter wrote of a turn (abi::TurnV1).
struct TurnReading {
  uint64_t granted_ns;
  uint64_t valid_until_ns;  // CLOCK_MONOTONIC; 0: no arbiter is at it

  bool operator==(const TurnReading&) const = default;
};

// Beside the cards.
Result<std::vector<TurnReading>> ReadTurns(const std::string& path);

// Change one limit where it stands; tenants that have the page mapped see it at their next call. A
// node that watches the file (node/local) takes new terms up at once.
Result<void> StoreMemoryLimit(const std::string& path, uint32_t card, std::optional<Bytes> memory);
Result<void> StoreComputeTerms(const std::string& path, uint32_t card, const ComputeTerms& terms);

}  // namespace warpshare::platform
