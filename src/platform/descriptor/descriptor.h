// An open file, closed when it goes out of scope. All are opened close-on-exec, and none is
// followed through a symbolic link at its last name: folders here are shared with tenants.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "result/result.h"

namespace warpshare::platform {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() { Close(); }

  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  void Close();

 private:
  int fd_ = -1;
};

// `flags` as for open(2), and no link is followed; a file that is made gets exactly `mode`,
// whatever the umask.
Result<Descriptor> OpenFile(const std::string& path, int flags, mode_t mode = 0);

// A copy of the descriptor that programs started from here inherit. Its number is high, so that the
// first file such a program opens still is 3.
Result<Descriptor> CopyForChildren(const Descriptor& file);

// To be called first in a program: whoever was started without one of the standard streams gets one
// that refuses to be read or written, so that no file that is opened later takes its number and
// what is meant for people. Programs that are started from here do without it again.
void FillStandardStreams();

// Up to bytes.size() from `offset`; fewer only at the end of the file.
Result<size_t> ReadAt(const Descriptor& file, std::span<std::byte> bytes, off_t offset);

// From where the file stands; for pipes too.
Result<void> WriteAll(const Descriptor& file, std::string_view bytes);

// Written aside and then given its name, so that nobody ever reads half of it: not when this
// process ends in the middle either. One writer of a path at a time.
Result<void> ReplaceFile(const std::string& path, std::string_view bytes, mode_t mode);

// The whole file; kInvalid when it is larger than `max_size`.
Result<std::string> ReadWholeFile(const std::string& path, size_t max_size);

// The same, and a link is followed: for what the kubelet or an administrator put there. What is
// mounted from Secrets is links, which are changed all at once.
Result<std::string> ReadMountedFile(const std::string& path, size_t max_size);

}  // namespace warpshare::platform
