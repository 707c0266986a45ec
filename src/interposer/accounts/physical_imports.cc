// Physical memory that leaves the process and comes to it: whose charge it is.
#include <sys/stat.h>

#include "interposer/accounts/physical_memory.h"
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"
#include "interposer/guest/kernel.h"

namespace warpshare::interposer {

namespace {

constexpr int kLastFd = (1 << 24) - 1;  // that References have room for

uint64_t Mix(uint64_t a, uint64_t b) { return (a ^ b) * 0x9e3779b97f4a7c15 + (b >> 29); }

}  // namespace

void PhysicalMemory::NoteExport(const ExportName& name, Handle handle) {
  const guest::LockGuard guard(lock_);
  if (const Id id = AllocationOf(handle); id != 0) Export(name, id);
}

void PhysicalMemory::Export(const ExportName& name, Id id) {
  Live allocation;
  if (name.name == 0 || !allocations_.Find(id, allocation)) return;
  if (allocation.kind == kForeign) return ExportForeign(name, id);
  const bool has_fd = name.fd >= 0 && name.fd <= kLastFd;
  bool is_told = true;
  uint8_t serial = has_fd ? References(allocation).serial : uint8_t{0};
  if (has_fd && (serial == 0 || latest_[serial].owner != id)) serial = NextSerial(is_told);
  const Live entry{.bytes = allocation.kind == kSized ? allocation.bytes : 0,
                   .card = allocation.card,
                   .kind = serial,
                   .owner = id};
  Live replaced;
  (void)exports_.Add(name.name, entry, replaced);
  if (has_fd) {
    allocations_.Update(id, [&](Live& live) {
      References references(live);
      references.serial = serial;
      references.fd = name.fd;
      live.owner = references.Pack();
    });
    latest_[serial] = entry;
    WriteExportMark(name.fd, serial, guest::ProcessId());
  }
  if (is_told && !shares_.Find(id, replaced)) MoveOut(id, name, serial);
}

// A copy of a descriptor has another number, and the same mark.
bool PhysicalMemory::FindExport(const ExportName& name, const ExportMark& mark, Live& found) {
  if (exports_.Find(name.name, found) && found.kind == mark.serial) return true;
  found = latest_[mark.serial];
  return mark.owner == ExportMark::Owner::kSelf && found.owner != 0;
}

PhysicalMemory::Origin PhysicalMemory::OriginOf(const ExportName& name) {
  using Owner = ExportMark::Owner;
  const bool is_marked = name.fd >= 0;
  const ExportMark mark = is_marked ? ReadExportMark(name.fd)
                                    : ExportMark{.owner = Owner::kSelf, .serial = 0, .pid = 0};
  if (name.name == 0 || mark.owner == Owner::kUnknown || mark.owner == Owner::kOther) return {};
  Live found;
  Live live;
  bool is_known = FindExport(name, mark, found);
  if (is_known && allocations_.Find(found.owner, live)) {
    if (mark.owner == Owner::kSelf)
      return {.id = found.owner, .is_nobodys = false, .bytes = 0, .card = 0};
    is_known = false;  // the number and the serial of another one
  }
  Origin origin{};
  origin.is_nobodys = is_known || (is_marked && (mark.owner == Owner::kSelf || !OwnersMayHide()));
  if (is_known) {
    origin.bytes = found.bytes;
    origin.card = found.card;
  }
  return origin;
}

bool PhysicalMemory::ClaimImported(const ExportName& name, Claim& claim) {
  Origin origin;
  {
    const guest::LockGuard guard(lock_);
    origin = OriginOf(name);
  }
  if (origin.bytes == 0 || ShareOf(name)) return true;
  claim = {.account = &Session::Current()->account(origin.card), .bytes = origin.bytes};
  return Reserve(*claim.account, claim.bytes);
}

CUresult PhysicalMemory::AddImported(Handle handle, const ExportName& name, Claim& claim) {
  Id id = AllocationOf(handle);
  if (id == 0) {
    Origin origin = OriginOf(name);
    id = origin.id != 0 ? origin.id : Join(name);
    if (id == 0) origin = OriginOf(name);  // who has it may have died meanwhile
    if (id == 0 && origin.is_nobodys && !Adopt(handle, name, claim)) {
      REAL(cuMemRelease)(handle);
      return CUDA_ERROR_OUT_OF_MEMORY;
    }
  }
  AddHandle(handle, id);
  return CUDA_SUCCESS;
}

// False without memory to remember it in.
bool PhysicalMemory::Adopt(Handle handle, const ExportName& name, Claim& claim) {
  CardAccount* account = claim.bytes != 0 ? claim.account : nullptr;
  CUmemAllocationProp properties{};
  if (account == nullptr &&
      REAL(cuMemGetAllocationPropertiesFromHandle)(&properties, handle) == CUDA_SUCCESS) {
    account = PlaceOf(properties).account;
  }
  if (account == nullptr) return true;  // the host's
  const Id id = Add(handle, claim.bytes, *account);
  if (id == 0) return false;
  if (claim.bytes == 0) has_unsized_.store(true, std::memory_order_relaxed);
  claim.bytes = 0;
  Export(name, id);
  return true;
}

bool PhysicalMemory::ClaimMapped(const Mapping& mapping, Claim& claim) {
  if (!has_unsized_.load(std::memory_order_relaxed)) return true;
  Live live;
  {
    const guest::LockGuard guard(lock_);
    const Id id = AllocationOf(mapping.handle);
    if (id == 0 || !allocations_.Find(id, live) || live.kind != kUnsized) return true;
  }
  const uint64_t seen = mapping.offset + mapping.bytes;
  if (seen <= live.bytes) return true;
  claim = {.account = &Session::Current()->account(live.card), .bytes = seen - live.bytes};
  return Reserve(*claim.account, claim.bytes);
}

void PhysicalMemory::GiveBack(const Claim& claim) {
  if (claim.bytes != 0) claim.account->GiveBack(claim.bytes);
}

ExportName NameOfExport(const void* shareable_handle, CUmemAllocationHandleType type,
                        bool is_import) {
  if (shareable_handle == nullptr) return {.name = 0, .fd = -1};
  if (type == CU_MEM_HANDLE_TYPE_FABRIC) {
    uint64_t words[sizeof(CUmemFabricHandle) / sizeof(uint64_t)];
    __builtin_memcpy(words, shareable_handle, sizeof(words));
    uint64_t name = 0;
    for (const uint64_t word : words) name = Mix(name, word);
    return {.name = name, .fd = -1};
  }
  if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) return {.name = 0, .fd = -1};
  // An export writes the descriptor where it is told to; an import is given it as the pointer.
  const int fd = is_import ? static_cast<int>(reinterpret_cast<intptr_t>(shareable_handle))
                           : *static_cast<const int*>(shareable_handle);
  struct stat file;
  if (guest::StatFd(fd, &file) < 0) return {.name = 0, .fd = -1};
  return {.name = Mix(Mix(static_cast<uint64_t>(fd) + 1, file.st_ino), file.st_dev), .fd = fd};
}

}  // namespace warpshare::interposer
