// Finding, opening and checking a tenant's two files. Used by both libraries; knows nothing of
// slots.
//
// The set of cards is what it was when the file was opened: a host that replaces the limits file
// reaches processes that start later. Single limits change in place and count at once.
#pragma once

#include <cstdint>

#include "abi/region/limits_page.h"
#include "abi/region/usage_page.h"

namespace warpshare::interposer {

enum class Opened : uint8_t {
  kNoTenant,  // none was named
  kUnusable,  // one was named and cannot be used; the reason is in the log
  kOpen,
};

struct TenantPages {
  const abi::LimitsPageV1* limits;  // read-only mapping
  abi::UsagePageV1* usage;          // shared with the tenant's other processes
  int usage_fd;  // the program may have closed it, or have taken the number for another file
  uint64_t usage_device;  // st_dev and st_ino, to tell whether it has
  uint64_t usage_inode;
};

// The tenant directory is the fixed path (abi/names/env.h) if that exists, else the one named in
// the environment. `pages` must be zero; it stays so unless the answer is kOpen.
Opened OpenTenantPages(TenantPages& pages);

// The descriptor of the usage file if it is still that, or -1.
int UsageDescriptor(const TenantPages& pages);

// Opens the usage file again after the program closed our descriptor; false if it cannot be found
// any more (chroot).
bool ReopenUsage(TenantPages& pages);

void CloseTenantPages(TenantPages& pages);

}  // namespace warpshare::interposer
