#include "simgpu/world/memory/card_data.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace simgpu::world {

CardData::~CardData() {
  if (std::byte* window = MappedWindow()) munmap(window, bytes());
}

std::byte* CardData::Window() {
  if (std::byte* window = MappedWindow()) return window;
  const std::lock_guard lock(mapping_);
  if (MappedWindow() == nullptr) window_.store(Map(), std::memory_order_release);
  return MappedWindow();
}

// Reserves one block more than needed, to start at a multiple of a block as device memory does. The
// file is not kept open: programs that close all descriptors must not make us write to one of
// theirs later.
std::byte* CardData::Map() {
  const int fd = open(path_.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) return nullptr;
  const uint64_t reserved = bytes() + kBlockBytes;
  void* start =
      mmap(nullptr, reserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  std::byte* window = nullptr;
  if (start != MAP_FAILED) {
    auto* first = static_cast<std::byte*>(start);
    const uint64_t skip = kBlockBytes - reinterpret_cast<uintptr_t>(start) % kBlockBytes;
    window = first + skip;
    munmap(first, skip);
    if (skip < kBlockBytes) munmap(window + bytes(), kBlockBytes - skip);
    if (mmap(window, bytes(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, fd,
             0) == MAP_FAILED) {
      munmap(window, bytes());
      window = nullptr;
    }
  }
  close(fd);
  return window;
}

bool CardData::Contains(const void* address, uint64_t* offset) const {
  const std::byte* window = MappedWindow();
  const auto* wanted = static_cast<const std::byte*>(address);
  if (window == nullptr || wanted < window || wanted >= window + bytes()) return false;
  *offset = static_cast<uint64_t>(wanted - window);
  return true;
}

void CardData::GiveBack(BlockRange range) {
  const uint64_t start = range.first * kBlockBytes;
  const uint64_t length = range.count * kBlockBytes;
  std::byte* window = MappedWindow();
  if (window != nullptr && madvise(window + start, length, MADV_REMOVE) == 0) return;
  const int fd = open(path_.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) return;
  // A file system without holes keeps the pages; the blocks are used again all the same.
  (void)fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(start),
                  static_cast<off_t>(length));
  close(fd);
}

}  // namespace simgpu::world
