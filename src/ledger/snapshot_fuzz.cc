// Any bytes at all as a usage file. A full file is a megabyte, so an input is laid over the start
// of an empty valid one; its first byte says whether the header is the input's too.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "ledger/snapshot.h"
#include "ledger/words.h"

namespace {

using warpshare::abi::UsagePageV1;
using warpshare::ledger::kMaxBytes;
using warpshare::ledger::ProcessSnapshot;
using warpshare::ledger::RegionSnapshot;
using warpshare::ledger::SnapshotVerdict;

constexpr size_t kHeader = offsetof(UsagePageV1, cards);

void Require(bool holds) {
  if (!holds) std::abort();
}

void CheckBounds(const RegionSnapshot& snapshot) {
  Require(snapshot.process_count <= warpshare::abi::kMaxSlots);
  for (const auto& card : snapshot.cards)
    Require(card.total_bytes <= card.peak_bytes && card.peak_bytes <= kMaxBytes);
  for (uint32_t i = 0; i < snapshot.process_count; ++i) {
    const ProcessSnapshot& process = snapshot.processes[i];
    Require(process.slot < warpshare::abi::kMaxSlots);
    const size_t length = strnlen(process.command, sizeof(process.command));
    Require(length < sizeof(process.command));
    Require(std::all_of(process.command, process.command + length,
                        [](char c) { return c >= ' ' && c <= '~'; }));
    for (const uint64_t used : process.used_bytes) Require(used <= kMaxBytes);
  }
}

std::unique_ptr<UsagePageV1> EmptyPage() {
  auto page = std::make_unique<UsagePageV1>();
  page->magic = warpshare::abi::kUsageMagic;
  page->size = sizeof(UsagePageV1);
  page->major = warpshare::abi::kUsageMajor;
  return page;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const auto snapshot = std::make_unique<RegionSnapshot>();
  static const auto empty = EmptyPage();
  static std::vector<std::byte> file(sizeof(UsagePageV1));
  if (size == 0) return 0;
  std::memcpy(file.data(), static_cast<const void*>(empty.get()), file.size());
  const size_t offset = (data[0] & 1) != 0 ? kHeader : 0;
  std::memcpy(file.data() + offset, data + 1, std::min(size - 1, file.size() - offset));
  if (ReadSnapshot(file, *snapshot) == SnapshotVerdict::kValid) CheckBounds(*snapshot);
  Require(ReadSnapshot(std::span(file).first(std::min(size, file.size() - 1)), *snapshot) ==
          SnapshotVerdict::kTooShort);
  return 0;
}
