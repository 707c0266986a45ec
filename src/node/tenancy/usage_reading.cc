#include "node/tenancy/usage_reading.h"

#include <algorithm>
#include <vector>

#include "abi/region/usage_page.h"

namespace warpshare::node {

namespace {

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

Result<std::unique_ptr<ledger::RegionSnapshot>> ReadUsage(const platform::UsageFile& usage) {
  std::vector<std::byte> copy(sizeof(abi::UsagePageV1));
  auto snapshot = std::make_unique<ledger::RegionSnapshot>();
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const auto size = usage.Copy(copy);
    if (!size) return Fail(size.error());
    const SnapshotVerdict verdict = ledger::ReadSnapshot(std::span(copy).first(*size), *snapshot);
    if (verdict != SnapshotVerdict::kValid)
      return Fail(Errc::kCorrupt, Problem(verdict) + ": end its programs and start it again");
    if (std::ranges::all_of(snapshot->cards, &ledger::CardSnapshot::exact)) break;
  }
  return snapshot;
}

}  // namespace warpshare::node
