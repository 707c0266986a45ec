#include "bench/share/stage/scratch_folder.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>

namespace warpshare::bench {

namespace {

namespace fs = std::filesystem;

constexpr char kRoot[] = "/dev/shm/";

// Locked, or -1: its owner lives.
int Lock(const std::string& folder) {
  const int file = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0) return file;
  if (file >= 0) close(file);
  return -1;
}

void RemoveWhatWasLeft(const std::string& prefix) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(kRoot, error)) {
    if (!entry.path().filename().string().starts_with(prefix)) continue;
    const int lock = Lock(entry.path());
    if (lock < 0) continue;
    fs::remove_all(entry.path(), error);
    close(lock);
  }
}

}  // namespace

// It has its name only once it is locked, so nobody takes a new one for one that was left.
ScratchFolder::ScratchFolder(const std::string& prefix) {
  RemoveWhatWasLeft(prefix);
  std::string made = kRoot + ("new-" + prefix) + "XXXXXX";
  if (mkdtemp(made.data()) != nullptr) lock_ = Lock(made);
  path_ = kRoot + prefix + made.substr(made.size() - 6);
  if (lock_ >= 0 && rename(made.c_str(), path_.c_str()) == 0) return;
  perror(made.c_str());
  exit(1);
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  close(lock_);
}

}  // namespace warpshare::bench
