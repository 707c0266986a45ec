#include "platform/driver_files/loader_cache.h"

#include <cstdint>
#include <cstring>
#include <optional>

namespace warpshare::platform {

namespace {

constexpr std::string_view kOldMagic = "ld.so-1.7.0";
constexpr size_t kOldHeader = 16;  // magic padded to 12, and a count of 4
constexpr size_t kOldEntry = 12;
constexpr std::string_view kNewMagic = "glibc-ld.so.cache1.1";
constexpr size_t kNewHeader = 48;
constexpr size_t kNewEntry = 24;  // flags, key, value of 4 each; version 4, hardware 8
constexpr size_t kCountOffset = 20;

// Flags of a library for this machine: ELF for glibc, and the ABI.
#if defined(__x86_64__)
constexpr uint32_t kOurFlags = 0x0303;
#elif defined(__aarch64__)
constexpr uint32_t kOurFlags = 0x0a03;
#else
#error "which flags does ldconfig give libraries of this machine?"
#endif

std::optional<uint32_t> ReadWord(std::string_view bytes, size_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(uint32_t)) return std::nullopt;
  uint32_t word = 0;
  std::memcpy(&word, bytes.data() + offset, sizeof(word));
  return word;
}

// The new form alone; offsets in it count from its own beginning.
std::string_view NewForm(std::string_view cache) {
  if (!cache.starts_with(kOldMagic)) return cache;
  const auto count = ReadWord(cache, kOldHeader - sizeof(uint32_t));
  if (!count) return {};
  const size_t end = kOldHeader + size_t{*count} * kOldEntry;
  const size_t aligned = (end + 7) & ~size_t{7};
  return aligned < cache.size() ? cache.substr(aligned) : std::string_view();
}

// The NUL-terminated text there; empty when it would run over the end.
std::string_view TextAt(std::string_view cache, uint32_t offset) {
  if (offset >= cache.size()) return {};
  const std::string_view rest = cache.substr(offset);
  const size_t length = rest.find('\0');
  return length == std::string_view::npos ? std::string_view() : rest.substr(0, length);
}

}  // namespace

std::vector<std::string> FindInLoaderCache(std::string_view cache, std::string_view soname) {
  std::vector<std::string> found;
  cache = NewForm(cache);
  if (!cache.starts_with(kNewMagic)) return found;
  const auto count = ReadWord(cache, kCountOffset);
  for (uint32_t i = 0; count && i < *count; ++i) {
    const size_t entry = kNewHeader + size_t{i} * kNewEntry;
    const auto flags = ReadWord(cache, entry);
    const auto key = ReadWord(cache, entry + 4);
    const auto value = ReadWord(cache, entry + 8);
    if (!flags || !key || !value) break;
    if (*flags != kOurFlags || TextAt(cache, *key) != soname) continue;
    if (const std::string_view path = TextAt(cache, *value); path.starts_with('/'))
      found.emplace_back(path);
  }
  return found;
}

}  // namespace warpshare::platform
