#include "node/local/node_lock.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <sstream>

#include "platform/process/lookup.h"
#include "platform/region_file/file_lock.h"

namespace warpshare::node {

namespace {

constexpr size_t kMostBytes = 100;

std::string LockPath(const StateDir& state) { return state.path() + "/node.lock"; }

// The kernel does not say who holds such a lock. Where it cannot be written, nobody is told.
void NoteHolder(const platform::Descriptor& file) {
  if (ftruncate(file.get(), 0) != 0 || lseek(file.get(), 0, SEEK_SET) != 0) return;
  (void)platform::WriteAll(
      file, std::to_string(getpid()) + ' ' + std::to_string(platform::OwnPidNamespace()) + '\n');
}

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

Result<bool> NodeLock::Retake() {
  auto taken = platform::TryLock(file_, platform::LockMode::kExclusive);
  if (taken && *taken) NoteHolder(file_);
  return taken;
}

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

std::optional<pid_t> RunningNode(const StateDir& state) {
  if (!IsNodeRunning(state)) return std::nullopt;
  std::istringstream note(platform::ReadWholeFile(LockPath(state), kMostBytes).value_or(""));
  pid_t pid = 0;
  uint64_t pid_namespace = 0;
  note >> pid >> pid_namespace;
  if (!note || pid_namespace != platform::OwnPidNamespace()) return std::nullopt;
  return pid;
}

}  // namespace warpshare::node
