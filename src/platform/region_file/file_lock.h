// Locks on ranges of a file that belong to the open file, not to the process (fcntl F_OFD_SETLK):
// a child that inherits the descriptor holds the lock on, and the kernel drops it when the last
// copy is closed, whatever ended the process.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "platform/descriptor/descriptor.h"

namespace warpshare::platform {

enum class LockMode : uint8_t {
  kShared,     // the file must be open for reading
  kExclusive,  // the file must be open for writing
};

struct LockRange {
  off_t start = 0;
  off_t length = 0;  // 0: to the end of all offsets
};

// False when another open file holds what `mode` excludes. Does not wait.
Result<bool> TryLock(const Descriptor& file, LockMode mode, LockRange range = {});

// Gives back what TryLock took.
Result<void> Unlock(const Descriptor& file, LockRange range = {});

// Whether any other open file holds a lock in the range, of either mode.
Result<bool> IsLockedElsewhere(const Descriptor& file, LockRange range = {});

}  // namespace warpshare::platform
