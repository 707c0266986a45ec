#include "platform/region_file/limits_mapping.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>

namespace warpshare::platform {

using abi::LimitsPageV1;

void LimitsMapping::Unmap::operator()(LimitsPageV1* page) const { munmap(page, sizeof(*page)); }

Result<LimitsMapping> LimitsMapping::Open(const std::string& path, Access access) {
  const bool writable = access == Access::kWrite;
  auto file = OpenFile(path, writable ? O_RDWR : O_RDONLY);
  if (!file) return Forward(file);
  struct stat status = {};
  if (fstat(file->get(), &status) != 0) return Fail(SystemError("cannot look at " + path, errno));
  if (!S_ISREG(status.st_mode) || status.st_size < static_cast<off_t>(sizeof(LimitsPageV1)))
    return Fail(Errc::kCorrupt, path + " is no limits file: end the tenant's programs");
  void* address = mmap(nullptr, sizeof(LimitsPageV1), writable ? PROT_READ | PROT_WRITE : PROT_READ,
                       MAP_SHARED, file->get(), 0);
  if (address == MAP_FAILED) return Fail(SystemError("cannot map " + path, errno));
  LimitsMapping page(std::move(*file), static_cast<LimitsPageV1*>(address));
  if (page->magic != abi::kLimitsMagic || page->major != abi::kLimitsMajor ||
      page->size < sizeof(LimitsPageV1) || page->card_count > abi::kMaxCards)
    return Fail(Errc::kCorrupt,
                path + " was written by another version of warpshare: end the tenant's programs");
  return page;
}

bool LimitsMapping::IsAt(const std::string& path) const {
  struct stat there = {};
  struct stat ours = {};
  return lstat(path.c_str(), &there) == 0 && fstat(file_.get(), &ours) == 0 &&
         there.st_ino == ours.st_ino && there.st_dev == ours.st_dev;
}

}  // namespace warpshare::platform
