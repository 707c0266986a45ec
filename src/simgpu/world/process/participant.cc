#include "simgpu/world/process/participant.h"

#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "simgpu/world/process/fork_mark.h"
#include "simgpu/world/process/identity.h"
#include "simgpu/world/sync/clock.h"
#include "simgpu/world/sync/futex.h"

namespace simgpu::world {
namespace {

constexpr size_t kKeeperStack =
    256 * 1024;  // little is used; room for a sanitizer's or a program's thread-local data
constexpr uint64_t kHourNs = 3'600'000'000'000;

void WaitWhile(std::atomic<uint32_t>& phase, uint32_t value) {
  while (phase.load(std::memory_order_acquire) == value) FutexWait(phase, value, NowNs() + kHourNs);
}

void WriteIdentity(ProcessSlot& slot) {
  const Identity self = IdentityOfSelf();
  slot.pid.store(static_cast<uint64_t>(self.pid), std::memory_order_relaxed);
  slot.pid_namespace.store(self.pid_namespace, std::memory_order_relaxed);
  slot.start_time.store(self.start_time, std::memory_order_relaxed);
  slot.uid.store(self.uid, std::memory_order_relaxed);
  std::memset(slot.name, 0, sizeof(slot.name));
  std::memcpy(slot.name, self.name.data(), std::min(self.name.size(), sizeof(slot.name) - 1));
}

}  // namespace

bool IsAlive(const ProcessSlot& slot) {
  if (slot.state.load(std::memory_order_acquire) != kLive) return false;
  const uint64_t keeper = Get(slot.keeper);
  return slot.life.HolderThread() == keeper;
}

void Participant::Leave() {
  if (!joined() || InForkedChild() || phase_.load(std::memory_order_acquire) != kSeated) return;
  FutexSet(phase_, kLeaving);
  WaitWhile(phase_, kLeaving);
}

ProcessKey Participant::key() const {
  if (!joined()) return {};
  return {slot(), static_cast<uint32_t>(Get(map_.slot(slot()).generation))};
}

bool Participant::Join(std::string* error) {
  const std::lock_guard lock(joining_);
  if (joined()) return true;
  phase_.store(kStarting, std::memory_order_relaxed);
  if (!StartKeeper()) {
    *error = "no thread can be had to hold this process's place (see ulimit -u)";
    return false;
  }
  WaitWhile(phase_, kStarting);
  if (phase_.load(std::memory_order_acquire) == kSeated) return true;
  *error = std::to_string(kMaxProcesses) + " processes use this world already, and that is all";
  return false;
}

bool Participant::StartKeeper() {
  // The keeper inherits a full signal mask: no handler of the program ever runs in it.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, kKeeperStack);
  pthread_t thread;
  const bool started = pthread_create(&thread, &attributes, RunKeeper, this) == 0;
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return started;
}

void* Participant::RunKeeper(void* participant) {
  pthread_setname_np(pthread_self(), "simgpu-keeper");
  static_cast<Participant*>(participant)->Keep();
  return nullptr;
}

void Participant::Keep() {
  uint32_t index = 0;
  while (index < kMaxProcesses && !TakeSlot(index)) ++index;
  if (index == kMaxProcesses) return FutexSet(phase_, kTableFull);
  slot_.store(index, std::memory_order_release);
  FutexSet(phase_, kSeated);
  WaitWhile(phase_, kSeated);
  ProcessSlot& slot = map_.slot(index);
  slot.state.store(kDead, std::memory_order_release);
  slot.life.Release();
  FutexSet(phase_, kGone);  // the last touch of *this
}

bool Participant::TakeSlot(uint32_t index) {
  ProcessSlot& slot = map_.slot(index);
  if (slot.state.load(std::memory_order_acquire) != kFree) return false;
  const RobustLock::Outcome outcome = slot.life.TryAcquire();
  if (outcome == RobustLock::Outcome::kBusy) return false;
  if (outcome == RobustLock::Outcome::kHolderDied)
    slot.life.Mended();  // it died before it was live
  if (slot.state.load(std::memory_order_acquire) != kFree) {
    slot.life.Release();
    return false;
  }
  slot.generation.fetch_add(1, std::memory_order_relaxed);
  slot.keeper.store(static_cast<uint64_t>(syscall(SYS_gettid)), std::memory_order_relaxed);
  WriteIdentity(slot);
  Word& used = map_.header().slots_used;
  uint64_t seen = Get(used);
  while (seen <= index && !used.compare_exchange_weak(seen, index + 1, std::memory_order_acq_rel)) {
  }
  slot.state.store(kLive, std::memory_order_release);
  return true;
}

}  // namespace simgpu::world
