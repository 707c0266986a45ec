#include "interposer/session/liveness.h"

#include <errno.h>

#include "interposer/guest/kernel.h"
#include "interposer/guest/text.h"
#include "interposer/log/log.h"
#include "ledger/process_identity.h"

namespace warpshare::interposer {

namespace {

// A stat line has 52 numbers and a command of 15 bytes; the kernel gives it in one read.
constexpr size_t kMaxStatLine = 2048;

// Reads a small file of /proc; its length, or a value < 0.
long ReadSmallFile(const char* path, char* buffer, size_t capacity) {
  const int fd = guest::Open(path, O_RDONLY);
  if (fd < 0) return fd;
  const long length = guest::Read(fd, buffer, capacity);
  guest::Close(fd);
  return length;
}

bool ReadProcessStat(const char* path, ledger::ProcessStat& stat) {
  char line[kMaxStatLine];
  const long length = ReadSmallFile(path, line, sizeof(line));
  return length > 0 && ledger::ParseProcessStat(line, static_cast<size_t>(length), stat);
}

// The kernel's number of the first time namespace.
constexpr uint64_t kFirstTimeNamespace = 0xEFFF'FFFA;

// The number in "pid:[4026531836]", which is what the link says; 0 if it cannot be read.
uint64_t ReadNamespace(const char* path) {
  char link[64];
  const long length = guest::ReadLink(path, link, sizeof(link));
  uint64_t inode = 0;
  for (long i = 0; i < length; ++i) {
    if (link[i] >= '0' && link[i] <= '9') inode = inode * 10 + static_cast<uint64_t>(link[i] - '0');
  }
  return inode;
}

// A start time is told by the clock of whoever asks for it, which a time namespace sets as it
// likes. Kernels before 5.6 have none of them.
bool HasCommonClock() {
  const uint64_t inode = ReadNamespace("/proc/self/ns/time");
  return inode == 0 || inode == kFirstTimeNamespace;
}

// Whoever is asked for must be known by pid, start time and namespace, and the observer be in the
// same namespace.
ledger::Lookup LookUp(const ledger::OwnerIdentity& owner, const ledger::OwnerIdentity& self,
                      ledger::ProcessStat& stat) {
  const bool comparable = owner.pid_namespace != 0 && owner.pid_namespace == self.pid_namespace &&
                          owner.start_time != 0 && self.start_time != 0;
  if (!comparable) return ledger::Lookup::kCannotTell;
  // Asked first, as a /proc that hides other users' processes has no entry for them either.
  if (guest::ProbeProcess(static_cast<int>(owner.pid)) == -ESRCH) return ledger::Lookup::kNoProcess;
  guest::Text<64> path;
  path.Add("/proc/").AddNumber(owner.pid).Add("/stat");
  return ReadProcessStat(path.text(), stat) ? ledger::Lookup::kThere : ledger::Lookup::kCannotTell;
}

// What is not known of either is no proof.
bool IsSameProcess(const ledger::OwnerIdentity& owner, const ledger::OwnerIdentity& self) {
  return owner.pid == self.pid && owner.start_time != 0 && owner.start_time == self.start_time &&
         owner.pid_namespace != 0 && owner.pid_namespace == self.pid_namespace;
}

struct flock SlotLock(short type, uint32_t slot) {
  struct flock lock{};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = static_cast<off_t>(abi::SlotLockByte(slot));
  lock.l_len = 1;
  return lock;
}

// Held, too, if it cannot be asked: bytes that may be in use stay counted.
bool IsLockHeld(int usage_fd, uint32_t slot) {
  struct flock lock = SlotLock(F_WRLCK, slot);
  if (guest::Control(usage_fd, F_OFD_GETLK, guest::Word(&lock)) < 0) return true;
  return lock.l_type != F_UNLCK;
}

void LogReaped(uint32_t slot, uint32_t pid, uint64_t bytes) {
  if (!log::IsOn(log::Level::kInfo)) return;
  log::Line line(log::Level::kInfo);
  line.Add("took back ").AddNumber(bytes).Add(" bytes of dead process ").AddNumber(pid);
  line.Add(", slot ").AddNumber(slot);
}

}  // namespace

ledger::OwnerIdentity IdentifySelf() {
  ledger::OwnerIdentity self{};
  self.pid = static_cast<uint32_t>(guest::ProcessId());
  self.pid_namespace = ReadNamespace("/proc/self/ns/pid");
  // A /proc of another pid namespace knows us by another number; then none of its entries mean what
  // we would ask for.
  ledger::ProcessStat stat{};
  if (ReadProcessStat("/proc/self/stat", stat) && stat.pid == self.pid && HasCommonClock()) {
    self.start_time = stat.start_time;
    self.exec_mark = stat.exec_mark;
  }
  const long length = ReadSmallFile("/proc/self/comm", self.command, sizeof(self.command) - 1);
  self.command[length > 0 ? length : 0] = '\0';
  if (length > 0 && self.command[length - 1] == '\n') self.command[length - 1] = '\0';
  return self;
}

bool Observer::IsDead(uint32_t slot, const ledger::OwnerIdentity& owner) const {
  ledger::ProcessStat stat{};
  const ledger::Lookup lookup = LookUp(owner, self_, stat);
  return ledger::IsOwnerDead(lookup, stat, {owner.start_time, owner.exec_mark},
                             [&] { return IsLockHeld(UsageDescriptor(pages_), slot); });
}

uint64_t Observer::SweepFormer(uint32_t own_slot) const {
  abi::UsagePageV1& usage = *pages_.usage;
  uint64_t bytes = 0;
  for (uint32_t slot = 0; slot < ledger::SlotCeiling(usage); ++slot) {
    ledger::OwnerIdentity owner{};
    uint64_t generation = 0;
    if (slot == own_slot || !ledger::ReadOwner(usage, slot, owner, generation) ||
        !IsSameProcess(owner, self_) || IsLockHeld(UsageDescriptor(pages_), slot))
      continue;
    const uint64_t freed = ledger::GiveBackDead(usage, slot, generation);
    if (freed != 0) LogReaped(slot, owner.pid, freed);
    bytes += freed;
  }
  return bytes;
}

uint64_t Observer::Sweep(const SlotSet& own) const {
  uint64_t bytes = 0;
  ledger::ForEachSlot(*pages_.usage, [&](uint32_t slot) {
    if (!own.Has(slot) && ledger::HoldsBytes(*pages_.usage, slot)) bytes += SweepSlot(slot);
  });
  return bytes;
}

uint64_t Observer::SweepSlot(uint32_t slot) const {
  abi::UsagePageV1& usage = *pages_.usage;
  ledger::OwnerIdentity owner{};
  uint64_t generation = 0;
  uint64_t freed = 0;
  if (!ledger::ReadOwner(usage, slot, owner, generation)) {
    freed = ledger::ReapFree(usage, slot);
  } else if (IsDead(slot, owner)) {
    freed = ledger::GiveBackDead(usage, slot, generation);
  }
  if (freed != 0) LogReaped(slot, owner.pid, freed);
  return freed;
}

int LockSlot(int usage_fd, uint32_t slot) {
  struct flock lock = SlotLock(F_WRLCK, slot);
  return guest::Control(usage_fd, F_OFD_SETLK, guest::Word(&lock));
}

int ShareSlotLock(int usage_fd, uint32_t slot) {
  struct flock lock = SlotLock(F_RDLCK, slot);
  return guest::Control(usage_fd, F_OFD_SETLK, guest::Word(&lock));
}

void UnlockSlot(int usage_fd, uint32_t slot) {
  struct flock lock = SlotLock(F_UNLCK, slot);
  guest::Control(usage_fd, F_OFD_SETLK, guest::Word(&lock));
}

}  // namespace warpshare::interposer
