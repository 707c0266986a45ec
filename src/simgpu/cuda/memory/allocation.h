// One range of addresses that the driver knows: what it is, whose it is, and who takes it back.
// Plain data: queries work on copies, so that a free in another thread cannot pull it away.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simgpu/cuda/result.h"

namespace simgpu::cuda {

struct Allocation;

// What a range came from. Decides which calls may free it and what pointer queries say of it.
enum class Origin : uint8_t {
  kDevice,      // cuMemAlloc, cuMemAllocPitch
  kManaged,     // cuMemAllocManaged
  kHost,        // cuMemHostAlloc, cuMemAllocHost
  kRegistered,  // cuMemHostRegister: the program's own memory
  kPool,        // cuMemAllocAsync, cuMemAllocFromPoolAsync
  kPoolImport,  // cuMemPoolImportPointer
  kMapped,      // cuMemMap
  kIpc,         // cuIpcOpenMemHandle
  kExternal,    // cuExternalMemoryGetMappedBuffer
  kGraph,       // a graph's allocation node
  kGlobal,      // a module's variable
  kArray,       // storage of an array: has an address, but not one the program may use
};

// Whoever made a range. Outlives it.
class AllocationOwner {
 public:
  // Called once, when the range is no longer in the map: returns the memory behind it.
  virtual void TakeBack(const Allocation& allocation) = 0;

 protected:
  ~AllocationOwner() = default;
};

struct Allocation {
  uintptr_t base = 0;
  size_t bytes = 0;
  Origin origin = Origin::kDevice;
  bool sync_memops = false;  // CU_POINTER_ATTRIBUTE_SYNC_MEMOPS
  CUmemAccess_flags access = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;  // what copies may do to it
  CUdevice device = CU_DEVICE_CPU;  // ordinal among the visible devices
  int card = -1;                    // index in the world; -1 for host memory
  unsigned flags = 0;               // as given by the program: host flags, attach flags
  CUcontext context = nullptr;      // that it was made in; nullptr: in none
  uint64_t context_id = 0;
  uint64_t buffer_id = 0;            // set by the map; unique in the process, never reused
  AllocationOwner* owner = nullptr;  // nullptr: nothing to take back
  void* token = nullptr;             // the owner's own mark

  uintptr_t end() const { return base + bytes; }
  bool Holds(uintptr_t address) const { return address - base < bytes; }
  bool on_host() const { return card < 0; }
};

}  // namespace simgpu::cuda
