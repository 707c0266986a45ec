#include "simgpu/cuda/lookup/entry_table.h"

#include <array>
#include <cstddef>

#include "abi/driver/entry_points.h"

extern "C" {
#define CUDA_ENTRY(symbol, proc_name, since, stream_mode, effect, handling) int symbol();
#include "abi/driver/entry_points.def"
}

namespace simgpu::cuda {
namespace {

using warpshare::abi::CudaAlias;
using warpshare::abi::CudaEntry;
using warpshare::abi::kCudaAliases;
using warpshare::abi::kCudaEntries;
using warpshare::abi::kCudaEntryCount;
using warpshare::abi::StreamMode;

void* AddressOf(size_t index) {
  static void* const addresses[] = {
#define CUDA_ENTRY(symbol, proc_name, since, stream_mode, effect, handling) \
  reinterpret_cast<void*>(&symbol),
#include "abi/driver/entry_points.def"
  };
  return addresses[index];
}

// Rows by hash of their name, built at compile time: open addressing, chains of equal names kept in
// row order, which is by version. A row that no header knows is not looked up by name.
constexpr size_t kBuckets = 2048;
static_assert(kCudaEntryCount * 2 < kBuckets);
constexpr uint16_t kNone = UINT16_MAX;

constexpr size_t Hash(std::string_view name) {
  uint64_t hash = 14695981039346656037ull;
  for (const char letter : name) hash = (hash ^ static_cast<uint8_t>(letter)) * 1099511628211ull;
  return hash % kBuckets;
}

struct NameIndex {
  std::array<uint16_t, kBuckets> first{};        // first row of the name in this bucket
  std::array<uint16_t, kCudaEntryCount> next{};  // next row of the same name
};

constexpr NameIndex BuildIndex() {
  NameIndex index;
  index.first.fill(kNone);
  index.next.fill(kNone);
  for (size_t row = kCudaEntryCount; row-- > 0;) {
    if (kCudaEntries[row].since == 0) continue;
    const std::string_view name = kCudaEntries[row].proc_name;
    size_t bucket = Hash(name);
    while (index.first[bucket] != kNone &&
           std::string_view(kCudaEntries[index.first[bucket]].proc_name) != name) {
      bucket = (bucket + 1) % kBuckets;
    }
    index.next[row] = index.first[bucket];
    index.first[bucket] = static_cast<uint16_t>(row);
  }
  return index;
}

constexpr NameIndex kIndex = BuildIndex();

uint16_t FirstRow(std::string_view name) {
  for (size_t bucket = Hash(name); kIndex.first[bucket] != kNone;
       bucket = (bucket + 1) % kBuckets) {
    if (name == kCudaEntries[kIndex.first[bucket]].proc_name) return kIndex.first[bucket];
  }
  return kNone;
}

bool IsPerThreadTwin(std::string_view symbol, std::string_view of) {
  return symbol.starts_with(of) &&
         (symbol.substr(of.size()) == "_ptds" || symbol.substr(of.size()) == "_ptsz");
}

// The newest row of a name that a program built for `version` knows, per-thread flavours aside.
uint16_t NewestRow(uint16_t first, int version) {
  uint16_t newest = kNone;
  for (uint16_t row = first; row != kNone; row = kIndex.next[row]) {
    const CudaEntry& entry = kCudaEntries[row];
    if (entry.since > version || entry.stream_mode == StreamMode::kPerThread) continue;
    if (newest == kNone || entry.since >= kCudaEntries[newest].since) newest = row;
  }
  return newest;
}

uint16_t PerThreadRow(uint16_t first, uint16_t of, int version) {
  for (uint16_t row = first; row != kNone; row = kIndex.next[row]) {
    const CudaEntry& entry = kCudaEntries[row];
    if (entry.since <= version && IsPerThreadTwin(entry.symbol, kCudaEntries[of].symbol)) {
      return row;
    }
  }
  return of;
}

}  // namespace

LookupAnswer LookUp(std::string_view name, int version, bool per_thread) {
  const uint16_t first = FirstRow(name);
  if (first == kNone) return {};
  uint16_t row = NewestRow(first, version);
  if (row == kNone) return {LookupStatus::kTooOldAsker, nullptr};
  for (const CudaAlias& alias : kCudaAliases) {
    if (name == alias.proc_name && alias.since <= version &&
        alias.since > kCudaEntries[row].since) {
      return {LookupStatus::kFound, AddressOf(static_cast<size_t>(alias.target))};
    }
  }
  if (per_thread) row = PerThreadRow(first, row, version);
  return {LookupStatus::kFound, AddressOf(row)};
}

}  // namespace simgpu::cuda
