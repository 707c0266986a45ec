#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "platform/change_watch/change_watch.h"

namespace warpshare::platform {

Result<LinuxChangeWatch> LinuxChangeWatch::Open() {
  Descriptor file(inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  if (!file.is_open()) return Fail(SystemError("cannot watch files", errno));
  return LinuxChangeWatch(std::move(file));
}

Result<WatchId> LinuxChangeWatch::WatchFolder(const std::string& path) {
  return Watch(path, IN_ONLYDIR | IN_CREATE | IN_DELETE | IN_MOVE | IN_DELETE_SELF | IN_MOVE_SELF);
}

Result<WatchId> LinuxChangeWatch::WatchFile(const std::string& path) {
  // A file that loses its name, as by rename, changes the count of its names: an attribute.
  return Watch(path, IN_CLOSE_WRITE | IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF);
}

Result<WatchId> LinuxChangeWatch::Watch(const std::string& path, uint32_t events) {
  const int id = inotify_add_watch(file_.get(), path.c_str(), events | IN_DONT_FOLLOW);
  if (id < 0) return Fail(SystemError("cannot watch " + path, errno));
  return id;
}

void LinuxChangeWatch::Forget(WatchId id) { inotify_rm_watch(file_.get(), id); }

void LinuxChangeWatch::Acknowledge() {
  std::array<std::byte, 16 << 10> events;
  while (read(file_.get(), events.data(), events.size()) > 0) continue;
}

}  // namespace warpshare::platform
