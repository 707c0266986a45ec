#include "node/local/node_lock.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "platform/region_file/file_lock.h"

namespace warpshare::node {

namespace {

std::string LockPath(const StateDir& state) { return state.path() + "/node.lock"; }

}  // namespace

Result<std::optional<NodeLock>> NodeLock::Take(const StateDir& state) {
  auto file = platform::OpenFile(LockPath(state), O_RDWR | O_CREAT, S_IRUSR | S_IWUSR);
  if (!file) return Forward(file);
  NodeLock lock(LockPath(state), std::move(*file));
  const auto taken = lock.Retake();
  if (!taken) return Fail(taken.error());
  if (!*taken) return std::optional<NodeLock>();
  return std::optional<NodeLock>(std::move(lock));
}

Result<void> NodeLock::Release() { return platform::Unlock(file_); }

Result<bool> NodeLock::Retake() { return platform::TryLock(file_, platform::LockMode::kExclusive); }

bool NodeLock::IsInPlace() const {
  struct stat there = {};
  struct stat ours = {};
  return stat(path_.c_str(), &there) == 0 && fstat(file_.get(), &ours) == 0 &&
         there.st_ino == ours.st_ino && there.st_dev == ours.st_dev;
}

bool IsNodeRunning(const StateDir& state) {
  const auto file = platform::OpenFile(LockPath(state), O_RDONLY);
  if (!file) return false;
  const auto held = platform::IsLockedElsewhere(*file);
  return held && *held;
}

}  // namespace warpshare::node
