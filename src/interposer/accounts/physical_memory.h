// Physical memory of the virtual memory API: charged to the card that the request names, from its
// creation until its last handle and its last mapping are gone, in whichever order.
//
// An allocation has references: one for each handle given (created, retained, imported here) and
// one for each mapping. A handle's value may come back for other memory once it is released,
// though mappings of the old memory live on; so allocations go by numbers of our own. One that
// nothing but the handle that it was created with refers to, as all are at first, has none yet: it
// is entered by that handle alone.
//
// Imported memory is charged once. What is exported is charged in a slot of its own from then on,
// for as long as any process has it (ledger/memory_slot.h): this one, until its last reference
// ends, and those that import it. It is known again by the descriptor (export_mark.h). Memory that
// nobody has any more, since they died or let go of it while a descriptor kept it alive, is charged
// to whoever imports it: this process's own at once, other memory when it is mapped, for the driver
// tells the size of none. Of what goes by no slot, as there were too many, another process's charge
// has no entry here, and what is done to it passes.
//
// One lock for all, held across the driver calls that end a reference or map: what the driver did
// and what is counted cannot drift apart. Creating, which may take long, is outside, and so is
// entering what was created: so a handle that ends is taken out before the driver is called, which
// may give it out again at once.
#pragma once

#include <atomic>
#include <cstdint>

#include "abi/driver/cuda_types.h"
#include "interposer/accounts/charged.h"
#include "interposer/accounts/driver_call.h"
#include "interposer/accounts/export_mark.h"
#include "interposer/accounts/live_table.h"
#include "interposer/accounts/place.h"

namespace warpshare::interposer {

// How exported memory is known: by its descriptor or by a name that it has on a fabric.
struct ExportName {
  uint64_t name;  // tells it from all others that are open in the process; 0: not followed
  int fd;         // -1: none
};
ExportName NameOfExport(const void* shareable_handle, CUmemAllocationHandleType type,
                        bool is_import);

class PhysicalMemory {
 public:
  using Handle = CUmemGenericAllocationHandle;

  // After the driver has created `handle`, for which `bytes` are charged to `account`. False
  // without memory to remember it in; nothing was changed.
  [[nodiscard, gnu::always_inline]] inline bool Enter(Handle handle, uint64_t bytes,
                                                      const CardAccount& account) {
    const Live sole{
        .bytes = bytes, .card = static_cast<uint8_t>(account.card()), .kind = kSole, .owner = 0};
    Live dead;
    const LiveTable::Added added = handles_.Add(handle, sole, dead);
    if (added == LiveTable::Added::kReplaced) [[unlikely]]
      BuryReplaced(dead);
    return added != LiveTable::Added::kNoMemory;
  }

