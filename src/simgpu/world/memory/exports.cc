#include "simgpu/world/memory/exports.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace simgpu::world {
namespace {

constexpr uint64_t kExportMagic = 0x3154'5058'454d'4953;  // "SIMEXPT1"

struct ExportFile {
  uint64_t magic = kExportMagic;
  ExtentName name;
};

struct flock WholeFile(short type) {
  struct flock lock{};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  return lock;
}

}  // namespace

std::string Exports::PathOf(const ExtentName& name) const {
  return folder_ + "/" + std::to_string(name.card) + "-" + std::to_string(name.block) + "-" +
         std::to_string(name.generation);
}

int Exports::Open(const ExtentName& name) const {
  const int fd = open(PathOf(name).c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (fd < 0) return -1;
  ExportFile content;
  content.name = name;
  struct flock shared = WholeFile(F_RDLCK);
  if (fcntl(fd, F_OFD_SETLK, &shared) == 0 &&
      pwrite(fd, &content, sizeof(content), 0) == static_cast<ssize_t>(sizeof(content))) {
    return fd;
  }
  close(fd);
  return -1;
}

std::optional<ExtentName> Exports::Read(int descriptor) {
  struct stat status;
  ExportFile content;
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode) ||
      pread(descriptor, &content, sizeof(content), 0) != static_cast<ssize_t>(sizeof(content)) ||
      content.magic != kExportMagic) {
    return std::nullopt;
  }
  return content.name;
}

bool Exports::AnyoneHolds(const ExtentName& name) const {
  const int fd = open(PathOf(name).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) return false;
  struct flock exclusive = WholeFile(F_WRLCK);
  const bool held = fcntl(fd, F_OFD_GETLK, &exclusive) == 0 && exclusive.l_type != F_UNLCK;
  close(fd);
  return held;
}

void Exports::Remove(const ExtentName& name) const { unlink(PathOf(name).c_str()); }

}  // namespace simgpu::world
