// What the arbiter of one card knows at one moment. It makes a new one at each event (work came or
// ended, a turn is over, a tenant came, went or got other terms) and when a decision asked to look
// again; tenants may stand in any order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>

#include "policy/share/terms.h"

namespace warpshare::share {

using TenantId = uint64_t;  // the arbiter's choice; never used again for another tenant

// On what ground a tenant gets the card; the stronger comes first.
enum class Claim : uint8_t {
  kHigh,        // high priority
  kGuaranteed,  // its own share
  kBurst,       // what it saved of its share while idle
  kSurplus,     // time that nobody has a stronger claim to
  kNone,
};

// The card is the tenant's until it has used quantum_ns more than begun_used_ns; a kernel that is
// running then may end. Ends early when the next decision says so.
struct Turn {
  TenantId tenant;
  Claim claim;
  uint64_t begun_used_ns;
  uint64_t quantum_ns;

  bool operator==(const Turn&) const = default;
};

struct Tenant {
  TenantId id;
  Terms terms;        // valid
  bool wants;         // has work waiting or in flight
  uint64_t since_ns;  // `wants` has been so since
  uint64_t used_ns;   // GPU time so far, as far as it is known; validated, only grows
};

struct Snapshot {
  uint64_t now_ns;  // monotonic
  // As the last decision said; but whoever had the card before has it until its last kernel ended.
  std::optional<Turn> turn;
  std::span<const Tenant> tenants;
  // What the card loses when it goes from one tenant to another, as far as is known.
  uint64_t handover_ns = 0;
  // Still at work of who had it before, so the holder does not have it.
  bool is_card_anothers = false;
  // Of those who may use the card beside the holder, as the last decision said (shared_turns.h).
  std::span<const Turn> beside = {};
};

// The tenant's; null: it may not use the card.
inline const Turn* TurnOf(const std::optional<Turn>& turn, std::span<const Turn> beside,
                          TenantId tenant) {
  if (turn && turn->tenant == tenant) return &*turn;
  const auto at = std::ranges::find(beside, tenant, &Turn::tenant);
  return at != beside.end() ? &*at : nullptr;
}

inline const Turn* TurnOf(const Snapshot& snapshot, TenantId tenant) {
  return TurnOf(snapshot.turn, snapshot.beside, tenant);
}

inline bool Holds(const Snapshot& snapshot, const Tenant& tenant) {
  return TurnOf(snapshot, tenant.id) != nullptr;
}

}  // namespace warpshare::share
