#include "platform/descriptor/descriptor.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace warpshare::platform {

namespace {

// Shells and daemons take numbers from 3 and from 10 for themselves; the usual bound is 1024.
constexpr int kHighNumber = 512;

constexpr size_t kFirstStep = 16 << 10;

// `path` is for errors.
Result<std::string> ReadAll(const Descriptor& file, const std::string& path, size_t max_size) {
  std::string text;
  size_t filled = 0;
  // In steps that double: a bound may be far above what files have, and those of /proc do not say
  // their size.
  while (filled == text.size() && filled <= max_size) {
    text.resize(std::min(max_size + 1, std::max(kFirstStep, 2 * filled)));
    const auto size = ReadAt(file, std::as_writable_bytes(std::span(text)).subspan(filled),
                             static_cast<off_t>(filled));
    if (!size) return Fail(size.error().code, path + ": " + size.error().message);
    filled += *size;
  }
  if (filled > max_size)
    return Fail(Errc::kInvalid, path + " is larger than " + std::to_string(max_size) + " bytes");
  text.resize(filled);
  return text;
}

}  // namespace

void Descriptor::Close() {
  if (fd_ >= 0) close(std::exchange(fd_, -1));
}

Result<Descriptor> OpenFile(const std::string& path, int flags, mode_t mode) {
  Descriptor file(open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, mode));
  if (!file.is_open()) return Fail(SystemError("cannot open " + path, errno));
  if ((flags & O_EXCL) != 0 && fchmod(file.get(), mode) != 0)
    return Fail(SystemError("cannot set the mode of " + path, errno));
  return file;
}

Result<Descriptor> CopyForChildren(const Descriptor& file) {
  Descriptor copy(fcntl(file.get(), F_DUPFD, kHighNumber));
  if (!copy.is_open()) copy = Descriptor(fcntl(file.get(), F_DUPFD, STDERR_FILENO + 1));
  if (!copy.is_open()) return Fail(SystemError("cannot copy a file descriptor", errno));
  return copy;
}

// Each open takes the lowest number that is free, which is the one that was found closed.
void FillStandardStreams() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd)
    if (fcntl(fd, F_GETFD) < 0)
      (void)open("/dev/null", (fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
}

Result<size_t> ReadAt(const Descriptor& file, std::span<std::byte> bytes, off_t offset) {
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = pread(file.get(), bytes.data() + done, bytes.size() - done,
                              offset + static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Fail(SystemError("cannot read", errno));
    if (got == 0) break;
    done += static_cast<size_t>(got);
  }
  return done;
}

Result<void> WriteAll(const Descriptor& file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = write(file.get(), bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return Fail(SystemError("cannot write", errno));
    bytes.remove_prefix(static_cast<size_t>(put));
  }
  return {};
}

// What is there aside may be anybody's, where the folder is shared: it goes first.
Result<void> ReplaceFile(const std::string& path, std::string_view bytes, mode_t mode) {
  const std::string aside = path + ".new";
  unlink(aside.c_str());
  const auto file = OpenFile(aside, O_WRONLY | O_CREAT | O_EXCL, mode);
  if (!file) return Fail(file.error());
  if (auto written = WriteAll(*file, bytes); !written)
    return Fail(written.error().code, aside + ": " + written.error().message);
  if (rename(aside.c_str(), path.c_str()) != 0)
    return Fail(SystemError("cannot put in place " + path, errno));
  return {};
}

Result<std::string> ReadWholeFile(const std::string& path, size_t max_size) {
  const auto file = OpenFile(path, O_RDONLY);
  if (!file) return Fail(file.error());
  return ReadAll(*file, path, max_size);
}

Result<std::string> ReadMountedFile(const std::string& path, size_t max_size) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return Fail(SystemError("cannot open " + path, errno));
  return ReadAll(file, path, max_size);
}

}  // namespace warpshare::platform
