#include "platform/region_file/file_lock.h"

#include <fcntl.h>

#include <cerrno>

namespace warpshare::platform {

namespace {

struct flock Request(short type, LockRange range) {
  struct flock request = {};
  request.l_type = type;
  request.l_whence = SEEK_SET;
  request.l_start = range.start;
  request.l_len = range.length;
  return request;
}

}  // namespace

Result<bool> TryLock(const Descriptor& file, LockMode mode, LockRange range) {
  struct flock request = Request(mode == LockMode::kShared ? F_RDLCK : F_WRLCK, range);
  if (fcntl(file.get(), F_OFD_SETLK, &request) == 0) return true;
  if (errno == EAGAIN || errno == EACCES) return false;
  return Fail(SystemError("cannot lock", errno));
}

Result<void> Unlock(const Descriptor& file, LockRange range) {
  struct flock request = Request(F_UNLCK, range);
  if (fcntl(file.get(), F_OFD_SETLK, &request) == 0) return {};
  return Fail(SystemError("cannot unlock", errno));
}

Result<bool> IsLockedElsewhere(const Descriptor& file, LockRange range) {
  struct flock request = Request(F_WRLCK, range);
  if (fcntl(file.get(), F_OFD_GETLK, &request) != 0)
    return Fail(SystemError("cannot ask for locks", errno));
  return request.l_type != F_UNLCK;
}

}  // namespace warpshare::platform
