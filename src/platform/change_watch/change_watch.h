// Tells that something changed among the folders and files that are watched, not what: whoever is
// told looks at all of them again, so nothing is lost when much happens at once.
#pragma once

#include <cstdint>
#include <string>

#include "platform/descriptor/descriptor.h"
#include "result/result.h"

namespace warpshare::platform {

using WatchId = int;
inline constexpr WatchId kNoWatch = -1;  // may be forgotten as well

class ChangeWatch {
 public:
  virtual ~ChangeWatch() = default;

  // Names that come to or leave the folder, and its own end.
  virtual Result<WatchId> WatchFolder(const std::string& path) = 0;

  // A file that was open for writing being closed, whatever was done to it, also through a mapping;
  // its attributes; another file in its place, or none.
  virtual Result<WatchId> WatchFile(const std::string& path) = 0;

  // Also for what does not exist any more.
  virtual void Forget(WatchId id) = 0;

  // Can be read (poll) when something changed since the last Acknowledge. Changes after that one
  // began are told again.
  virtual int descriptor() const = 0;
  virtual void Acknowledge() = 0;
};

class LinuxChangeWatch final : public ChangeWatch {
 public:
  static Result<LinuxChangeWatch> Open();

  Result<WatchId> WatchFolder(const std::string& path) override;
  Result<WatchId> WatchFile(const std::string& path) override;
  void Forget(WatchId id) override;
  int descriptor() const override { return file_.get(); }
  void Acknowledge() override;

 private:
  explicit LinuxChangeWatch(Descriptor file) : file_(std::move(file)) {}
  Result<WatchId> Watch(const std::string& path, uint32_t events);

  Descriptor file_;
};

}  // namespace warpshare::platform
