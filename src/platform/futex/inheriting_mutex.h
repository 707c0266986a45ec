// A lock between a thread with real-time priority and ordinary ones: whoever holds it while such a
// thread waits runs at that thread's priority, so that no other program comes in between (the
// kernel's priority inheritance). Works with std::lock_guard.
#pragma once

#include <pthread.h>

namespace warpshare::platform {

class InheritingMutex {
 public:
  InheritingMutex();
  ~InheritingMutex() { pthread_mutex_destroy(&mutex_); }
  InheritingMutex(const InheritingMutex&) = delete;
  InheritingMutex& operator=(const InheritingMutex&) = delete;

  // The names that the standard library calls.
  void lock() { pthread_mutex_lock(&mutex_); }
  void unlock() { pthread_mutex_unlock(&mutex_); }

 private:
  pthread_mutex_t mutex_;
};

}  // namespace warpshare::platform
