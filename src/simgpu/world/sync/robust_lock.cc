#include "simgpu/world/sync/robust_lock.h"

#include <linux/futex.h>

#include <cerrno>

#include "simgpu/world/sync/damage.h"

namespace simgpu::world {

void RobustLock::Create() {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex_, &attributes);
  pthread_mutexattr_destroy(&attributes);
}

RobustLock::Outcome RobustLock::Judge(int error) {
  switch (error) {
    case 0:
      return Outcome::kAcquired;
    case EOWNERDEAD:
      return Outcome::kHolderDied;
    case EBUSY:
      return Outcome::kBusy;
    default:
      StopForDamage("a lock of the world is overwritten");
  }
}

RobustLock::Outcome RobustLock::Acquire() { return Judge(pthread_mutex_lock(&mutex_)); }

RobustLock::Outcome RobustLock::TryAcquire() { return Judge(pthread_mutex_trylock(&mutex_)); }

void RobustLock::Mended() { pthread_mutex_consistent(&mutex_); }

void RobustLock::Release() { pthread_mutex_unlock(&mutex_); }

uint32_t RobustLock::HolderThread() const {
  // glibc keeps the kernel's futex word here; its layout is part of glibc's ABI. A robust lock's
  // word is the holder's thread id, with FUTEX_OWNER_DIED set by the kernel when that thread is
  // gone.
  const int word = __atomic_load_n(&mutex_.__data.__lock, __ATOMIC_ACQUIRE);
  if (word & FUTEX_OWNER_DIED) return 0;
  return static_cast<uint32_t>(word) & FUTEX_TID_MASK;
}

}  // namespace simgpu::world
