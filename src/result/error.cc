#include "result/error.h"

#include <cerrno>
#include <system_error>

namespace warpshare {

namespace {

Errc CodeOf(int errno_value) {
  switch (errno_value) {
    case ENOENT:
    case ENOTDIR:
      return Errc::kNotFound;
    case EACCES:
    case EPERM:
    case EROFS:
      return Errc::kPermission;
    case EAGAIN:
    case EBUSY:
    case EINTR:
      return Errc::kUnavailable;
    default:
      return Errc::kSystem;
  }
}

}  // namespace

Error SystemError(std::string_view what, int errno_value) {
  std::string message(what);
  message += ": ";
  message += std::generic_category().message(errno_value);
  return {CodeOf(errno_value), std::move(message)};
}

}  // namespace warpshare
