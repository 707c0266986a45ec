// Reserved addresses of this process and what is mapped into them: ranges only, no system calls.
// A range that a call names must be made of whole mappings without a gap. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "simgpu/cuda/result.h"

namespace simgpu::cuda {

class PhysicalMemory;

struct AddressRange {
  uintptr_t base = 0;
  size_t bytes = 0;

  uintptr_t end() const { return base + bytes; }
  bool Holds(uintptr_t address) const { return address - base < bytes; }
};

struct Mapping {
  AddressRange range;
  std::shared_ptr<PhysicalMemory> memory;
  std::map<CUdevice, CUmemAccess_flags> access;  // none when it is new

  // What the process itself may do there: what any card may.
  CUmemAccess_flags Strongest() const;
};

class AddressSpace {
 public:
  void Reserve(const AddressRange& range);
  // False unless it is a whole reservation with nothing mapped in it.
  bool Unreserve(const AddressRange& range);
  // The reservation that holds the address, or nullptr.
  const AddressRange* ReservationOf(uintptr_t address) const;

  // False unless the range lies in one reservation, where nothing is mapped. Returns the entry.
  Mapping* Map(const AddressRange& range, std::shared_ptr<PhysicalMemory> memory);

  // The mappings that make up the range exactly; empty when there are none such.
  std::vector<Mapping*> Covering(const AddressRange& range);
  void Unmap(const Mapping& mapping) { mappings_.erase(mapping.range.base); }

  // The mapping that holds the address, or nullptr.
  Mapping* MappingOf(uintptr_t address);

 private:
  bool AnyMapped(const AddressRange& range) const;

  std::map<uintptr_t, AddressRange> reservations_;
  std::map<uintptr_t, Mapping> mappings_;
};

}  // namespace simgpu::cuda
