// Reads a tenant's usage file without trusting it (ledger/snapshot.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "abi/region/compute.h"
#include "ledger/snapshot.h"
#include "platform/region_file/usage_file.h"
#include "result/result.h"

namespace warpshare::node {

// abi::WaitsV1 as plain values.
using WaitCounts = std::array<uint32_t, abi::kWaitBuckets>;

// abi::CardWorkV1, as far as people are shown it. The tenant's word: any number at all.
struct SlotTimes {
  uint64_t used_ns;
  bool waits;
  uint64_t waited_ns;
};

class UsageReading {
 public:
  // What the file's memory accounts say, checked.
  const ledger::RegionSnapshot& snapshot() const { return *snapshot_; }

  // `slot` < abi::kMaxSlots, `card` < abi::kMaxCards.
  SlotTimes Times(uint32_t slot, uint32_t card) const;
  WaitCounts Waits(uint32_t card) const;

 private:
  friend Result<UsageReading> ReadUsage(const platform::UsageFile& usage);

  template <typename T>
  T Read(size_t offset) const;

  std::vector<std::byte> untrusted_copy_;  // the whole layout
  std::unique_ptr<ledger::RegionSnapshot> snapshot_;
};

// Copies again a few times while the tenant changes it under the copy; what is still torn then is
// shown as it is.
Result<UsageReading> ReadUsage(const platform::UsageFile& usage);

}  // namespace warpshare::node
