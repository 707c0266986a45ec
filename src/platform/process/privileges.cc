#include "platform/process/privileges.h"

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>

namespace warpshare::platform {

namespace {

constexpr rlim_t kRealTimePriority = 1;  // the lowest: above all ordinary programs
constexpr rlim_t kNice = 30;             // 20 minus the nice value of -10

using Capabilities = std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3>;

bool Allow(__rlimit_resource resource, rlim_t limit) {
  const struct rlimit both = {.rlim_cur = limit, .rlim_max = limit};
  return setrlimit(resource, &both) == 0;
}

// Where limits cannot be raised, as in some containers, the one capability is kept that does the
// same.
Capabilities Needed(__user_cap_header_struct& header) {
  Capabilities needed{};
  const bool is_allowed = Allow(RLIMIT_RTPRIO, kRealTimePriority);
  if (Allow(RLIMIT_NICE, kNice) && is_allowed) return needed;
  Capabilities there{};
  if (syscall(SYS_capget, &header, there.data()) != 0) return needed;
  const uint32_t kept = there[0].permitted & (uint32_t{1} << CAP_SYS_NICE);
  needed[0].permitted = kept;
  needed[0].effective = kept;
  return needed;
}

}  // namespace

Result<void> GiveUpPrivileges() {
  __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  const Capabilities needed = Needed(header);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return Fail(SystemError("cannot do without new privileges", errno));
  if (syscall(SYS_capset, &header, needed.data()) != 0)
    return Fail(SystemError("cannot give up capabilities", errno));
  return {};
}

}  // namespace warpshare::platform
