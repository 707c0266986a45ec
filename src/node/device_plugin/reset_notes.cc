#include "node/device_plugin/reset_notes.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>

#include "platform/descriptor/descriptor.h"

namespace warpshare::node {

namespace {

constexpr size_t kMostBytes = 32;

}  // namespace

std::optional<uint64_t> ResetNotes::Read(const GpuUuid& card) const {
  const auto text = platform::ReadWholeFile(PathOf(card), kMostBytes);
  if (!text || !text->ends_with('\n')) return std::nullopt;
  uint64_t xid = 0;
  const char* end = text->data() + text->size() - 1;
  const auto [stopped, error] = std::from_chars(text->data(), end, xid);
  if (error != std::errc() || stopped != end) return std::nullopt;
  return xid;
}

bool ResetNotes::Has(const GpuUuid& card) const {
  return access(PathOf(card).c_str(), F_OK) == 0 || errno != ENOENT;
}

Result<void> ResetNotes::Write(const GpuUuid& card, uint64_t xid) const {
  if (auto made = MakeFolder(folder_, 0700); !made) return made;
  return platform::ReplaceFile(PathOf(card), std::to_string(xid) + "\n", 0600);
}

void ResetNotes::Remove(const GpuUuid& card) const { (void)unlink(PathOf(card).c_str()); }

}  // namespace warpshare::node
