// The directory of a world and the lock in it that says whether anyone is attached.
#pragma once

#include <string>

namespace simgpu::world {

// A shared flock on `<directory>/lock`, held while attached; exclusive while a world is examined
// and made by the only one there. Ends with the process, however it ends.
class AttachLock {
 public:
  AttachLock() = default;
  ~AttachLock();
  AttachLock(const AttachLock&) = delete;
  AttachLock& operator=(const AttachLock&) = delete;

  bool Take(const std::string& directory, std::string* error);
  bool alone() const { return alone_; }  // nobody else is attached, nor can attach before Share()
  void Share();

 private:
  int fd_ = -1;
  bool alone_ = false;
};

// Makes the directory where it is missing and resolves it to an absolute path. The default one lies
// where anybody can make directories: it must belong to this user, and no other may write to it.
bool PrepareDirectory(const std::string& path, bool is_default, std::string* resolved,
                      std::string* error);

std::string DefaultDirectory();
std::string CardFile(const std::string& directory, int card);
std::string ExportFolder(const std::string& directory);

}  // namespace simgpu::world
