#include "platform/process/privileges.h"

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace warpshare::platform {

namespace {

constexpr rlim_t kRealTimePriority = 1;  // the lowest: above all ordinary programs
constexpr rlim_t kNice = 30;             // 20 minus the nice value of -10

void Allow(__rlimit_resource resource, rlim_t limit) {
  const struct rlimit both = {.rlim_cur = limit, .rlim_max = limit};
  setrlimit(resource, &both);
}

}  // namespace

Result<void> GiveUpPrivileges() {
  Allow(RLIMIT_RTPRIO, kRealTimePriority);
  Allow(RLIMIT_NICE, kNice);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return Fail(SystemError("cannot do without new privileges", errno));
  __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  const __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {};
  if (syscall(SYS_capset, &header, none) != 0)
    return Fail(SystemError("cannot give up capabilities", errno));
  return {};
}

}  // namespace warpshare::platform
