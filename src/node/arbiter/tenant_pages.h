// What an arbiter needs of one tenant: the host's page to write to, and a way to read the tenant's.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "abi/region/limits_page.h"

namespace warpshare::node {

// A tenant's usage file. Copied, never mapped and read: the tenant may cut it short at any time.
class TenantUsage {
 public:
  virtual ~TenantUsage() = default;

  // False: there are fewer bytes than that. Copies in order, from the first byte to the last.
  virtual bool Copy(uint64_t offset, std::span<std::byte> untrusted_copy) const = 0;

  // Whether somebody holds the slot's lock byte. True in doubt.
  virtual bool IsSlotHeld(uint32_t slot) const = 0;
};

// Must stay as they are until the tenant is removed from the arbiter.
struct TenantPages {
  abi::CardLimitsV1* card;                 // on the limits page, mapped for writing
  uint32_t index;                          // of the card there; < kMaxCards
  const TenantUsage* usage;                // untrusted
  const std::atomic<uint32_t>* attention;  // on the usage page, to sleep on, not to read
};

}  // namespace warpshare::node
