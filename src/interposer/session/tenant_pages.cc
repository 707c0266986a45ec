#include "interposer/session/tenant_pages.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "abi/names/env.h"
#include "interposer/guest/kernel.h"
#include "interposer/guest/text.h"
#include "interposer/log/log.h"

namespace warpshare::interposer {

namespace {

// Programs take low descriptors for their own and close or reuse them blindly; few look up here.
constexpr long kHighDescriptor = 512;

// Below are those that every program reads and prints by, also one that was started without them.
constexpr long kFirstFreeDescriptor = 3;

Opened Unusable(const char* path, const char* reason, long error) {
  if (log::IsOn(log::Level::kError)) {
    log::Line line(log::Level::kError);
    line.Add("tenant directory cannot be used: ").Add(path).Add(": ").Add(reason);
    if (error < 0) line.Add(", errno ").AddNumber(static_cast<uint64_t>(-error));
  }
  return Opened::kUnusable;
}

// Fills `folder`. kOpen: a tenant was named.
Opened FindFolder(guest::TextBuffer& folder) {
  struct stat status;
  const int result = guest::StatPath(abi::kFixedTenantDir, &status);
  if (result != -ENOENT && result != -ENOTDIR) {
    folder.Add(abi::kFixedTenantDir);
    return result < 0 ? Unusable(abi::kFixedTenantDir, "it is there but hidden", result)
                      : Opened::kOpen;
  }
  const char* named = getenv(abi::kEnvTenantDir);
  if (named == nullptr || *named == '\0') return Opened::kNoTenant;
  folder.Add(named);
  return folder.was_cut() ? Unusable(named, "the path is too long", 0) : Opened::kOpen;
}

// As high as the program's limit of descriptors lets it.
int MoveUp(int fd) {
  int high = guest::Control(fd, F_DUPFD_CLOEXEC, kHighDescriptor);
  if (high < 0 && fd < kFirstFreeDescriptor) {
    high = guest::Control(fd, F_DUPFD_CLOEXEC, kFirstFreeDescriptor);
  }
  if (high < 0) return fd;
  guest::Close(fd);
  return high;
}

struct Mapping {
  void* pages;
  int fd;
  struct stat file;
};

// Maps the first `bytes` of a file that must have them; keeps the descriptor.
Opened MapFile(const char* path, size_t bytes, int access, Mapping& mapping) {
  const bool writes = access == O_RDWR;
  mapping.fd = guest::Open(path, access | O_NOCTTY | O_NONBLOCK);
  if (mapping.fd < 0) return Unusable(path, "cannot be opened", mapping.fd);
  mapping.pages = nullptr;
  Opened opened = Opened::kOpen;
  if (guest::StatFd(mapping.fd, &mapping.file) < 0 || !S_ISREG(mapping.file.st_mode) ||
      mapping.file.st_size < static_cast<long>(bytes)) {
    opened = Unusable(path, "is not a file of the size it must have", 0);
  } else if (writes &&
             guest::Allocate(mapping.fd, 0, offsetof(abi::UsagePageV1, slots)) == -ENOSPC) {
    // Touching a page that has no room would kill the program with SIGBUS.
    opened = Unusable(path, "its file system is full", -ENOSPC);
  } else {
    mapping.pages =
        guest::Map(bytes, writes ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, mapping.fd, 0);
    if (mapping.pages == nullptr) opened = Unusable(path, "cannot be mapped", 0);
  }
  if (opened != Opened::kOpen) guest::Close(mapping.fd);
  return opened;
}

Opened OpenLimits(const char* path, TenantPages& pages) {
  Mapping mapping;
  if (const Opened opened = MapFile(path, sizeof(abi::LimitsPageV1), O_RDONLY, mapping);
      opened != Opened::kOpen) {
    return opened;
  }
  guest::Close(mapping.fd);
  pages.limits = static_cast<const abi::LimitsPageV1*>(mapping.pages);
  const abi::LimitsPageV1& limits = *pages.limits;
  if (limits.magic == abi::kLimitsMagic && limits.major == abi::kLimitsMajor &&
      limits.size >= sizeof(abi::LimitsPageV1) && limits.card_count <= abi::kMaxCards) {
    return Opened::kOpen;
  }
  return Unusable(path, "is no limits page of version 1", 0);
}

Opened OpenUsage(const char* path, TenantPages& pages) {
  Mapping mapping;
  if (const Opened opened = MapFile(path, sizeof(abi::UsagePageV1), O_RDWR, mapping);
      opened != Opened::kOpen) {
    return opened;
  }
  pages.usage_fd = MoveUp(mapping.fd);
  pages.usage = static_cast<abi::UsagePageV1*>(mapping.pages);
  pages.usage_device = mapping.file.st_dev;
  pages.usage_inode = mapping.file.st_ino;
  const abi::UsagePageV1& usage = *pages.usage;
  if (usage.magic == abi::kUsageMagic && usage.major == abi::kUsageMajor &&
      usage.size >= sizeof(abi::UsagePageV1)) {
    return Opened::kOpen;
  }
  return Unusable(path, "is no usage file of version 1", 0);
}

}  // namespace

Opened OpenTenantPages(TenantPages& pages) {
  guest::Path folder;
  if (const Opened found = FindFolder(folder); found != Opened::kOpen) return found;
  guest::Path limits;
  limits.Add(folder.text()).Add('/').Add(abi::kLimitsFile);
  guest::Path usage;
  usage.Add(folder.text()).Add('/').Add(abi::kUsageFile);
  if (limits.was_cut() || usage.was_cut())
    return Unusable(folder.text(), "the path is too long", 0);
  Opened opened = OpenLimits(limits.text(), pages);
  if (opened == Opened::kOpen) opened = OpenUsage(usage.text(), pages);
  if (opened != Opened::kOpen) CloseTenantPages(pages);
  return opened;
}

int UsageDescriptor(const TenantPages& pages) {
  struct stat file;
  const bool is_ours = pages.usage != nullptr && guest::StatFd(pages.usage_fd, &file) == 0 &&
                       file.st_dev == pages.usage_device && file.st_ino == pages.usage_inode;
  return is_ours ? pages.usage_fd : -1;
}

bool ReopenUsage(TenantPages& pages) {
  guest::Path path;
  if (FindFolder(path) != Opened::kOpen) return false;
  path.Add('/').Add(abi::kUsageFile);
  const int fd = guest::Open(path.text(), O_RDWR | O_NOCTTY | O_NONBLOCK);
  if (fd < 0) return false;
  const int former = pages.usage_fd;
  pages.usage_fd = MoveUp(fd);
  if (UsageDescriptor(pages) >= 0) return true;
  guest::Close(pages.usage_fd);
  pages.usage_fd = former;
  return false;
}

void CloseTenantPages(TenantPages& pages) {
  if (const int fd = UsageDescriptor(pages); fd >= 0) guest::Close(fd);
  if (pages.limits != nullptr)
    guest::Unmap(const_cast<abi::LimitsPageV1*>(pages.limits), sizeof(*pages.limits));
  if (pages.usage != nullptr) guest::Unmap(pages.usage, sizeof(*pages.usage));
  pages = {};
}

}  // namespace warpshare::interposer
