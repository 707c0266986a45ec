#include "platform/region_file/usage_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "abi/region/usage_page.h"
#include "platform/region_file/file_lock.h"

namespace warpshare::platform {

namespace {

LockRange SlotBytes(uint32_t first, uint32_t count) {
  return {.start = static_cast<off_t>(abi::SlotLockByte(first)),
          .length = static_cast<off_t>(count)};
}

// The header's bytes, so that no megabyte of zeros is written out.
std::string Header() {
  std::string bytes(offsetof(abi::UsagePageV1, cards), '\0');
  const auto put = [&bytes](size_t offset, const auto& value) {
    std::memcpy(bytes.data() + offset, &value, sizeof(value));
  };
  put(offsetof(abi::UsagePageV1, magic), abi::kUsageMagic);
  put(offsetof(abi::UsagePageV1, size), static_cast<uint32_t>(sizeof(abi::UsagePageV1)));
  put(offsetof(abi::UsagePageV1, major), abi::kUsageMajor);
  put(offsetof(abi::UsagePageV1, minor), abi::kUsageMinor);
  return bytes;
}

// A tenant that may replace the file could leave a pipe there: do not wait for its other end.
Result<Descriptor> OpenRegular(const std::string& path, int flags, struct stat& status) {
  auto file = OpenFile(path, flags | O_NONBLOCK);
  if (!file) return file;
  if (fstat(file->get(), &status) != 0) return Fail(SystemError("cannot look at " + path, errno));
  if (!S_ISREG(status.st_mode)) return Fail(Errc::kCorrupt, path + " is not a file");
  return file;
}

}  // namespace

Result<void> MakeUsageFile(const std::string& path) {
  auto file = OpenFile(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
  if (!file) return Forward(file);
  if (ftruncate(file->get(), sizeof(abi::UsagePageV1)) != 0)
    return Fail(SystemError("cannot size " + path, errno));
  if (auto written = WriteAll(*file, Header()); !written)
    return Fail(written.error().code, path + ": " + written.error().message);
  return {};
}

Result<bool> CutUsageFile(const std::string& path) {
  struct stat status = {};
  const auto file = OpenRegular(path, O_RDWR, status);
  if (!file) return Fail(file.error());
  if (status.st_size <= static_cast<off_t>(sizeof(abi::UsagePageV1))) return false;
  if (ftruncate(file->get(), sizeof(abi::UsagePageV1)) != 0)
    return Fail(SystemError("cannot cut " + path, errno));
  return true;
}

Result<UsageFile> UsageFile::Open(const std::string& path) {
  struct stat status = {};
  auto file = OpenRegular(path, O_RDONLY, status);
  if (!file) return Forward(file);
  return UsageFile(std::move(*file));
}

Result<size_t> UsageFile::Copy(std::span<std::byte> untrusted_copy, uint64_t offset) const {
  return ReadAt(file_, untrusted_copy, static_cast<off_t>(offset));
}

Result<bool> UsageFile::IsSlotHeld(uint32_t slot) const {
  return IsLockedElsewhere(file_, SlotBytes(slot, 1));
}

Result<bool> UsageFile::IsAnySlotHeld() const {
  return IsLockedElsewhere(file_, SlotBytes(0, abi::kMaxSlots));
}

void AttentionWord::Unmap::operator()(const abi::UsagePageV1* page) const {
  munmap(const_cast<abi::UsagePageV1*>(page), sizeof(*page));
}

Result<AttentionWord> UsageFile::MapAttention() const {
  void* address =
      mmap(nullptr, sizeof(abi::UsagePageV1), PROT_READ, MAP_SHARED, file_.get(), /*offset=*/0);
  if (address == MAP_FAILED) return Fail(SystemError("cannot map a usage file", errno));
  return AttentionWord(static_cast<const abi::UsagePageV1*>(address));
}

}  // namespace warpshare::platform
