#include "abi/driver/entry_points.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

namespace warpshare::abi {
namespace {

std::string Base(std::string_view symbol) {
  if (symbol.ends_with("_ptds") || symbol.ends_with("_ptsz")) symbol.remove_suffix(5);
  return std::string(symbol);
}

TEST(EntryPoints, AreOneRowPerSymbol) {
  std::set<std::string_view> seen;
  for (const CudaEntry& entry : kCudaEntries)
    EXPECT_TRUE(seen.insert(entry.symbol).second) << entry.symbol;
  for (const NvmlEntry& entry : kNvmlEntries)
    EXPECT_TRUE(seen.insert(entry.symbol).second) << entry.symbol;
}

TEST(EntryPoints, MeanOneSymbolByEachNameVersionAndStreamMode) {
  std::set<std::string> seen;
  for (const CudaEntry& entry : kCudaEntries) {
    const bool per_thread = entry.stream_mode == StreamMode::kPerThread;
    const std::string key = std::string(entry.proc_name) + "@" + std::to_string(entry.since) +
                            (per_thread ? " per thread" : "");
    EXPECT_TRUE(seen.insert(key).second) << key;
  }
}

TEST(EntryPoints, PairEveryPerThreadVariantWithALegacyRow) {
  std::set<std::string> legacy, per_thread;
  for (const CudaEntry& entry : kCudaEntries) {
    if (entry.stream_mode == StreamMode::kLegacy) legacy.insert(entry.symbol);
    if (entry.stream_mode == StreamMode::kPerThread) per_thread.insert(Base(entry.symbol));
  }
  EXPECT_EQ(legacy, per_thread);
}

TEST(EntryPoints, TreatBothVariantsOfAFunctionAlike) {
  for (const CudaEntry& entry : kCudaEntries) {
    for (const CudaEntry& other : kCudaEntries) {
      if (Base(entry.symbol) != Base(other.symbol)) continue;
      EXPECT_EQ(entry.handling, other.handling) << entry.symbol << " and " << other.symbol;
      EXPECT_EQ(entry.effect, other.effect) << entry.symbol << " and " << other.symbol;
    }
  }
}

TEST(EntryPoints, AreFoundByTheirIndex) {
  EXPECT_STREQ(EntryOf(CudaIndex::cuLaunchKernel_ptsz).symbol, "cuLaunchKernel_ptsz");
  EXPECT_STREQ(EntryOf(CudaIndex::cuLaunchKernel_ptsz).proc_name, "cuLaunchKernel");
  EXPECT_EQ(EntryOf(CudaIndex::cuMemAlloc_v2).since, 3020);
  EXPECT_EQ(EntryOf(CudaIndex::cuMemAlloc_v2).handling, Handling::kHook);
  EXPECT_STREQ(EntryOf(NvmlIndex::nvmlDeviceGetMemoryInfo_v2).symbol, "nvmlDeviceGetMemoryInfo_v2");
}

const CudaAlias* AliasNamed(std::string_view proc_name) {
  for (const CudaAlias& alias : kCudaAliases)
    if (alias.proc_name == proc_name) return &alias;
  return nullptr;
}

TEST(EntryPoints, KnowTheSecondNameOfGraphInstantiation) {
  const CudaAlias* alias = AliasNamed("cuGraphInstantiate");
  ASSERT_NE(alias, nullptr);
  EXPECT_STREQ(EntryOf(alias->target).symbol, "cuGraphInstantiateWithFlags");
  EXPECT_EQ(alias->since, 11040);
}

}  // namespace
}  // namespace warpshare::abi
