// The sizes of arrays that the driver told lately. The same shape takes the same on a device for as
// long as the process lives, so it is asked for once. Zeroed memory knows none. Any thread.
#pragma once

#include <cstdint>

#include "interposer/accounts/array_size.h"
#include "interposer/guest/brief_lock.h"
#include "interposer/guest/lock.h"

namespace warpshare::interposer {

class ArraySizes {
 public:
  // 0: not known.
  uint64_t Find(const ArrayShape& shape, CUdevice device) {
    const Key key(shape, device);
    const Entry& entry = entries_[key.Hash() % kEntries];
    const guest::LockGuard guard(lock_);
    return entry.key == key ? entry.bytes : 0;
  }
  void Remember(const ArrayShape& shape, CUdevice device, uint64_t bytes) {
    const Key key(shape, device);
    const guest::LockGuard guard(lock_);
    entries_[key.Hash() % kEntries] = {.key = key, .bytes = bytes};
  }

 private:
  static constexpr uint32_t kEntries = 64;

  struct Key {
    Key() = default;
    Key(const ArrayShape& shape, CUdevice device)
        : width(shape.descriptor.Width),
          height(shape.descriptor.Height),
          depth(shape.descriptor.Depth),
          format(static_cast<uint32_t>(shape.descriptor.Format)),
          channels(shape.descriptor.NumChannels),
          flags(shape.descriptor.Flags),
          levels(shape.levels),
          of_device(device) {}
    bool operator==(const Key&) const = default;

    uint64_t Hash() const {
      constexpr uint64_t kGolden = 0x9E37'79B9'7F4A'7C15;  // spreads neighbours
      const uint64_t sides = width ^ height << 20 ^ depth << 40;
      const uint64_t rest = uint64_t{format} ^ uint64_t { channels } << 8 ^
                            uint64_t { flags } << 16 ^ uint64_t { levels } << 32;
      return ((sides * kGolden) ^ (rest * kGolden)) >> 32;
    }

    uint64_t width;
    uint64_t height;
    uint64_t depth;
    uint32_t format;
    uint32_t channels;
    uint32_t flags;
    uint32_t levels;
    CUdevice of_device;
  };
  struct Entry {
    Key key;
    uint64_t bytes;  // 0: empty
  };

  guest::BriefLock lock_;
  Entry entries_[kEntries] = {};
};

}  // namespace warpshare::interposer
