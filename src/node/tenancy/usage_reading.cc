#include "node/tenancy/usage_reading.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "abi/region/usage_page.h"

namespace warpshare::node {

namespace {

using abi::CardWorkV1;
using abi::UsagePageV1;
using ledger::SnapshotVerdict;

constexpr int kAttempts = 5;

std::string Problem(SnapshotVerdict verdict) {
  switch (verdict) {
    case SnapshotVerdict::kTooShort:
      return "the tenant's usage file was cut short";
    case SnapshotVerdict::kOtherVersion:
      return "the tenant's usage file was written by another version of warpshare";
    default:
      return "the tenant's usage file is damaged";
  }
}

}  // namespace

Result<UsageReading> ReadUsage(const platform::UsageFile& usage) {
  UsageReading reading;
  reading.untrusted_copy_.resize(sizeof(UsagePageV1));
  reading.snapshot_ = std::make_unique<ledger::RegionSnapshot>();
  ledger::RegionSnapshot& snapshot = *reading.snapshot_;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const auto size = usage.Copy(reading.untrusted_copy_);
    if (!size) return Fail(size.error());
    const SnapshotVerdict verdict =
        ledger::ReadSnapshot(std::span(reading.untrusted_copy_).first(*size), snapshot);
    if (verdict != SnapshotVerdict::kValid)
      return Fail(Errc::kCorrupt, Problem(verdict) + ": end its programs and start it again");
    if (std::ranges::all_of(snapshot.cards, &ledger::CardSnapshot::exact)) break;
  }
  return reading;
}

// The layout's own types hold atomics, so the copy is not looked at through them.
template <typename T>
T UsageReading::Read(size_t offset) const {
  T value;
  std::memcpy(&value, untrusted_copy_.data() + offset, sizeof(value));
  return value;
}

SlotTimes UsageReading::Times(uint32_t slot, uint32_t card) const {
  const size_t offset = offsetof(UsagePageV1, slots) + slot * sizeof(abi::SlotV1) +
                        offsetof(abi::SlotV1, work) + card * sizeof(CardWorkV1);
  return {.used_ns = Read<uint64_t>(offset + offsetof(CardWorkV1, used_ns)),
          .waits = Read<uint64_t>(offset + offsetof(CardWorkV1, waits_since_ns)) != 0,
          .waited_ns = Read<uint64_t>(offset + offsetof(CardWorkV1, waited_ns))};
}

WaitCounts UsageReading::Waits(uint32_t card) const {
  return Read<WaitCounts>(offsetof(UsagePageV1, waits) + card * sizeof(abi::WaitsV1));
}

}  // namespace warpshare::node
