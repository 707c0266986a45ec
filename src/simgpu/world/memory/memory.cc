#include "simgpu/world/memory.h"

#include <sys/mman.h>

#include <cerrno>
#include <mutex>
#include <vector>

#include "simgpu/world/machine.h"
#include "simgpu/world/memory/holds.h"
#include "simgpu/world/memory/slabs.h"

namespace simgpu::world {

struct Memory::State {
  struct Small {  // of one card
    std::mutex mutex;
    Slabs slabs;
  };

  explicit State(Machine& machine) : machine(machine), small(machine.card_count()) {}

  uint32_t slot() const { return machine.self().slot(); }
  std::optional<Extent> Make(int card, uint64_t bytes, MemoryKind kind, bool freeable);
  std::optional<Extent> WithAddress(Extent extent);
  enum class Pages : uint8_t { kPerhaps, kNone };
  void LetGo(const Extent& extent, Pages pages = Pages::kPerhaps);
  std::optional<Allocation> AllocateSmall(int card, uint64_t bytes);
  std::optional<SlabObject> TakeObject(Small& cards_small, int card, uint64_t bytes);
  bool FreeSmall(int card, uint64_t offset);
  bool CardOf(const void* address, int* card, uint64_t* offset);

  Machine& machine;
  std::mutex holds_mutex;  // a hold's count here and its bit in the world change together
  Holds holds;
  std::vector<Small> small;
};

Memory::Memory(Machine& machine) : state_(std::make_unique<State>(machine)) {}
Memory::~Memory() = default;

// Accounts.

MemoryUse Memory::Use(int card) {
  state_->machine.Reap();
  const CardAccounts& accounts = state_->machine.accounts(card);
  const uint64_t used = accounts.used();
  return {accounts.total(), used, accounts.total() - used};
}

MemoryBytes Memory::UseOfSelf(int card) {
  if (!state_->machine.self().joined()) return {};
  return state_->machine.accounts(card).UsedBy(state_->slot());
}

bool Memory::Charge(int card, MemoryKind kind, uint64_t bytes) {
  if (kind == MemoryKind::kUncharged) return true;
  if (!state_->machine.Join()) return false;
  CardAccounts& accounts = state_->machine.accounts(card);
  if (accounts.Charge(state_->slot(), kind, bytes)) return true;
  state_->machine.Reap();
  return accounts.Charge(state_->slot(), kind, bytes);
}

void Memory::Uncharge(int card, MemoryKind kind, uint64_t bytes) {
  if (kind == MemoryKind::kUncharged || !state_->machine.self().joined()) return;
  state_->machine.accounts(card).Uncharge(state_->slot(), kind, bytes);
}

// Extents.

std::optional<Extent> Memory::State::WithAddress(Extent extent) {
  std::byte* window = machine.data(extent.card).Window();
  if (window == nullptr) return std::nullopt;
  extent.address = window + extent.block * kBlockBytes;
  return extent;
}

std::optional<Extent> Memory::State::Make(int card, uint64_t bytes, MemoryKind kind,
                                          bool freeable) {
  if (!machine.Join() || machine.data(card).Window() == nullptr) return std::nullopt;
  const ExtentRequest request{bytes, kind, slot()};
  std::optional<Extent> made = machine.accounts(card).Make(request);
  if (!made) {
    machine.Reap();
    made = machine.accounts(card).Make(request);
  }
  if (!made) return std::nullopt;
  made = WithAddress(*made);
  const std::lock_guard lock(holds_mutex);
  holds.Add(*made, freeable);
  return made;
}

std::optional<Extent> Memory::AllocateExtent(int card, uint64_t bytes, MemoryKind kind) {
  return state_->Make(card, bytes, kind, /*freeable=*/false);
}

ExtentName Memory::NameOf(const Extent& extent) const {
  return {state_->machine.id(), static_cast<uint32_t>(extent.card), extent.block, extent.generation,
          0};
}

std::optional<Extent> Memory::Hold(const ExtentName& name) {
  Machine& machine = state_->machine;
  if (name.world_id != machine.id()) return std::nullopt;
  if (name.card >= static_cast<uint32_t>(machine.card_count())) return std::nullopt;
  const auto card = static_cast<int>(name.card);
  if (!machine.Join() || machine.data(card).Window() == nullptr) return std::nullopt;
  const std::lock_guard lock(state_->holds_mutex);
  auto extent = machine.accounts(card).Hold(name.block, name.generation, state_->slot());
  if (!extent) return std::nullopt;
  extent = state_->WithAddress(*extent);
  state_->holds.Add(*extent, /*freeable=*/false);
  return extent;
}

void Memory::Release(const Extent& extent) { state_->LetGo(extent); }
void Memory::ReleaseUntouched(const Extent& extent) { state_->LetGo(extent, State::Pages::kNone); }

void Memory::State::LetGo(const Extent& extent, Pages pages) {
  CardAccounts& accounts = machine.accounts(extent.card);
  ReleaseOutcome outcome = ReleaseOutcome::kStillHeld;
  {
    const std::lock_guard lock(holds_mutex);
    const auto left = holds.Remove(extent);
    if (!left || *left > 0) return;
    outcome = accounts.Release(extent.block, slot());
  }
  if (outcome == ReleaseOutcome::kParked) machine.Reap();
  if (outcome != ReleaseOutcome::kDying) return;
  if (pages == Pages::kPerhaps) machine.data(extent.card).GiveBack(accounts.RangeOf(extent.block));
  accounts.EndOf(extent.block);
}

int Memory::ExportFd(const Extent& extent) {
  const std::lock_guard lock(state_->holds_mutex);
  const HeldExtent* held = state_->holds.Containing(extent.card, extent.block);
  if (held == nullptr || held->extent.generation != extent.generation) {
    errno = EINVAL;
    return -1;
  }
  state_->machine.accounts(extent.card).MarkExported(extent.block);
  return state_->machine.exports().Open(NameOf(extent));
}

std::optional<Extent> Memory::ImportFd(int fd) {
  const auto name = Exports::Read(fd);
  return name ? Hold(*name) : std::nullopt;
}

// Mapping.

bool Memory::MapAt(const Extent& extent, uint64_t offset, void* address, uint64_t length) {
  if (length == 0 || offset > extent.span || length > extent.span - offset) return false;
  void* pages = static_cast<std::byte*>(extent.address) + offset;
  // An old size of zero makes a second mapping of the same pages and leaves the window's in place.
  return mremap(pages, 0, length, MREMAP_MAYMOVE | MREMAP_FIXED, address) == address;
}

bool Memory::Unmap(void* address, uint64_t length) {
  return mmap(address, length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED,
              -1, 0) == address;
}

bool Memory::Populate(void* address, uint64_t length) {
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif
  constexpr uintptr_t kPage = 4096;
  const uintptr_t start = reinterpret_cast<uintptr_t>(address) & ~(kPage - 1);
  const uintptr_t end = (reinterpret_cast<uintptr_t>(address) + length + kPage - 1) & ~(kPage - 1);
  while (madvise(reinterpret_cast<void*>(start), end - start, MADV_POPULATE_WRITE) != 0) {
    if (errno == EINVAL) return true;  // a kernel before 5.14: the write itself will tell
    if (errno != EINTR && errno != EAGAIN) return false;
  }
  return true;
}

// Allocations.

std::optional<Allocation> Memory::Allocate(int card, uint64_t bytes) {
  if (bytes == 0) return std::nullopt;
  if (bytes < kSmallLimit) return state_->AllocateSmall(card, bytes);
  const auto extent = state_->Make(card, bytes, MemoryKind::kData, /*freeable=*/true);
  if (!extent) return std::nullopt;
  return Allocation{extent->address, bytes, *extent, 0, false};
}

std::optional<SlabObject> Memory::State::TakeObject(Small& cards_small, int card, uint64_t bytes) {
  if (auto object = cards_small.slabs.Take(bytes)) return object;
  const auto extent =
      Make(card, Slabs::SlabBytes(bytes), MemoryKind::kUncharged, /*freeable=*/false);
  if (!extent) return std::nullopt;
  cards_small.slabs.Add(bytes, *extent);
  return cards_small.slabs.Take(bytes);
}

std::optional<Allocation> Memory::State::AllocateSmall(int card, uint64_t bytes) {
  if (!machine.Join()) return std::nullopt;
  CardAccounts& accounts = machine.accounts(card);
  if (!accounts.Charge(slot(), MemoryKind::kData, bytes)) {
    machine.Reap();
    if (!accounts.Charge(slot(), MemoryKind::kData, bytes)) return std::nullopt;
  }
  const std::lock_guard lock(small[card].mutex);
  const auto object = TakeObject(small[card], card, bytes);
  if (!object) {
    accounts.Uncharge(slot(), MemoryKind::kData, bytes);
    return std::nullopt;
  }
  const Extent& extent = *object->extent;
  return Allocation{static_cast<std::byte*>(extent.address) + object->offset, bytes, extent,
                    object->offset, true};
}

bool Memory::State::CardOf(const void* address, int* card, uint64_t* offset) {
  for (*card = 0; *card < machine.card_count(); ++*card) {
    if (machine.data(*card).Contains(address, offset)) return true;
  }
  return false;
}

bool Memory::State::FreeSmall(int card, uint64_t offset) {
  std::optional<Extent> emptied;
  std::optional<uint64_t> bytes;
  {
    const std::lock_guard lock(small[card].mutex);
    bytes = small[card].slabs.Put(offset, &emptied);
  }
  if (!bytes) return false;
  machine.accounts(card).Uncharge(slot(), MemoryKind::kData, *bytes);
  if (emptied) LetGo(*emptied);
  return true;
}

bool Memory::Free(void* address) {
  int card = 0;
  uint64_t offset = 0;
  if (!state_->CardOf(address, &card, &offset)) return false;
  if (state_->FreeSmall(card, offset)) return true;
  if (offset % kBlockBytes != 0) return false;
  Extent extent;
  {
    const std::lock_guard lock(state_->holds_mutex);
    const HeldExtent* held = state_->holds.Containing(card, offset / kBlockBytes);
    if (held == nullptr || !held->freeable || held->extent.address != address) return false;
    extent = held->extent;
    state_->holds.ForbidFree(extent);
  }
  state_->LetGo(extent);
  return true;
}

std::optional<Allocation> Memory::Find(const void* address) {
  int card = 0;
  uint64_t offset = 0;
  if (!state_->CardOf(address, &card, &offset)) return std::nullopt;
  {
    const std::lock_guard lock(state_->small[card].mutex);
    if (const auto object = state_->small[card].slabs.Find(offset)) {
      const Extent& extent = *object->extent;
      return Allocation{static_cast<std::byte*>(extent.address) + object->offset, object->bytes,
                        extent, object->offset, true};
    }
  }
  const std::lock_guard lock(state_->holds_mutex);
  const HeldExtent* held = state_->holds.Containing(card, offset / kBlockBytes);
  if (held == nullptr || !held->freeable) return std::nullopt;
  const Extent& extent = held->extent;
  if (offset - extent.block * kBlockBytes >= extent.bytes) return std::nullopt;
  return Allocation{extent.address, extent.bytes, extent, 0, false};
}

}  // namespace simgpu::world
