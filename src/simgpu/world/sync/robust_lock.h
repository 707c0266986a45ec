// A lock in shared memory that outlives its holder. When the holding thread dies, by any means, the
// kernel marks the lock, and the next to acquire it learns that (kHolderDied) and mends what the
// lock protects. A robust pthread mutex.
#pragma once

#include <pthread.h>

#include <cstdint>

namespace simgpu::world {

class RobustLock {
 public:
  enum class Outcome { kAcquired, kHolderDied, kBusy };

  void Create();  // once, before the memory is shared

  // After kHolderDied the caller holds the lock and must call Mended() before it releases it; dying
  // in between leaves the next one with kHolderDied again.
  Outcome Acquire();
  Outcome TryAcquire();
  void Mended();
  void Release();

  // The thread id the lock was acquired by, in the holder's own pid namespace; 0 when nobody holds
  // it, or its holder died.
  uint32_t HolderThread() const;

 private:
  Outcome Judge(int error);
  pthread_mutex_t mutex_;
};

}  // namespace simgpu::world
