#include "simgpu/world/layout/directory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>

namespace simgpu::world {
namespace {

constexpr int kAttempts = 10'000;  // of a millisecond: a creator needs a few at most

bool Fail(std::string* error, const std::string& what) {
  *error = what + ": " + std::strerror(errno);
  return false;
}

bool IsOursAlone(const std::string& path, std::string* error) {
  struct stat status;
  if (lstat(path.c_str(), &status) != 0) return Fail(error, path);
  if (!S_ISDIR(status.st_mode) || status.st_uid != geteuid() || (status.st_mode & 022) != 0) {
    *error = path + " is not a directory that only you can write: remove it or set SIMGPU_WORLD";
    return false;
  }
  return true;
}

}  // namespace

AttachLock::~AttachLock() {
  if (fd_ >= 0) close(fd_);
}

bool AttachLock::Take(const std::string& directory, std::string* error) {
  const std::string path = directory + "/lock";
  fd_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (fd_ < 0) return Fail(error, path);
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    alone_ = flock(fd_, LOCK_EX | LOCK_NB) == 0;
    if (alone_ || flock(fd_, LOCK_SH | LOCK_NB) == 0) return true;
    if (errno != EWOULDBLOCK && errno != EINTR) return Fail(error, path);
    const timespec millisecond{.tv_sec = 0, .tv_nsec = 1'000'000};
    nanosleep(&millisecond, nullptr);
  }
  *error = path + " has been locked for 10 s by a process that is making the world: end it";
  return false;
}

void AttachLock::Share() {
  flock(fd_, LOCK_SH);
  alone_ = false;
}

std::string DefaultDirectory() { return "/dev/shm/simgpu-" + std::to_string(geteuid()); }

bool PrepareDirectory(const std::string& path, bool is_default, std::string* resolved,
                      std::string* error) {
  const mode_t mode = is_default ? 0700 : 0777;
  if (mkdir(path.c_str(), mode) != 0 && errno != EEXIST) return Fail(error, path);
  if (is_default && !IsOursAlone(path, error)) return false;
  char real[PATH_MAX];
  if (realpath(path.c_str(), real) == nullptr) return Fail(error, path);
  *resolved = real;
  return true;
}

std::string CardFile(const std::string& directory, int card) {
  return directory + "/card" + std::to_string(card) + ".mem";
}

std::string ExportFolder(const std::string& directory) { return directory + "/exports"; }

}  // namespace simgpu::world
