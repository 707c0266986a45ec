// Virtual memory management of this process: the physical memory its handles name, its reserved
// addresses, and the mappings between them. All functions are thread-safe.
#pragma once

#include <optional>

#include "simgpu/cuda/result.h"
#include "simgpu/cuda/vmm/address_space.h"
#include "simgpu/cuda/vmm/physical_memory.h"

namespace simgpu::cuda {

// A new handle with one reference, for memory the caller has just got a hold on.
CUmemGenericAllocationHandle Adopt(const CUmemAllocationProp& props, const world::Extent& extent);

// The memory of a valid handle: one the program holds a reference to. nullptr otherwise.
std::shared_ptr<PhysicalMemory> MemoryOf(CUmemGenericAllocationHandle handle);
CUresult ReleaseReference(CUmemGenericAllocationHandle handle);
CUresult RetainMapped(uintptr_t address, CUmemGenericAllocationHandle* handle);

CUresult ReserveAddresses(size_t bytes, size_t alignment, uintptr_t hint, uintptr_t* base);
CUresult FreeAddresses(const AddressRange& range);

// Inaccessible until SetAccess.
CUresult MapMemory(const AddressRange& range, const std::shared_ptr<PhysicalMemory>& memory);
CUresult UnmapMemory(const AddressRange& range);
CUresult SetAccess(const AddressRange& range, const CUmemAccessDesc* access, size_t count);
CUresult GetAccess(uintptr_t address, CUdevice device, CUmemAccess_flags* flags);

// For pointer queries: the reservation that holds an address, and what is mapped there.
std::optional<AddressRange> FindReservation(uintptr_t address);
std::shared_ptr<PhysicalMemory> FindMapped(uintptr_t address);

}  // namespace simgpu::cuda
