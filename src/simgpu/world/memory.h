// A card's memory: accounts that are exact to the byte, and extents that hold real data.
//
// An account is changed by Charge/Uncharge and by extents: `used + free == total` always holds, and
// a charge is granted if and only if it fits. An extent is a run of 2 MiB blocks of the card's
// sparse file; it is charged the bytes asked for, to the process that made it, and lives until its
// last holder (process or exported file descriptor) lets go. A device pointer is a host address:
// each process maps the whole card file once (the window), so an extent's address in a process is
// fixed, costs no system call, and differs between processes. Memory is committed only when
// touched; a new extent reads as zero. Allocations below 1 MiB share extents (slabs) with others of
// the same process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "simgpu/world/memory_kind.h"

namespace simgpu::world {

class Machine;  // inside the room

inline constexpr uint64_t kBlockBytes = uint64_t{2} << 20;  // granularity and alignment of extents
inline constexpr uint64_t kSmallLimit = uint64_t{1}
                                        << 20;  // Allocate() below this shares an extent
inline constexpr uint64_t kSmallAlignment = 512;

// Names an extent to another process of the same world: plain bytes, fit for an IPC handle or a
// file. Once the extent is gone the name is of nothing, even if its blocks are used again.
struct ExtentName {
  uint64_t world_id = 0;
  uint32_t card = 0;
  uint32_t block = 0;
  uint32_t generation = 0;
  uint32_t reserved = 0;
};
static_assert(sizeof(ExtentName) == 24);

struct Extent {
  int card = -1;
  uint32_t block = 0;       // its first
  uint32_t generation = 0;  // of the block
  uint64_t bytes = 0;       // asked for, and charged unless kUncharged
  uint64_t span = 0;        // bytes rounded up to whole blocks: what can be mapped
  void* address = nullptr;  // in this process's window
};

// A piece of device memory as cuMemAlloc gives it.
struct Allocation {
  void* address = nullptr;
  uint64_t bytes = 0;
  Extent extent;        // that it lies in
  uint64_t offset = 0;  // from extent.address
  bool shared = false;  // the extent holds other allocations of this process too
};

struct MemoryUse {
  uint64_t total = 0;
  uint64_t used = 0;
  uint64_t free = 0;
};

class Memory {
 public:
  explicit Memory(Machine& machine);
  ~Memory();

  // Totals of a card, after giving back what dead processes held.
  MemoryUse Use(int card);
  MemoryBytes UseOfSelf(int card);

  // Accounts only: contexts, modules. False: it does not fit (or this process cannot join), nothing
  // has changed.
  [[nodiscard]] bool Charge(int card, MemoryKind kind, uint64_t bytes);
  void Uncharge(int card, MemoryKind kind, uint64_t bytes);

  // What cuMemAlloc and the like are made of: any size above 0, charged exactly `bytes` as kData.
  // Free() takes the allocation's address and says whether it was one.
  [[nodiscard]] std::optional<Allocation> Allocate(int card, uint64_t bytes);
  bool Free(void* address);
  std::optional<Allocation> Find(
      const void* address);  // the allocation of this process that holds the address

  // An extent of one's own: VMM physical memory, pools, anything exported. Null: does not fit.
  [[nodiscard]] std::optional<Extent> AllocateExtent(int card, uint64_t bytes, MemoryKind kind);

  // Holding: AllocateExtent and Hold give this process one hold each; every hold needs a Release.
  // The last release of the last holder frees the extent and its charge. A dead process's holds end
  // by themselves.
  ExtentName NameOf(const Extent& extent) const;
  [[nodiscard]] std::optional<Extent> Hold(
      const ExtentName& name);  // null: no such extent (any more)
  void Release(const Extent& extent);
  // For an extent of one's own that nobody has read or written, here or by an export: it has no
  // pages to give back, so that no system call is made.
  void ReleaseUntouched(const Extent& extent);

  // A real file descriptor (close-on-exec) that names the extent and keeps it alive while any copy
  // of it is open, in this process, another, or in flight in a socket. -1 and errno on failure.
  // Import takes any fd and holds its extent.
  int ExportFd(const Extent& extent);
  [[nodiscard]] std::optional<Extent> ImportFd(int fd);

  // Puts [offset, offset + length) of the extent at `address` as well (all multiples of 4 KiB),
  // replacing what is mapped there. Unmap turns a range back into a reserved, inaccessible one.
  [[nodiscard]] bool MapAt(const Extent& extent, uint64_t offset, void* address, uint64_t length);
  bool Unmap(void* address, uint64_t length);

  // Commits the pages of a range before it is written, so that a full file system is an answer
  // (false), not a SIGBUS.
  static bool Populate(void* address, uint64_t length);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace simgpu::world
