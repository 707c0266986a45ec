// Finding, opening and checking a tenant's two files. Used by both libraries; knows nothing of
// slots.
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
  int usage_fd;  // of this process; the program may have closed it or taken the number over
  uint64_t usage_device;  // st_dev and st_ino, to tell whether it has
  uint64_t usage_inode;

  uint32_t card_count() const;
};

// The tenant directory is the fixed path (abi/names/env.h) if that exists, else the one named in
// the environment.
Opened OpenTenantPages(TenantPages& pages);

// A descriptor of the usage file that is still ours, or -1.
int UsageDescriptor(const TenantPages& pages);

}  // namespace warpshare::interposer
