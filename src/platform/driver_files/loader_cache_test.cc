#include "platform/driver_files/loader_cache.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <filesystem>

#include "platform/descriptor/descriptor.h"

namespace warpshare::platform {
namespace {

constexpr uint32_t kForThisMachine =
#if defined(__x86_64__)
    0x0303;
#else
    0x0a03;
#endif

struct Entry {
  uint32_t flags;
  std::string key;
  std::string value;
};

void Append(std::string& bytes, uint32_t word) {
  bytes.append(reinterpret_cast<const char*>(&word), sizeof(word));
}

std::string NewCache(const std::vector<Entry>& entries) {
  std::string strings;
  std::string table;
  const auto strings_at = static_cast<uint32_t>(48 + 24 * entries.size());
  for (const Entry& entry : entries) {
    const auto key = static_cast<uint32_t>(strings_at + strings.size());
    strings += entry.key + '\0';
    const auto value = static_cast<uint32_t>(strings_at + strings.size());
    strings += entry.value + '\0';
    for (const uint32_t word : {entry.flags, key, value, 0u, 0u, 0u}) Append(table, word);
  }
  std::string cache = "glibc-ld.so.cache1.1";
  Append(cache, static_cast<uint32_t>(entries.size()));
  Append(cache, static_cast<uint32_t>(strings.size()));
  cache.resize(48);
  return cache + table + strings;
}

const std::vector<Entry> kEntries = {
    {kForThisMachine, "libz.so.1", "/lib/libz.so.1"},
    {0x0003, "libcuda.so.1", "/lib32/libcuda.so.1"},
    {kForThisMachine, "libcuda.so.1", "/opt/driver/libcuda.so.1"},
    {kForThisMachine, "libcuda.so.1", "/lib/libcuda.so.1"},
};

TEST(LoaderCache, FindsAllPathsOfThisMachinesAbiInOrder) {
  const std::vector<std::string> expected = {"/opt/driver/libcuda.so.1", "/lib/libcuda.so.1"};
  EXPECT_EQ(FindInLoaderCache(NewCache(kEntries), "libcuda.so.1"), expected);
  EXPECT_TRUE(FindInLoaderCache(NewCache(kEntries), "libcuda.so").empty());
}

TEST(LoaderCache, FindsTheNewFormBehindTheOldOne) {
  std::string cache = "ld.so-1.7.0";
  cache.resize(12);
  Append(cache, 3);
  cache.resize(16 + 3 * 12 + 4);  // three entries, then up to a multiple of eight
  EXPECT_EQ(FindInLoaderCache(cache + NewCache(kEntries), "libz.so.1"),
            std::vector<std::string>{"/lib/libz.so.1"});
}

TEST(LoaderCache, FindsLessInACacheThatWasCutShort) {
  const std::string whole = NewCache(kEntries);
  for (size_t length = 0; length < whole.size(); ++length)
    EXPECT_LE(FindInLoaderCache(whole.substr(0, length), "libcuda.so.1").size(), 2u);
  EXPECT_TRUE(FindInLoaderCache(whole.substr(0, 60), "libcuda.so.1").empty());
  EXPECT_TRUE(FindInLoaderCache("", "libcuda.so.1").empty());
}

TEST(LoaderCache, FindsTheCLibraryInTheCacheOfThisMachine) {
  const auto cache = ReadWholeFile(kLoaderCache, 16 << 20);
  if (!cache) GTEST_SKIP() << cache.error().message;
  const auto found = FindInLoaderCache(*cache, "libc.so.6");
  ASSERT_FALSE(found.empty());
  EXPECT_TRUE(std::filesystem::exists(found[0])) << found[0];
}

}  // namespace
}  // namespace warpshare::platform