  // Each calls the driver by `call()` and counts what it did.
  template <typename Call>
  CUresult Release(Handle handle, Call call) {
    const guest::LockGuard guard(lock_);
    Live sole;
    if (!handles_.TakeOf(kSole, handle, sole)) return ReleaseOfSeveral(handle, call);
    const CUresult result = call();
    if (result == CUDA_SUCCESS || !handles_.PutBack(handle, sole)) BurySole(sole);
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
  struct Mapping {
    CUdeviceptr address;
    uint64_t bytes;
    uint64_t offset;  // in the memory
    Handle handle;
  };
  template <typename Call>
  CUresult Map(const Mapping& mapping, Call call) {
    Claim claim{};
    if (!ClaimMapped(mapping, claim)) return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult result;
    {
      const guest::LockGuard guard(lock_);
      result = CanFollow(mapping.handle) ? call() : CUDA_ERROR_OUT_OF_MEMORY;
      if (result == CUDA_SUCCESS) AddMapping(mapping, claim);
    }
    GiveBack(claim);
    return result;
  }
  template <typename Call>
  CUresult Unmap(CUdeviceptr address, uint64_t bytes, Call call) {
    const guest::LockGuard guard(lock_);
    const CUresult result = call();
    if (result == CUDA_SUCCESS) DropMappings(address, bytes);
    return result;
  }

  void NoteExport(const ExportName& name, Handle handle);
  template <typename Call>
  CUresult Import(Handle* handle, const ExportName& name, Call call) {
    Claim claim{};
    if (!ClaimImported(name, claim)) return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult result;
    {
      const guest::LockGuard guard(lock_);
      result = call();
      if (result == CUDA_SUCCESS) result = AddImported(*handle, name, claim);
    }
    GiveBack(claim);
    return result;
  }

  // Waits while a reference is being ended.
  uint64_t BytesOn(uint32_t card) {
    const guest::LockGuard guard(lock_);
    return allocations_.BytesOn(card) + handles_.BytesOn(card);
  }

 private:
  using Id = uint64_t;  // of an allocation; 0: none that is charged here

  // Kinds of handles: an allocation by itself, or one of the references of one that has a number.
  static constexpr auto kSole = static_cast<uint8_t>(Charged::kItself);
  static constexpr uint8_t kReference = 0;
  // Kinds of allocations; unsized ones are charged for what of them was mapped.
  static constexpr auto kSized = static_cast<uint8_t>(Charged::kItself);
  static constexpr uint8_t kUnsized = kSized | 0x80;
  // Another process has made it, and it is charged in a slot of its own.
  static constexpr uint8_t kForeign = kSized | 0x40;

  // What is in an allocation's owner: a count, so that one more is the next number, and the latest
  // descriptor that it was exported by, if any.
  struct References {
    explicit References(const Live& live)
        : count(static_cast<uint32_t>(live.owner)),
          serial(static_cast<uint8_t>(live.owner >> 32)),
          fd(static_cast<int>(live.owner >> 40)) {}
    uint64_t Pack() const {
      return count | uint64_t{serial} << 32 | static_cast<uint64_t>(fd) << 40;
    }
    uint32_t count;
    uint8_t serial;  // 0: none
    int fd;          // below 2^24
  };

  // Charged before the driver is called, for what turns out to be nobody's.
  struct Claim {
    CardAccount* account;
    uint64_t bytes;
  };
  // What is known of memory that is imported.
  struct Origin {
    Id id;            // charged here
    bool is_nobodys;  // charged nowhere
    uint64_t bytes;   // of nobody's memory, on `card`; 0: not known
    uint32_t card;
  };
  bool ClaimImported(const ExportName& name, Claim& claim);
  bool ClaimMapped(const Mapping& mapping, Claim& claim);
  static void GiveBack(const Claim& claim);
  CUresult AddImported(Handle handle, const ExportName& name, Claim& claim);

  void BuryReplaced(const Live& handle);
  [[gnu::always_inline]] static inline void BurySole(const Live& sole) {
    Session::Current()->account(sole.card).GiveBack(sole.bytes);
  }

  // The functions below are called with lock_ held.
  CUresult ReleaseOfSeveral(Handle handle, DriverCall call);
  Id AllocationOf(Handle handle);  // gives it a number, unless there is no memory for that
  bool CanFollow(Handle handle);   // the mappings of its memory, if that is charged here
  Id Number(const Live& sole);
  void DropDead(const Live& handle);
  Id AllocationAt(CUdeviceptr address);
  Origin OriginOf(const ExportName& name);
  bool FindExport(const ExportName& name, const ExportMark& mark, Live& found);
  Id Add(Handle handle, uint64_t bytes, const CardAccount& account);
  bool Adopt(Handle handle, const ExportName& name, Claim& claim);
  void Export(const ExportName& name, Id id);
  void ExportForeign(const ExportName& name, Id id);
  uint8_t NextSerial(bool& is_told);
  void MoveOut(Id id, const ExportName& name, uint8_t serial);
  static ledger::MemorySlot ShareOf(const ExportName& name);
  Id Join(const ExportName& name);
  Id IdOf(const ledger::MemorySlot& memory);
  bool EndShare(Id id, const Live& allocation);
  static Live Unowned(uint64_t owner);
  void AddHandle(Handle handle, Id id);  // one reference more to `id`, by `handle`
  void AddMapping(const Mapping& mapping, Claim& claim);
  void DropMappings(CUdeviceptr address, uint64_t bytes);
  void DropReferences(Id id, uint64_t count);

  guest::Lock lock_;
  Id last_id_ = 0;
  DenseLiveTable allocations_;  // by id: charged bytes; owner: References
  DenseLiveTable handles_;   // by handle: kSole, or bytes are references by this handle; owner: id
  DenseLiveTable mappings_;  // by address: bytes are its length; owner: id
  DenseLiveTable exports_;   // by name: bytes and card of the memory; kind: serial; owner: id
  DenseLiveTable shares_;    // by id: owner is the slot that it is charged in
  DenseLiveTable joined_;    // by that slot + 1, if another made it: owner is the id
  uint8_t last_serial_ = 0;
  Live latest_[kLastSerial + 1] = {};      // exports, by serial, of copied descriptors too
  std::atomic<bool> has_unsized_ = false;  // there is memory that is charged as it is mapped
};

// The card that a request is for; empty for memory of the host.
Place PlaceOf(const CUmemAllocationProp& properties);

}  // namespace warpshare::interposer
