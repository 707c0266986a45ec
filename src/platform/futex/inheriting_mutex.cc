#include "platform/futex/inheriting_mutex.h"

namespace warpshare::platform {

// Where the kernel cannot do it (none that has the other calls of this room), it is a plain mutex.
InheritingMutex::InheritingMutex() {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
  if (pthread_mutex_init(&mutex_, &attributes) != 0) pthread_mutex_init(&mutex_, nullptr);
  pthread_mutexattr_destroy(&attributes);
}

}  // namespace warpshare::platform
