// Physical memory of the virtual memory API: charged to the card that the request names, from its
// creation until its last handle and its last mapping are gone, in whichever order.
//
// An allocation has references: one for each handle given (created, retained, imported here) and
// one for each mapping. A handle's value may come back for other memory once it is released,
// though mappings of the old memory live on; so allocations go by numbers of our own.
//
// Memory of another process, when imported, is that process's charge: it has no entry here, and
// what is done to it passes. Memory of this process that comes back to it through a file descriptor
// is known again by the descriptor's number and file.
//
// One lock for all, held across the driver calls that end a reference or map: what the driver did
// and what is counted cannot drift apart. Creating, which may take long, is outside.
#pragma once

#include <cstdint>

#include "abi/driver/cuda_types.h"
#include "interposer/accounts/live_table.h"
#include "interposer/accounts/place.h"

namespace warpshare::interposer {

class PhysicalMemory {
 public:
  using Handle = CUmemGenericAllocationHandle;

  // After the driver has created `handle`, for which `bytes` are charged to `account`. False
  // without memory to remember it in; nothing was changed.
  [[nodiscard]] bool Enter(Handle handle, uint64_t bytes, const CardAccount& account);

  // Each calls the driver by `call()` and counts what it did.
  template <typename Call>
  CUresult Release(Handle handle, Call call) {
    const guest::LockGuard guard(lock_);
    const CUresult result = call();
    if (result == CUDA_SUCCESS) DropHandle(handle);
    return result;
  }
  template <typename Call>
  CUresult Retain(Handle* handle, CUdeviceptr address, Call call) {
    const guest::LockGuard guard(lock_);
    const CUresult result = call();
    if (result != CUDA_SUCCESS) return result;
    const Id known = AllocationOf(*handle);
    AddHandle(*handle, known != 0 ? known : AllocationAt(address));
    return result;
  }
  template <typename Call>
  CUresult Map(CUdeviceptr address, uint64_t bytes, Handle handle, Call call) {
    const guest::LockGuard guard(lock_);
    const CUresult result = call();
    if (result == CUDA_SUCCESS) AddMapping(address, bytes, handle);
    return result;
  }
  template <typename Call>
  CUresult Unmap(CUdeviceptr address, uint64_t bytes, Call call) {
    const guest::LockGuard guard(lock_);
    const CUresult result = call();
    if (result == CUDA_SUCCESS) DropMappings(address, bytes);
    return result;
  }

  // `name`: what tells this export from all others of the process (ExportName).
  void NoteExport(uint64_t name, Handle handle);
  template <typename Call>
  CUresult Import(Handle* handle, uint64_t name, Call call) {
    const guest::LockGuard guard(lock_);
    const CUresult result = call();
    if (result != CUDA_SUCCESS) return result;
    const Id known = AllocationOf(*handle);
    AddHandle(*handle, known != 0 ? known : AllocationOfExport(name));
    return result;
  }

  uint64_t BytesOn(uint32_t card) { return allocations_.BytesOn(card); }

 private:
  using Id = uint64_t;  // of an allocation; 0: none that is charged here

  Id AllocationOf(Handle handle);
  Id AllocationAt(CUdeviceptr address);
  Id AllocationOfExport(uint64_t name);
  void AddHandle(Handle handle, Id id);  // one reference more to `id`, by `handle`
  void DropHandle(Handle handle);
  void AddMapping(CUdeviceptr address, uint64_t bytes, Handle handle);
  void DropMappings(CUdeviceptr address, uint64_t bytes);
  void DropReferences(Id id, uint64_t count);

  guest::Lock lock_;
  Id last_id_ = 0;
  LiveTable allocations_;  // by id: charged bytes; owner: references
  LiveTable handles_;      // by handle: bytes are references by this handle; owner: id
  LiveTable mappings_;     // by address: bytes are its length; owner: id
  LiveTable exports_;      // by name; owner: id
};

// The card that a request is for; empty for memory of the host.
Place PlaceOf(const CUmemAllocationProp& properties);

// What an exported or imported shareable handle is known by; 0 for kinds that are not followed.
uint64_t ExportName(const void* shareable_handle, CUmemAllocationHandleType type, bool is_import);

}  // namespace warpshare::interposer
